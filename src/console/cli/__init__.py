"""The command line. `main` is the program's entry; each command lives in a module of its own, imported when it runs."""

from __future__ import annotations

from console.cli.program import main

__all__ = ["main"]
