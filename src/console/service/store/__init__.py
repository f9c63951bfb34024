"""The database of the service: transactions, events of their changes, schema."""
