"""Commands that run the embedded service."""
