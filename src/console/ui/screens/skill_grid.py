"""A grid of agents and skills, edited as a plan and applied at once."""

from __future__ import annotations

from typing import ClassVar, cast

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType

from console.base.collation import collated
from console.base.signs import drawn
from console.base.text import SafeText, clean, fit
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.agents.facts import cover
from console.kinds.presence.facts import Availability
from console.kinds.presence.states import STATES as PRESENCE_STATES
from console.kinds.skills.assigning import Toggle
from console.live.delta import Health
from console.records.support import Agent, Skill
from console.ui.screens.app_context import AppContext
from console.ui.screens.overlay import Keys, Overlay, OverlayKey
from console.ui.screens.run_action import NotDone, run_action
from console.ui.widgets.filter_bar import FilterBar
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of, within
from console.ui.widgets.theme import ScreenPart, app_of
from console.views import states
from console.views.cell import Tone
from console.views.wording import plural

_APPLY = "skills.grid"
_NAME = 22
_STATE, _WORDS = 2, 9
"""Width of the symbol of an agent's presence, and of the word if there is space."""
_COUNT = 4
_ROOMY = 100
_CELL = 11
_TITLES = 2
"""Rows above the agents: the skills, and how many agents of each are free."""


class Grid(StyledLine):
    """The cells: one row per agent, one column per skill."""

    DEFAULT_CSS = """
    Grid { height: 1fr; }
    """


class SkillGridScreen(Overlay):
    """The grid. Nothing is sent before it is applied; leaving drops the plan first, then the search."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "go(-1, 0)", "up"),
        ("down", "go(1, 0)", "down"),
        ("left", "go(0, -1)", "left"),
        ("right", "go(0, 1)", "right"),
        ("pageup", "page(-1)", "page up"),
        ("pagedown", "page(1)", "page down"),
        ("home", "go(-100000, 0)", "first"),
        ("end", "go(100000, 0)", "last"),
    ]
    AUTO_FOCUS = ""
    """No input has the focus before a search."""

    def __init__(self, context: AppContext, agent: str | None = None, skill: str | None = None) -> None:
        """Start at an agent and a skill, if given."""
        super().__init__(context)
        self._agent = agent
        self._skill = skill
        self._at = (0, 0)
        self._plan: dict[tuple[str, str], bool] = {}
        self._search = ""
        self._grid = Grid()
        self._filter_bar = FilterBar()

    def body(self) -> ComposeResult:
        """Return the cells and the search line."""
        yield self._grid
        yield self._filter_bar

    def health(self) -> Health:
        """Return the freshness of the skills."""
        return self.context.backend.health("skills")

    def keys(self) -> list[OverlayKey]:
        """Return the keys. The keys that move are fixed; while a search is typed, it gets all keys."""
        if self._filter_bar.typing:
            return []
        return [
            OverlayKey("view.mark", "add or remove", self.plan, about="Plan to add or remove the skill."),
            OverlayKey(_APPLY, "apply the plan", self.apply, about="Send all planned changes.", repeats=False),
            OverlayKey("view.filter", "search", self.search, about="Show agents by name, and with # skills by name."),
        ]

    def fixed_keys(self) -> Keys:
        """Return the keys that move."""
        return (("↑↓←→", "move"),)

    def unfinished(self) -> str:
        """Return that changes are planned: leaving would drop them."""
        key_words = self.context.key_words
        planned = plural(len(self._plan), "change")
        return f"{planned} planned: {key_words(_APPLY)} sends, {key_words('view.back')} drops." if self._plan else ""

    # -- contents ----------------------------------------------------------------------------------------------------

    def _all_agents(self) -> list[Agent]:
        agents = cast("list[Agent]", list(self.context.backend.records("agents").values()))
        return sorted(agents, key=lambda agent: (collated(_name(agent)), agent.id))

    def _all_skills(self) -> list[Skill]:
        skills = cast("list[Skill]", list(self.context.backend.records("skills").values()))
        return sorted(skills, key=lambda skill: (collated(skill.skill), skill.skill))

    def _shown(self) -> tuple[list[Agent], list[Skill]]:
        """Return the agents and skills that match the search. Without terms for one of them, all of it match."""
        terms = self._search.casefold().split()
        names = [term for term in terms if not term.startswith("#")]
        wanted = [term[1:] for term in terms if term.startswith("#") and len(term) > 1]
        agents = [agent for agent in self._all_agents() if all(name in _name(agent).casefold() for name in names)]
        skills = [
            skill
            for skill in self._all_skills()
            if not wanted or any(name in skill.skill.casefold() for name in wanted)
        ]
        return agents, skills

    def draw(self) -> None:
        """Draw the visible part."""
        agents, skills = self._shown()
        here = self._place(agents, skills)
        grid = self._grid
        before = _STATE + (_WORDS if self._roomy else 0) + _NAME + _COUNT
        visible = max(1, (grid.size.width - 2 - before) // _CELL)
        left = max(0, here[1] - visible + 1)
        room = max(1, grid.size.height - _TITLES)
        top = max(0, here[0] - room + 1)
        columns, inside = skills[left : left + visible], agents[top : top + room]
        planned = f"{plural(len(self._plan), 'change')} planned" if self._plan else "no changes planned"
        head = [piece("Skills of agents", Tone.STRONG), piece("  "), piece(planned, Tone.NOTICE)]
        if len(columns) < len(skills) or len(inside) < len(agents):
            ranges = f"skills {left + 1}-{left + len(columns)} of {len(skills)}"
            ranges += f", agents {top + 1}-{top + len(inside)} of {len(agents)}"
            whole = [*head, piece("  "), piece(ranges, Tone.QUIET)]
            # On a narrow screen, the title gives way first: the footer and the rows say what is shown.
            head = whole if width_of(whole) <= grid.size.width - 2 else within(whole[2:], grid.size.width - 2)
        self.head.update(head)
        free = {agent.id for agent in self._all_agents() if cover(agent) is Availability.FREE}
        totals = [piece(_cut(self._totals(skill, free)), Tone.QUIET) for skill in columns]
        rows = [
            [piece(_titles(before), Tone.QUIET), *(piece(_cut(skill.skill), Tone.STRONG) for skill in columns)],
            [piece(fit(clean("  Free agents"), before), Tone.QUIET), *totals],
        ]
        rows += [self._row(agent, at, here, columns, left) for at, agent in enumerate(inside, top)]
        if not agents or not skills:
            rows.append([piece("Nothing matches." if self._search else "There is nothing to show yet.", Tone.QUIET)])
        grid.update(*rows)
        total = len(self._all_agents())
        self._filter_bar.show(self._search, len(agents), total)

    @property
    def _roomy(self) -> bool:
        return self._grid.size.width >= _ROOMY

    def _totals(self, skill: Skill, free: set[str]) -> str:
        """Return how many of the agents of a skill are free, and the planned number of all."""
        having = [agent.id for agent in self._all_agents() if self._has(skill, agent)]
        return f"{sum(value in free for value in having)} of {len(having)}"

    def _has(self, skill: Skill, agent: Agent) -> bool:
        return self._plan.get((skill.skill, agent.id), agent.id in skill.agents)

    def _row(self, agent: Agent, at: int, here: tuple[int, int], columns: list[Skill], left: int) -> list[Piece]:
        render = self.context.render_context()
        state = PRESENCE_STATES.look(cover(agent))
        skills = sum(self._has(skill, agent) for skill in self._all_skills())
        word = fit(clean(cover(agent)), _WORDS) if self._roomy else clean("")
        row = [
            piece(fit(clean(states.symbol(state, render)), _STATE), state.tone),
            piece(word, state.tone),
            piece(fit(clean(_name(agent)), _NAME - 1) + " ", Tone.STRONG if at == here[0] else Tone.PLAIN),
            piece(f"{skills:>3} ", Tone.QUIET),
        ]
        return [*row, *(self._cell(agent, skill, (at, column) == here) for column, skill in enumerate(columns, left))]

    def _cell(self, agent: Agent, skill: Skill, here: bool) -> Piece:
        planned = self._plan.get((skill.skill, agent.id))
        yes, no = drawn("●·", self.context.config.symbols)
        mark = yes if self._has(skill, agent) else no
        sign = "" if planned is None else "+" if planned else "-"
        text = clean(f"[{mark}{sign or ' '}]" if here else f" {mark}{sign or ' '} ")
        tone = Tone.NOTICE if planned is not None else Tone.GOOD if agent.id in skill.agents else Tone.QUIET
        return piece(fit(text, _CELL), ScreenPart.CURSOR if here and planned is None else tone)

    def _place(self, agents: list[Agent], skills: list[Skill]) -> tuple[int, int]:
        """Return the row and column of the cursor's agent and skill, or its last position if one has disappeared."""
        last_row, last_column = (min(at, len(rows) - 1) for at, rows in zip(self._at, (agents, skills), strict=True))
        row = next((at for at, agent in enumerate(agents) if agent.id == self._agent), last_row)
        column = next((at for at, skill in enumerate(skills) if skill.skill == self._skill), last_column)
        self._agent = agents[row].id if agents else None
        self._skill = skills[column].skill if skills else None
        self._at = (max(0, row), max(0, column))
        return self._at

    def on_resize(self, _event: events.Resize) -> None:
        """Show as many skills as fit."""
        self.call_after_refresh(self.beat, True)

    # -- keys --------------------------------------------------------------------------------------------------------

    def action_go(self, rows: int, columns: int) -> None:
        """Move the cursor."""
        agents, skills = self._shown()
        if not agents or not skills:
            return
        row, column = self._place(agents, skills)
        self._agent = agents[min(max(row + rows, 0), len(agents) - 1)].id
        self._skill = skills[min(max(column + columns, 0), len(skills) - 1)].skill
        self.beat(True)

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        self.action_go(pages * max(1, self._grid.size.height - _TITLES - 1), 0)

    def search(self) -> None:
        """Open the search."""
        self._filter_bar.open(self._search)

    def on_filter_bar_changed(self, message: FilterBar.Changed) -> None:
        """Search while the text is typed."""
        self._search = message.text
        self.beat(True)

    def on_filter_bar_closed(self, message: FilterBar.Closed) -> None:
        """Focus the cells, with the search kept or cleared."""
        if not message.keep:
            self._search = ""
        self.set_focus(None)
        self.beat(True)

    def plan(self) -> None:
        """Plan to add or remove a skill; planning it twice drops it."""
        reason = blocked(by_id(_APPLY), self.context.situation(), ())
        if reason:
            self.say(reason)
            return
        record = self.context.backend.records("skills").get(self._skill or "")
        if self._agent is None or not isinstance(record, Skill):
            self.say("There are no agents and skills to plan for.")
            return
        cell = (record.skill, self._agent)
        if cell in self._plan:
            del self._plan[cell]
        else:
            self._plan[cell] = self._agent not in record.agents
        self.beat(True)

    def leave(self) -> None:
        """Drop the plan, or otherwise the search, or otherwise leave."""
        if self._plan:
            self._plan.clear()
            self.beat(True)
        elif self._search:
            self._search = ""
            self.beat(True)
        else:
            self.dismiss()

    @work(exclusive=True)
    async def apply(self) -> None:
        """Send the plan and close the grid; if that fails, show the reason and keep the plan."""
        changes = tuple(Toggle(skill, agent, on) for (skill, agent), on in self._plan.items())
        try:
            await run_action(app_of(self), self.context, by_id(_APPLY), (), None, {"changes": changes})
        except NotDone as reason:
            self.say(str(reason))
            return
        self._plan.clear()
        self.dismiss()


def _name(agent: Agent) -> str:
    return agent.display_name or agent.id


def _titles(width: int) -> SafeText:
    """Return the titles above the names of agents and the number of skills that each has."""
    return clean("  Agent".ljust(width - 7) + "Skills ")


def _cut(text: str) -> SafeText:
    return fit(clean(text, _CELL - 1), _CELL)
