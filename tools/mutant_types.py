"""Type errors of planted bugs. A bug with one would crash instead of misbehaving, and its detection proves nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.mutants.bug import Bug

_DEAD_CODE = "reportUnused"
"""The beginning of the rules on unused names. Removing their use is a common bug."""


def new_type_errors(place: Path, bugs: Iterable[Bug]) -> dict[str, list[str]]:
    """Return the type errors that bugs cause, by the name of the bug; bugs without any are left out.

    `place` is a copy of the source. Its files with a bug are written beside the sound ones, under other names, because
    one run of pyright on all of them takes seconds and a run for each takes an hour.
    """
    sound: dict[str, Path] = {}
    mutated: dict[Path, Bug] = {}
    for number, bug in enumerate(bugs):
        file = place / "src" / "console" / bug.file
        text = file.read_text(encoding="utf-8")
        if bug.file not in sound:
            # Under another name, because the classes of a renamed file are not those that other files import.
            sound[bug.file] = file.with_name(f"{file.stem}_sound.py")
            sound[bug.file].write_text(text, encoding="utf-8")
        mutant = file.with_name(f"{file.stem}_mutant_{number}.py")
        mutant.write_text(bug.applied(text), encoding="utf-8")
        mutated[mutant] = bug
    errors = _errors(place, [*sound.values(), *mutated])
    new = {
        bug.name: [error for error in errors.get(file, []) if error not in errors.get(sound[bug.file], [])]
        for file, bug in mutated.items()
    }
    return {name: messages for name, messages in new.items() if messages}


def _errors(place: Path, files: Iterable[Path]) -> dict[Path, list[str]]:
    """Return the messages of pyright by file. Raise RuntimeError if it cannot run."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, *map(str, files)]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    try:
        diagnostics: list[dict[str, Any]] = json.loads(done.stdout)["generalDiagnostics"]
    except (ValueError, KeyError):
        raise RuntimeError(f"pyright failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}") from None
    errors: dict[Path, list[str]] = {}
    for diagnostic in diagnostics:
        if diagnostic["severity"] == "error" and not diagnostic.get("rule", "").startswith(_DEAD_CODE):
            file = Path(diagnostic["file"])
            # A message about a class names its module, which differs between the sound file and one with a bug.
            errors.setdefault(file, []).append(diagnostic["message"].replace(file.stem, "…"))
    return errors
