"""Phone books."""
