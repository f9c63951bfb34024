"""Commands that print and follow lists, and that call operations."""
