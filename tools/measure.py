"""Run a command whose tests record figures, and update the tables in `docs/reliability.md`.

    python -m tools.measure "make faults COUNT=50" pytest tests/faults
    python -m tools.measure --check

The first argument is the command that the table names for reproducing the figures. Figures that a run did not measure
keep their earlier values; `docs/reliability.json` contains all of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.faults.figures import DIRECTORY_VARIABLE, FIGURES, SUBJECTS

DOCS = Path(__file__).resolve().parents[1] / "docs"
RESULTS, PAGE = DOCS / "reliability.json", DOCS / "reliability.md"
BEGIN, END = "<!-- figures: written by `tools/measure.py` -->", "<!-- end of figures -->"

Result = dict[str, Any]


def recorded(directory: Path) -> dict[str, Result]:
    """Return the results of a run: one per figure, whose target is met if it was met in every record."""
    found: dict[str, Result] = {}
    for file in sorted(directory.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            result = found.setdefault(one["id"], {"held": True, "values": [], "holds": []})
            result["held"] = result["held"] and one["held"]
            for many, each in (("values", one["value"]), ("holds", one["hold"])):
                if each not in result[many]:
                    result[many].append(each)
    return found


def table(results: Mapping[str, Result]) -> str:
    """Return the results as Markdown, one table per subject."""
    parts: list[str] = []
    for letter, subject in SUBJECTS.items():
        known = [id for id in FIGURES if id[0] == letter and id in results]
        if not known:
            continue
        parts += [f"### {subject}", "", "| | figure | target | measured | met | by |", "|---|---|---|---|---|---|"]
        for id in known:
            result = results[id]
            cells = (
                id,
                FIGURES[id],
                "; ".join(result["holds"]),
                "; ".join(result["values"]),
                "yes" if result["held"] else "**no**",
                f"`{result['by']}`, {result['on']}",
            )
            parts.append("| " + " | ".join(each.replace("|", "\\|").replace("\n", " ") for each in cells) + " |")
        parts.append("")
    return "\n".join(parts)


def page_with(text: str, results: Mapping[str, Result]) -> str:
    """Return the page's text with the tables of these results between its markers."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table(results)}\n{END}{after}"


def _known() -> dict[str, Result]:
    return dict(json.loads(RESULTS.read_text(encoding="utf-8"))) if RESULTS.exists() else {}


def stale() -> bool:
    """Return whether the page differs from the stored results."""
    text = PAGE.read_text(encoding="utf-8")
    return page_with(text, _known()) != text


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code; with `--check`, check the page."""
    if arguments == ["--check"]:
        return int(stale())
    by, *command = arguments
    with tempfile.TemporaryDirectory() as directory:
        code = subprocess.run(command, env={**os.environ, DIRECTORY_VARIABLE: directory}, check=False).returncode
        new = recorded(Path(directory))
    on = datetime.now(UTC).date().isoformat()
    results = _known() | {id: {**result, "by": by, "on": on} for id, result in new.items()}
    ordered = {id: results[id] for id in FIGURES if id in results}
    RESULTS.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), ordered), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
