"""The answers to the operations, one file per subject; found by themselves (see `service/handler.py`)."""
