"""Changes made from this console."""
