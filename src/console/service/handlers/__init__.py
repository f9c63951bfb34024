"""The handlers of the operations, one file per subject; found by themselves (see `service/handler.py`)."""
