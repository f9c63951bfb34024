"""Domain logic of the platform, one file per subject: tables, rules, and functions for requests and the simulator."""
