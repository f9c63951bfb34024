"""Writes down what a run measured and what it was to hold, for the table of figures in `docs/reliability.md`.

A test measures, records, then asserts: `record("C2", slowest <= 20.0, f"slowest {slowest:.1f} s of {runs}", "20 s")`.
Nothing is written unless the environment names a directory in FIGURES, as `tools.measure` does for the long runs.
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
"""What the letter of a figure stands for, in the order of the table."""

FIGURES: dict[str, str] = {
    "C1": "every kind of fault, again and again: what is known becomes what the service holds",
    "C2": "after a fault has healed, rows on the screen equal a fresh list",
    "C3": "a dead connection is noticed",
    "C4": "the badge says LIVE with a proof older than 6 s",
    "C5": "the age shown against the true age",
    "C6": "actions lost or doubled under faults",
    "C7": "stories of a state machine over store, follower and commands",
    "C9": "connections to a service that accepts and closes",
    "C10": "consoles that come back after a restart of the service",
    "C11": "requests sent during a storm of errors, and waits that the service asked for",
    "C12": "a long run with faults: memory, files, tasks",
    "C13": "a terminal that is not read, and a program that is suspended",
    "T1": "hostile strings in every text field of every screen",
    "T2": "generated strings: all of Unicode, escapes, markup",
    "T3": "control tokens written to the terminal that are not on the list of those allowed",
    "T4": "control tokens with hostile text against those with plain text",
    "T5": "painted rows of a wrong width",
    "T6": "keys that a terminal's own answers caused",
    "T7": "the longest step on a very large text",
    "T8": "bad answers: the other views go on, and the view comes back",
    "T9": "requests to another origin",
    "T10": "memory and bytes that one answer can take",
    "T11": "one bad row among fifty",
    "T12": "sizes of the window while rows change",
    "K1": "secrets found anywhere they must not be",
    "K2": "files that others could read",
    "K3": "bad certificates refused",
    "K4": "refreshes and retries in a burst of refused logins",
    "K5": "own sessions revoked at the end",
    "O1": "races of operators, lost answers, double presses",
    "O2": "two operators accept at once",
    "O3": "double press, key repeat, retry after a lost answer",
    "O4": "lost changes of group participants",
    "O5": "drafts lost on a conflict",
    "O6": "changes sent by a read-only profile",
    "O7": "changes sent without a durable intent",
    "O8": "tampering found in the journal",
    "S1": "kill -9 under load",
    "S2": "disk faults at every n-th call",
    "S3": "who may do what: operation, role, relation",
    "S4": "hostile requests",
    "S5": "requests generated from the served OpenAPI document",
    "S6": "tampered cursors, and pages under concurrent inserts",
    "S7": "regular expressions that would hang",
    "S8": "the same idempotency key at once, and a kill between commit and answer",
    "S9": "a revoked session",
    "S10": "timing of unknown user against wrong password",
    "S11": "floods of log-ins, slow headers, slow readers",
    "S12": "histories of alerts accepted, cancelled and expired",
    "M1": "planted bugs caught",
}
"""Every figure there is, by its name, with what is measured."""


def record(id: str, held: bool, value: str, hold: str) -> None:
    """Write down that figure `id` measured `value` where `hold` was to be held, and whether it was.

    Several records of one figure in a run stand together in its row, which is held if all of them are. Raises KeyError
    for a figure that is not in `FIGURES`.
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
    """Return how often to try: what the environment says for a long run, else `usual`."""
    return int(os.environ.get(variable) or usual)
