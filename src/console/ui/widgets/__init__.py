"""Widgets of the screens, built with Textual."""
