"""Callers: credentials, passwords, what they may do."""
