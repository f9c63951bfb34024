"""The command line. `main` is the entry point; each command is in its own module, imported when it runs."""

from __future__ import annotations

from console.cli.program import main

__all__ = ["main"]
