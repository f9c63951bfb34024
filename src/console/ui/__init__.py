"""The user interface, with Textual. Start with `ui/app.py`."""
