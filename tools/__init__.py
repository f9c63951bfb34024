"""Development programs; not part of the installed package."""
