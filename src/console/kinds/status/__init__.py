"""The status summary of the service, which is one record and no list."""
