"""Shared basics: clock, zone, text, signs, sort order, patterns."""
