"""The report of a shift: figures of a recorded time, with the moments that they come from."""
