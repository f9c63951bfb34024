"""Entry point of `python -m console`."""

from __future__ import annotations

from console.cli import main

if __name__ == "__main__":
    main()
