"""A terminal console for the people who run a communications platform."""

__version__ = "0.1.0"
