"""Display of a skill's staffing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.base.signs import drawn
from console.base.text import clean, fit
from console.kinds.skills.facts import Staffing, staffing
from console.views import wording
from console.views.cell import Cell, Line, Tone
from console.views.lines import gap
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.records.support import Skill


def too_few(staff: Staffing) -> str:
    """Return the maximum number of agents who can take work, as text: `only 1`, `nobody`."""
    most = staff.possible
    return f"only {most}" if most else "nobody"


def cover_cell(staff: Staffing, render: RenderContext) -> Cell:
    """Return the cell of a skill's staffing."""
    if staff.understaffed:
        return Cell(clean(f"{drawn('▲', render.symbols)} {too_few(staff)}"), staff.severity)
    return Cell(clean("covered" if staff.covered else "? unknown"), Tone.QUIET)


def cover_line(skill: Skill, render: RenderContext) -> Line:
    """Return the staffing of a skill, for the detail of an agent."""
    staff = staffing(skill, render)
    if not staff.is_known:
        return Cell(fit(clean(skill.skill), 12), Tone.STRONG), gap(" "), Cell(clean("staff unknown"), Tone.QUIET)
    free = staff.number("free")
    free_words = wording.dash(render) if free is None else wording.amount(free)
    text = f"{free_words} free, {wording.share(staff.online, len(skill.agents))} online"
    return (
        Cell(fit(clean(skill.skill), 12), Tone.STRONG),
        gap(" "),
        Cell(clean(text)),
        *((gap(), cover_cell(staff, render)) if staff.understaffed else ()),
    )
