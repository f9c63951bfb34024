"""`console journal`: prints and verifies the journal of changes."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from console.base.text import clean
from console.cli.exits import Exit, Failure
from console.cli.output import one_line, talk
from console.config.paths import places
from console.live.journal_reading import JournalChange, changes
from console.live.journal_reading import verify as verify_journal
from console.views.wording import plural

NOT_KNOWN = "unknown"


def declare_verify(parser: ArgumentParser) -> None:
    """Declare `console journal verify`."""
    parser.add_argument("--journal", type=Path, metavar="FILE", help="Journal to verify instead of your own.")
    parser.set_defaults(run=verify)


def verify(*, journal: Path | None) -> int:
    """Verify that the journal is unaltered.

    Exits with 5 at the first line that was changed, removed or moved.
    """
    path = _chosen(journal)
    try:
        verdict = verify_journal(path)
    except OSError as error:
        raise Failure(Exit.FAILED, f"cannot read {error.filename or path}: {error.strerror}") from None
    if verdict.flaw is not None:
        talk(f"{verdict.flaw.file}, line {verdict.flaw.line}: {verdict.flaw.reason}")
        return Exit.CONDITION
    print(clean(f"{plural(verdict.lines, 'line')} verified, none altered: {path}", 4000))
    return Exit.OK


def _chosen(journal: Path | None) -> Path:
    """Return the journal to read. Raise Failure if the named one is missing or no regular file, such as a device."""
    if journal is not None and not os.path.isfile(journal):
        raise Failure(Exit.FAILED, f"no journal at {journal}")
    return journal or places(os.environ).journal


def declare_show(parser: ArgumentParser) -> None:
    """Declare `console journal show`."""
    parser.add_argument(
        "--last",
        type=int,
        metavar="NUMBER",
        default=50,
        help="Number of changes, counted from the newest; 0 for all. Default: %(default)s.",
    )
    parser.add_argument("--unresolved", action="store_true", help="Print only changes with an unknown outcome.")
    parser.add_argument(
        "--json", action="store_true", help="Print one JSON object per change, with the state before and the answers."
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help="Journal to read instead of your own.")
    parser.set_defaults(run=show)


def show(
    *,
    last: int,
    unresolved: bool,
    json: bool,
    journal: Path | None,
) -> int:
    """Print your changes and their outcomes, with time and user.

    Exits with 1 if a line cannot be read.
    """
    path, unread = _chosen(journal), Counter[Path]()
    try:
        read = changes(path, unread)
        matching_changes = [change for change in read if not unresolved or change.stage in {"", "unknown"}]
    except OSError as error:
        raise Failure(Exit.FAILED, f"cannot read {error.filename or path}: {error.strerror}") from None
    for journal_change in matching_changes[-last:]:
        if json:
            print(
                one_line(
                    {
                        "intent": journal_change.intent,
                        "outcomes": journal_change.outcomes,
                        "stage": journal_change.stage or None,
                    }
                )
            )
        else:
            sys.stdout.writelines(f"{clean(line, 1000)}\n" for line in _lines(journal_change))
    for file, many in (+unread).items():
        talk(f"{file}: {plural(many, 'line')} cannot be read; see `console journal verify`")
    return Exit.FAILED if +unread else Exit.OK


def _lines(change: JournalChange) -> list[str]:
    intent = change.intent
    outcomes = {outcome.get("step"): outcome for outcome in change.outcomes}
    lines = [f"{_when(intent.get('at'))}  {intent.get('who') or '?'}  {intent.get('title') or intent.get('action')}"]
    steps: Any = intent.get("steps")
    for number, step in enumerate(cast("list[Any]", steps) if isinstance(steps, list) else []):
        entry: Mapping[str, Any] = cast("dict[str, Any]", step) if isinstance(step, dict) else {}
        outcome: Mapping[str, Any] = outcomes.get(number, {})
        became = str(outcome.get("stage") or (change.stage if change.stage == "unknown" else "") or NOT_KNOWN)
        became = "not sent" if outcome.get("unsent") else became
        reason = f": {outcome['reason']}" if outcome.get("reason") else ""
        lines.append(f"    {entry.get('words') or entry.get('operation')}  {entry.get('key')}  {became}{reason}")
    return lines


def _when(at: Any) -> str:
    try:
        return datetime.fromtimestamp(float(at) / 1000).astimezone().isoformat(sep=" ", timespec="seconds")
    except (TypeError, ValueError, OverflowError, OSError):
        return "?"
