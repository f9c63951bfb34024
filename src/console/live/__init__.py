"""Current data: collections updated by lists, events and polling; freshness; commands and their journal."""
