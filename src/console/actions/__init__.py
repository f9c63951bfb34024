"""What may be done: every action as data, from which keys, footer, help, palette and guards follow."""
