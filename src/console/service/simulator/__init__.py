"""A plausible day, played on the platform through the functions that requests use. `simulator.py` is the way in."""
