"""A counted figure, as the measuring processes print it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, cast


@dataclass(frozen=True)
class Figure:
    """A number, and how much of it each function has."""

    name: str
    value: float
    shares: Mapping[str, float] = field(default_factory=dict[str, float])


def write(figures: Iterable[Figure]) -> None:
    """Print figures. Textual may have replaced the standard output."""
    print(json.dumps([asdict(each) for each in figures]), file=sys.__stdout__, flush=True)


def read(text: str) -> list[Figure]:
    """Return printed figures."""
    return [Figure(**each) for each in cast("list[dict[str, Any]]", json.loads(text))]
