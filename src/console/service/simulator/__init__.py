"""Simulation of a working day, with the same functions as requests. `simulator.py` is the entry point."""
