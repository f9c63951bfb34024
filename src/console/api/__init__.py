"""The operations, one Request class each, and the errors. Start with `request.py`."""
