"""Commands about recordings, notes and the journal."""
