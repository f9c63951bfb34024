"""How deliveries leave the service: by SMTP and by a signed webhook."""
