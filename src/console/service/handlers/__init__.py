"""Handlers of the operations, one file per subject, imported automatically (see `service/handler.py`)."""
