"""How the staffing of a skill reads, in every list that shows it."""

from __future__ import annotations

from console.kinds.skills.facts import Staffing
from console.signs import drawn
from console.text import clean
from console.views.cell import Cell, Tone
from console.views.render_context import RenderContext


def too_few(staff: Staffing) -> str:
    """Say how many agents can take work at most, where that is too few: `only 1`, `nobody`."""
    most = staff.reachable + staff.in_doubt
    return f"only {most}" if most else "nobody"


def cover_cell(staff: Staffing, render: RenderContext) -> Cell:
    """Write whether enough agents can take work."""
    if staff.understaffed:
        return Cell(clean(f"{drawn('▲', render.symbols)} {too_few(staff)}"), staff.severity)
    if staff.in_doubt > staff.reachable:
        return Cell(clean("? unknown"), Tone.QUIET)
    return Cell(clean("covered"), Tone.QUIET)
