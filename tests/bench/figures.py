"""The figures of the benchmark: one line of the table each, printed as text, JSON and Markdown."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "tests" / "bench" / "results.json"
"""The figures of the last run. Not in the repository, since they belong to one machine."""
PAGE = ROOT / "docs" / "figures.md"
BEGIN, END = "<!-- figures: written by `make bench` -->", "<!-- end of figures -->"
UNMEASURED = "not measured"
REASON_LENGTH = 160
"""The longest reason of a failure in the table, in characters."""
_HEAD = ("what", "ours", "baseline", "ratio", "limit", "met")


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value, its baseline and its limit."""

    name: str
    ours: str
    baseline: str
    ratio: float | None
    hold: str
    held: bool | None
    """None for a figure without a limit."""


def within(
    name: str,
    ours: float,
    baseline: float,
    most: float,
    *,
    unit: str = "ms",
    than: str = "",
    besides: bool = True,
) -> Figure:
    """Return a figure with a limit of `most` times the baseline and, if given, the condition `besides`."""
    ratio = ours / baseline if baseline else float("inf")
    hold = f"<= {most:.3g}x"
    return Figure(name, said(ours, unit), _with(said(baseline, unit), than), ratio, hold, ratio <= most and besides)


def at_least(
    name: str, ours: float, baseline: float, least: float, *, unit: str = "/s", than: str = "", times: bool = True
) -> Figure:
    """Return a figure that must be at least `least` times the baseline."""
    ratio = ours / baseline if baseline else float("inf")
    hold = f">= {least:g}x" if times else f">= {said(least, unit)}"
    held = ratio >= least if times else ours >= least
    return Figure(name, said(ours, unit), _with(said(baseline, unit), than), ratio, hold, held)


def most(
    name: str, ours: float, limit: float, *, unit: str = "ms", baseline: float | None = None, than: str = ""
) -> Figure:
    """Return a figure with an absolute limit; the baseline is only shown."""
    ratio = ours / baseline if baseline else None
    beside = "" if baseline is None else _with(said(baseline, unit), than)
    return Figure(name, said(ours, unit), beside, ratio, f"<= {said(limit, unit)}", ours <= limit)


def unmeasured(name: str, fault: Exception) -> Figure:
    """Return the failed figure of what could not be measured, with the reason in one line."""
    reason = " ".join(f"{fault}".split()).replace("|", "\\|") or type(fault).__name__
    return Figure(name, UNMEASURED, textwrap.shorten(reason, REASON_LENGTH, placeholder="…"), None, "", False)


def said(value: float, unit: str) -> str:
    """Return a value with its unit as text."""
    if unit == "%":
        return f"{100 * value:.1f} %"
    if unit == "x":
        return f"{value:.2f}x"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}".replace(",", " ") + (unit if unit.startswith("/") else f" {unit}" if unit else "")


def middle(values: Iterable[float]) -> float:
    """Return the median."""
    return median(list(values))


def table(figures: Sequence[Figure], *, marked: bool = False) -> str:
    """Return the figures as one table: plain text, or with `marked` Markdown."""
    rows = [_cells(each) for each in figures]
    if marked:
        lines = ["| " + " | ".join(_HEAD) + " |", "|" + "---|" * len(_HEAD)]
        return "\n".join([*lines, *("| " + " | ".join(each) + " |" for each in rows)])
    widths = [max(len(row[at]) for row in (_HEAD, *rows)) for at in range(len(_HEAD))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in (_HEAD, *rows)
    )


def keep(figures: Sequence[Figure], conditions: str) -> None:
    """Write the figures to the JSON file and into docs/figures.md."""
    told = {"conditions": conditions, "figures": [asdict(each) for each in figures]}
    RESULTS.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), figures, conditions), encoding="utf-8")


def page_with(text: str, figures: Sequence[Figure], conditions: str) -> str:
    """Return the page's text with these figures between its markers."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{conditions}\n\n{table(figures, marked=True)}\n\n{END}{after}"


def _cells(figure: Figure) -> tuple[str, ...]:
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    held = {True: "yes", False: "NO", None: ""}[figure.held]
    return figure.name, figure.ours, figure.baseline, ratio, figure.hold, held


def _with(value: str, than: str) -> str:
    return f"{value} ({than})" if than else value
