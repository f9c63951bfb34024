"""Rules: what needs attention, watched in all lists, and told as episodes."""
