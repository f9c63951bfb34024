"""The configuration and its files: the schema, reading with all errors at once, writing. Start with `schema.py`."""
