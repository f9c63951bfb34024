"""Agents with their load, the skill board, and the support chats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from textual.app import ComposeResult

from console.commands.action import Action
from console.kinds.actions import for_kind
from console.kinds.chats.facts import all_chats
from console.kinds.notifications.facts import offered_chats
from console.kinds.tables import TABLES
from console.live.delta import Delta, Health
from console.records.notifications import Notification
from console.records.record import Record
from console.records.support import Agent, Skill, SupportChat
from console.screens.app_context import AppContext
from console.screens.list_pane import ListPane
from console.screens.list_screen import ListScreen
from console.screens.offer_line import OFFERS, OfferLine
from console.screens.skill_grid import SkillGridScreen
from console.screens.specs import spec_of
from console.views.quoting import quoted
from console.views.view import Repaint
from console.widgets.theme import app_of


class ChatsPane(ListPane):
    """The caller's own support chats, and those of others as far as their agents show them."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, TABLES["chats"])
        self._chats: dict[str, SupportChat] = {}
        self._shown: dict[str, SupportChat] = {}
        self._made_of: tuple[object, object] = (None, None)

    def _all(self) -> dict[str, SupportChat]:
        """Put the own chats and the agents' together, whenever either changed."""
        backend = self.context.backend
        made_of = (backend.records("chats"), backend.records("agents"))
        if any(now is not before for now, before in zip(made_of, self._made_of, strict=True)):
            self._made_of = made_of
            self._chats = all_chats(self.context.render_context())
        return self._chats

    def find(self, key: str) -> Record | None:
        """Look among own and others'."""
        return self._all().get(key)

    @property
    def count(self) -> int:
        """Own and others'."""
        return len(self._all())

    def source(self) -> tuple[Repaint, Health]:
        """Take what is new among all chats."""
        health = self.context.backend.health("chats")
        found = self._all()
        if found is self._shown:
            return Repaint(), health
        changed = {key: chat for key, chat in found.items() if self._shown.get(key) != chat}
        gone = frozenset(self._shown.keys() - found.keys())
        self._shown = found
        delta: Delta[Any] = Delta(0, False, changed, gone, health)
        return self.view.apply(delta), health


class AgentsScreen(ListScreen):
    """Agents, skills and support chats, live, and while there are any the chats that are offered to the caller."""

    spec = spec_of("agents")

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._offer_line = OfferLine(context)

    def make_panes(self) -> Sequence[ListPane]:
        """Return the three lists, and that of the offers."""
        agents, skills, offers = (ListPane(self.context, TABLES[kind]) for kind in ("agents", "skills", OFFERS))
        return (agents, skills, ChatsPane(self.context), offers)

    def compose_body(self) -> ComposeResult:
        """Say over the lists what is offered."""
        yield self._offer_line
        yield from super().compose_body()

    def panes_listed(self) -> Sequence[ListPane]:
        """Leave out the list of offers while no chat is offered."""
        offered = offered_chats(self.context.render_context())
        return [pane for pane in self.panes if pane.kind != OFFERS or pane is self.pane or offered]

    def refresh_body(self, fresh: bool) -> None:
        """Bring the offer over the lists up to date, and the lists."""
        if fresh or not self.context.quiet:
            self._offer_line.refresh_offer(self.pane.kind != OFFERS)
        super().refresh_body(fresh)

    def keyboard(self) -> dict[str, str]:
        """Let the keys of offers work in the other lists while an offer stands over them."""
        found = super().keyboard()
        for action in for_kind(OFFERS) if self._offer_line.offer is not None else ():
            if action.kind == OFFERS:
                found = {**dict.fromkeys(self.context.keys[action.id], action.id), **found}
        return found

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the offer that stands over the lists for what may be done to offers."""
        if action.kind == OFFERS and self.pane.kind != OFFERS:
            offer: Notification | None = self._offer_line.offer
            return [] if offer is None else [offer]
        return super().acted_on(action)

    def kinds_in_view(self) -> frozenset[str]:
        """Names come from users; whoever is shown is in reach."""
        return frozenset({*self.spec.kinds, "users"})

    def do_grid(self) -> None:
        """Attach and detach skills in a grid, beginning with the agent or the skill under the cursor."""
        record = self.pane.cursor_record
        agent = record.id if isinstance(record, Agent) else None
        if isinstance(record, SupportChat) and record.agent is not None:
            agent = record.agent.id
        skill = record.skill if isinstance(record, Skill) else None
        app_of(self).push_screen(SkillGridScreen(self.context, agent, skill))

    def do_free(self) -> None:
        """Show who shares my skills and can take work, the least loaded first."""
        context = self.context
        skills = cast("list[Skill]", list(context.backend.records("skills").values()))
        mine = [quoted(skill.skill) for skill in skills if context.user_id in skill.agents]
        self.switch_pane("agents")
        wanted = f" skills:{','.join(mine)}" if mine else ""
        self.pane.set_filter(f"reachable:yes{wanted} id!={quoted(context.user_id)}")
        self.pane.live_table.refresh_changes(self.pane.view.set_sort("load"))
        self.beat(True)
