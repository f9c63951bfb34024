"""Programs for working on the console; not part of what is installed."""
