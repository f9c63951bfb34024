"""The report as JSON, in the form that `docs/report.md` describes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from console.base.frozen import Frozen, asdict
from console.recording.notes import Note
from console.report.report import Report
from console.views.export import escaped

FORMAT = 1
"""Increased when a member changes its meaning or goes away; new ones may be added."""


def to_json(report: Report, notes: tuple[Note, ...]) -> str:
    """Return the figures as an object; times in ms since the epoch, lengths of time in ms."""
    known, quality = report.known, report.quality
    found: dict[str, Any] = {
        "format": FORMAT,
        "from_ms": report.first_ms,
        "to_ms": report.last_ms,
        "zone": report.zone,
        "profile": report.profile,
        "service": report.service,
        "lists": report.lists,
        "partial": report.partial,
        "recorded_ms": known.recorded.ms,
        "gaps": known.gaps,
        "not_known_ms": {kind: known.missing_ms(kind) for kind in report.lists},
        "outages": known.outages,
        "restarts": report.restarts,
        "rules": report.rules,
        "alerts": report.alerts,
        "calls": report.calls,
        "skills": report.skills,
        "agents": report.agents,
        "quality": None if quality is None else {**asdict(quality), "percent": quality.percent},
        "own_changes": report.own,
        "notes": notes,
        "series": report.series,
        "damage": report.damage,
    }
    return escaped(json.dumps(_plain(found), indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Frozen):
        return _plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in cast("list[Any]", value)]
    return value
