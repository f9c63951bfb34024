"""Commands that set up and check profiles, and their credentials."""
