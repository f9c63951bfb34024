"""How the staffing of a skill reads, in every list that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.kinds.skills.facts import Staffing, staffing
from console.signs import drawn
from console.text import clean, fit
from console.views import words
from console.views.cell import Cell, Line, Tone
from console.views.lines import gap
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.records.support import Skill


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


def cover_line(skill: Skill, render: RenderContext) -> Line:
    """Say how a skill is covered, for the detail of an agent who has it."""
    staff = staffing(skill, render)
    said = f"{words.amount(staff.free)} free, {words.share(staff.online, len(skill.agents))} online"
    return (
        Cell(fit(clean(skill.skill), 14), Tone.STRONG),
        gap(" "),
        Cell(clean(said)),
        *((gap(), cover_cell(staff, render)) if staff.understaffed else ()),
    )
