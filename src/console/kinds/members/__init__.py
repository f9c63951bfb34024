"""Members of a group."""
