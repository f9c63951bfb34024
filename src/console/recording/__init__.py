"""The lists over time, in a file: it is recorded while the console runs, and read to go back in time."""
