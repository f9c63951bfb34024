"""Events: who sees what, and their distribution to subscribers. Start with `hub.py`."""
