"""What the platform does, one file per subject: tables, rules and functions that requests and the simulator call."""
