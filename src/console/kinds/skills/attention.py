"""Concerns about understaffed skills."""

from __future__ import annotations

from collections.abc import Iterator

from console.kinds.attention import Concern
from console.kinds.skills.facts import covers
from console.kinds.skills.staffing import too_few
from console.text import clean
from console.views.render_context import RenderContext


def concerns(render: RenderContext) -> Iterator[Concern]:
    """Yield the understaffed skills."""
    for skill, staff in covers(render):
        if staff.understaffed:
            yield Concern(
                tone=staff.severity,
                word="staffing",
                what=clean(f"{clean(skill.skill, 24)}: {too_few(staff)}"),
                since_ms=None,
                note=clean("can take work"),
                kind="skills",
                key=skill.skill,
            )
