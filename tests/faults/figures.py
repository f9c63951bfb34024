"""Records measured figures with their targets, for the tables of `docs/reliability.md`.

A test measures, records, then asserts: `record("C2", slowest <= 20.0, f"slowest {slowest:.1f} s of {runs}", "20 s")`.
Nothing is written unless the environment variable FIGURES names a directory, as `tools.measure` does for the long runs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

DIRECTORY_VARIABLE = "FIGURES"

SUBJECTS: dict[str, str] = {
    "C": "Lists and events",
    "T": "Hostile input",
    "K": "Credentials",
    "O": "Operators",
    "S": "Service",
    "M": "The tests themselves",
}
"""Subjects by the first letter of a figure's id, in the order of the page."""

FIGURES: dict[str, str] = {
    "C1": "repeated faults of every kind: the data of the console becomes equal to the service's",
    "C2": "after a fault has healed, rows on the screen equal a fresh list",
    "C3": "detection of a dead connection",
    "C4": "LIVE shown, but confirmed more than 6 s ago",
    "C5": "the shown age against the true age",
    "C6": "actions lost or doubled under faults",
    "C7": "stateful test of collections, followers and commands: violations",
    "C9": "connections to a service that accepts and closes",
    "C10": "consoles reconnecting after a restart of the service",
    "C11": "requests during a series of errors, and compliance with `Retry-After`",
    "C12": "a long run with faults: memory, files, tasks",
    "C13": "a terminal that is not read, and a program that is suspended",
    "C14": "an unattended wallboard on a clock of the test: restarts by hand, memory",
    "T1": "hostile strings in every text field of every screen",
    "T2": "generated strings: all of Unicode, escapes, markup",
    "T3": "control tokens written to the terminal that are not allowed",
    "T4": "control tokens with hostile text against those with plain text",
    "T5": "painted rows with a wrong width",
    "T6": "keys caused by answers of the terminal",
    "T7": "the longest step on a very large text",
    "T8": "bad answers: other views keep working, and the view recovers",
    "T9": "requests to another origin",
    "T10": "memory and bytes of one answer",
    "T11": "one bad row among fifty",
    "T12": "sizes of the window while rows change",
    "K1": "secrets found where they must not be",
    "K2": "files readable by others",
    "K3": "bad certificates refused",
    "K4": "refreshes and retries in a burst of refused logins",
    "K5": "own sessions revoked on exit",
    "O1": "races of operators, lost answers, double presses",
    "O2": "two operators accept at once",
    "O3": "double press, key repeat, retry after a lost answer",
    "O4": "lost changes of group participants",
    "O5": "drafts lost on a conflict",
    "O6": "changes sent by a read-only profile",
    "O7": "changes sent without a durable intent",
    "O8": "tampering found in the journal",
    "O9": "nights of a supervisor and an agent who react to notices only",
    "S1": "`kill -9` under load",
    "S2": "disk faults at every n-th call",
    "S3": "permissions by operation, role and relation",
    "S4": "hostile requests",
    "S5": "requests generated from the served OpenAPI document",
    "S6": "tampered cursors, and pages under concurrent inserts",
    "S7": "regular expressions that would hang",
    "S8": "the same idempotency key at once, and a kill between commit and answer",
    "S9": "a revoked session",
    "S10": "timing of unknown user against wrong password",
    "S11": "many logins, slow headers, slow readers",
    "S12": "histories of accepted, cancelled and expired alerts: impossible ones",
    "M1": "mutants caught",
}
"""All figures by id, with a description."""


def record(id: str, held: bool, value: str, hold: str) -> None:
    """Record the measured `value` of figure `id`, its target `hold`, and whether the target was met.

    Several records of one figure in a run share its row; the target is met if it is met in all of them. Raise KeyError
    if the figure is not in `FIGURES`.
    """
    what = FIGURES[id]
    directory = os.environ.get(DIRECTORY_VARIABLE)
    if not directory:
        return
    line = json.dumps({"id": id, "what": what, "held": bool(held), "value": value, "hold": hold}, ensure_ascii=False)
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    # One file per process: test workers write at the same time.
    with (folder / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def count(variable: str, usual: int) -> int:
    """Return the number of repetitions: the environment variable of a long run, otherwise `usual`."""
    return int(os.environ.get(variable) or usual)
