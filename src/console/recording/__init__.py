"""What the console has seen, in a file: it is recorded while the console runs, and read to go back in time."""
