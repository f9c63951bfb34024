"""Who knows what: skills against agents in a grid, changed as a plan and applied at once."""

from __future__ import annotations

from typing import ClassVar, cast

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType

from console.actions.agents import Toggle
from console.actions.catalogue import by_id
from console.actions.gate import blocked
from console.records.desk import Agent, Skill
from console.screens.conduct import NotDone, conduct
from console.screens.detail import DetailFoot, DetailHead
from console.screens.station import Station
from console.signs import drawn
from console.tables.cell import Tone
from console.text import SafeText, clean, fit
from console.widgets.patience import Patient
from console.widgets.saying import Piece, Saying, piece
from console.widgets.theme import Part, app_of

_APPLY = "skills.grid"
_NAME = 22
_CELL = 11


class Grid(Saying):
    """The cells; one row per agent, one column per skill."""

    DEFAULT_CSS = """
    Grid { height: 1fr; }
    """


class SkillGridScreen(Patient[None]):
    """The grid. Nothing is sent before Enter; Escape drops the plan."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,q", "leave", "back"),
        ("up", "go(-1, 0)", "up"),
        ("down", "go(1, 0)", "down"),
        ("left", "go(0, -1)", "left"),
        ("right", "go(0, 1)", "right"),
        ("space", "plan", "plan"),
    ]

    def __init__(self, station: Station) -> None:
        super().__init__()
        self._station = station
        self._agent: str | None = None
        self._skill: str | None = None
        self._at = (0, 0)
        self._plan: dict[tuple[str, str], bool] = {}
        self._head = DetailHead()
        self._grid = Grid()
        self._foot = DetailFoot()

    def compose(self) -> ComposeResult:
        """Lay out the head, the cells and the keys."""
        yield self._head
        yield self._grid
        yield self._foot

    def on_screen_resume(self) -> None:
        """Draw before the first key is taken."""
        self.beat(True)

    @property
    def _agents(self) -> list[Agent]:
        agents = cast("list[Agent]", list(self._station.desk.records("agents").values()))
        return sorted(agents, key=lambda agent: ((agent.display_name or agent.id).casefold(), agent.id))

    @property
    def _skills(self) -> list[Skill]:
        skills = cast("list[Skill]", list(self._station.desk.records("skills").values()))
        return sorted(skills, key=lambda skill: skill.skill.casefold())

    def beat(self, _fresh: bool) -> None:
        """Draw what changed."""
        if not self.is_mounted:
            return
        agents, skills = self._agents, self._skills
        here = self._place(agents, skills)
        apply = self._station.key_words(_APPLY)
        self._foot.keys(("space", "attach or detach"), (apply, "apply the plan"), ("esc", "drop it, or leave"))
        grid = self._grid
        shown = max(1, (grid.size.width - 2 - _NAME) // _CELL)
        left = max(0, here[1] - shown + 1)
        room = max(1, grid.size.height - 1)
        top = max(0, here[0] - room + 1)
        columns, inside = skills[left : left + shown], agents[top : top + room]
        head = [piece("Skills of agents  ", Tone.STRONG)]
        head.append(piece(f"{len(self._plan)} changes planned" if self._plan else "nothing planned", Tone.NOTICE))
        if len(columns) < len(skills) or len(inside) < len(agents):
            skills_in_sight = f"skills {left + 1}-{left + len(columns)} of {len(skills)}"
            head.append(
                piece(f"   {skills_in_sight}, agents {top + 1}-{top + len(inside)} of {len(agents)}", Tone.QUIET)
            )
        self._head.put(head)
        rows = [[piece(" " * _NAME), *(piece(_cut(skill.skill), Tone.QUIET) for skill in columns)]]
        for at, agent in enumerate(inside, top):
            name = fit(clean(agent.display_name or agent.id), _NAME - 1)
            row = [piece(name + " ", Tone.STRONG if at == here[0] else Tone.PLAIN)]
            for column, skill in enumerate(columns, left):
                row.append(self._cell(agent, skill, (at, column) == here))
            rows.append(row)
        grid.put(*rows)

    def _cell(self, agent: Agent, skill: Skill, here: bool) -> Piece:
        has = agent.id in skill.agents
        planned = self._plan.get((skill.skill, agent.id))
        yes, no = drawn("●·", self._station.config.symbols)
        mark = yes if (has if planned is None else planned) else no
        sign = "" if planned is None else "+" if planned else "-"
        text = clean(f"[{mark}{sign or ' '}]" if here else f" {mark}{sign or ' '} ")
        tone = Tone.NOTICE if planned is not None else Tone.GOOD if has else Tone.QUIET
        return piece(fit(text, _CELL), Part.CURSOR if here and planned is None else tone)

    def _place(self, agents: list[Agent], skills: list[Skill]) -> tuple[int, int]:
        """Return where the cursor's agent and skill are; when one of them has gone, what stands there now."""
        last_row, last_column = (min(at, len(rows) - 1) for at, rows in zip(self._at, (agents, skills), strict=True))
        row = next((at for at, agent in enumerate(agents) if agent.id == self._agent), last_row)
        column = next((at for at, skill in enumerate(skills) if skill.skill == self._skill), last_column)
        self._agent = agents[row].id if agents else None
        self._skill = skills[column].skill if skills else None
        self._at = (max(0, row), max(0, column))
        return self._at

    def on_resize(self, _event: events.Resize) -> None:
        """Show as many skills as there is room for."""
        self.call_after_refresh(self.beat, True)

    def action_go(self, rows: int, columns: int) -> None:
        """Move the cursor."""
        agents, skills = self._agents, self._skills
        if not agents or not skills:
            return
        row, column = self._place(agents, skills)
        self._agent = agents[min(max(row + rows, 0), len(agents) - 1)].id
        self._skill = skills[min(max(column + columns, 0), len(skills) - 1)].skill
        self.beat(True)

    def action_plan(self) -> None:
        """Plan to attach or detach; planning it twice drops it."""
        reason = blocked(by_id(_APPLY), self._station.situation(), ())
        if reason:
            self._foot.say(clean(reason, 160))
            return
        found = self._station.desk.records("skills").get(self._skill or "")
        if self._agent is None or not isinstance(found, Skill):
            self._foot.say(clean("There is no agent with a skill to plan for."))
            return
        cell = (found.skill, self._agent)
        if cell in self._plan:
            del self._plan[cell]
        else:
            self._plan[cell] = self._agent not in found.agents
        self.beat(True)

    def action_leave(self) -> None:
        """Drop the plan, or if there is none, leave."""
        if self._plan:
            self._plan.clear()
            self.beat(True)
        else:
            self.dismiss()

    def on_key(self, event: events.Key) -> None:
        """Apply the plan by the key of its action."""
        if event.key in self._station.keys.get(_APPLY, ()):
            event.stop()
            event.prevent_default()
            self.apply()

    @work(exclusive=True)
    async def apply(self) -> None:
        """Send everything that is planned, and leave; what stands in the way is said, and the plan kept."""
        changes = tuple(Toggle(skill, agent, on) for (skill, agent), on in self._plan.items())
        try:
            await conduct(app_of(self), self._station, by_id(_APPLY), (), None, {"changes": changes})
        except NotDone as reason:
            self._foot.say(clean(str(reason), 160))
            return
        self._plan.clear()
        self.dismiss()


def _cut(text: str) -> SafeText:
    return fit(clean(text, _CELL - 1), _CELL)
