"""What is known now: collections kept true by list, events and polling; freshness; commands and their journal."""
