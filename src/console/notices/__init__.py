"""Notices: tell a person about an episode of a rule, in the configured ways, until it was seen."""
