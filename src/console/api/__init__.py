"""What can be asked: one Request class per operation, and what can go wrong. Start with `request.py`."""
