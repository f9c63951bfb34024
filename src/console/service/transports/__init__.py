"""Transports of deliveries: SMTP and a signed webhook."""
