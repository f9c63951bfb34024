"""Support chats."""
