"""Lets `python -m console` be the same as `console`."""

from __future__ import annotations

from console.cli.program import main

if __name__ == "__main__":
    main()
