"""What builds parts of this repository; not part of the program."""
