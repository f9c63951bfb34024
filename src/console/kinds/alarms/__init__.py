"""Call alarms."""
