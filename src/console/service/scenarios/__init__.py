"""Scenarios of the embedded service: `spec` reads a scenario's file, the other modules generate its records."""
