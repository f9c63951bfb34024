"""Rules: what needs attention, watched in all lists, and reported as episodes."""
