"""Commands about rules and notices."""
