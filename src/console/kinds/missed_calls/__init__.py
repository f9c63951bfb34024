"""Missed calls."""
