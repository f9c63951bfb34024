"""What screens are made of. Textual begins here."""
