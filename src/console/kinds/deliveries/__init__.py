"""Deliveries of mails, SMS and pushes."""
