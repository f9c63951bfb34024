"""Confirmation of wide changes by a person; scripts are never asked."""

from __future__ import annotations

import sys
from typing import Any

from console.api.annotations import Guard
from console.api.request import Request
from console.base.text import clean
from console.cli.exits import Exit, Failure


def confirm(request: Request[Any], *, yes: bool) -> None:
    """Ask for confirmation of a wide or mass change at a terminal without `--yes`.

    Raise Failure if the answer is no. Without a terminal on both sides, the change is sent.
    """
    guarded = request.guarded(undoable=False)
    if yes or guarded < Guard.WIDE or not at_a_terminal():
        return
    word = clean(request.record_key(), 60) if guarded is Guard.MASS else "yes"
    change = request.operation.change
    warning = (change.warning if change is not None else "") or f"{request.operation.title}."
    print(f"{request.operation.name}: {clean(request.record_key(), 60)}", file=sys.stderr)
    print(f"{warning} This cannot be undone.", file=sys.stderr)
    print(f"Type {word} to continue: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() != word.casefold():
        raise Failure(Exit.FAILED, "not confirmed: nothing was sent")


def at_a_terminal() -> bool:
    """Return whether a person can be asked, and can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()
