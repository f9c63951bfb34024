"""Alert templates."""
