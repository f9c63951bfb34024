"""Conferences."""
