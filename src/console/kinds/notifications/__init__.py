"""Pending notifications."""
