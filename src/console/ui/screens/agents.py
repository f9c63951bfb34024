"""Agents with their load, the skill board, and the support chats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from console.base.signs import drawn
from console.base.text import cells, fit
from console.commands.action import Action
from console.kinds.actions import for_kind
from console.kinds.notifications.columns import name
from console.kinds.notifications.facts import offered_chats
from console.kinds.notifications.states import STATES as NOTIFICATIONS_STATES
from console.kinds.tables import TABLES
from console.records.notifications import Notification
from console.records.record import Record
from console.records.support import Agent, Skill, SupportChat
from console.ui.screens.app_context import AppContext
from console.ui.screens.combined_pane import CombinedPane
from console.ui.screens.list_pane import ListPane
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.skill_grid import SkillGridScreen
from console.ui.screens.specs import spec_of
from console.ui.widgets.styled_line import Piece, piece, width_of
from console.ui.widgets.theme import ScreenPart, app_of
from console.views.cell import Tone
from console.views.quoting import quoted
from console.views.wording import age_words, amount, at


class AgentsScreen(ListScreen):
    """Agents, skills and support chats, and while there are any, the chats offered to the caller."""

    spec = spec_of("agents")

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self._offers: Sequence[Notification] = ()
        """The chats offered to the caller, the longest waiting first, while another list is shown."""

    def make_panes(self) -> Sequence[ListPane]:
        """Return the lists of agents, skills, chats and offers."""
        agents, skills, offers = (ListPane(self.context, TABLES[kind]) for kind in ("agents", "skills", OFFERS))
        return (agents, skills, CombinedPane(self.context, TABLES["chats"]), offers)

    def panes_listed(self) -> Sequence[ListPane]:
        """Leave out the list of offers while no chat is offered."""
        offered = offered_chats(self.context.render_context())
        return [pane for pane in self.panes if pane.kind != OFFERS or pane is self.pane or offered]

    def refresh_body(self, fresh: bool) -> None:
        """Update the offer, and the lists."""
        if fresh or not self.context.quiet:
            self._offers = offered_chats(self.context.render_context()) if self.pane.kind != OFFERS else ()
            self.message_line.decide(offer_words(self.context, self._offers, self.message_line.room))
        super().refresh_body(fresh)

    def keyboard(self) -> dict[str, str]:
        """Let the keys of offers work in the other lists while an offer is shown below them."""
        keyboard = super().keyboard()
        for action in for_kind(OFFERS) if self._offers else ():
            if action.kind == OFFERS:
                keyboard = {**dict.fromkeys(self.context.keys[action.id], action.id), **keyboard}
        return keyboard

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the offer below the lists for actions on offers."""
        if action.kind == OFFERS and self.pane.kind != OFFERS:
            return self._offers[:1]
        return super().acted_on(action)

    def kinds_in_view(self) -> frozenset[str]:
        """Include users: their names are shown."""
        return frozenset({*self.spec.kinds, "users"})

    def do_grid(self) -> None:
        """Change skills in a grid that starts at the agent or the skill under the cursor."""
        record = self.pane.view.cursor_record
        agent = record.id if isinstance(record, Agent) else None
        if isinstance(record, SupportChat) and record.agent is not None:
            agent = record.agent.id
        skill = record.skill if isinstance(record, Skill) else None
        app_of(self).push_screen(SkillGridScreen(self.context, agent, skill))

    def do_free(self) -> None:
        """Show the agents who can take work: free ones first, then the least loaded.

        In the list of skills, they have the skill under the cursor, otherwise one of the operator's skills.
        """
        record = self.pane.view.cursor_record
        wanted = f" skills:{quoted(record.skill)}" if isinstance(record, Skill) else self._of_own_skills()
        before = self._agents_in_view()
        self.switch_pane("agents")
        self.pane.set_filter(f"reachable:yes{wanted}")
        self.pane.set_order(("turn", False))
        if keys := self.pane.view.keys:
            self.pane.show_key(keys[0])
        self.beat(True)
        if self._agents_in_view() == before:
            self.say("These are the agents who can take work, free ones first.")

    def _agents_in_view(self) -> tuple[object, ...]:
        """Return what the key of free agents changes."""
        return self.pane.kind, self.pane.filter_text, self.pane.view.sort, self.pane.view.cursor_key

    def _of_own_skills(self) -> str:
        """Return the filter of the other agents who share the operator's skills."""
        context = self.context
        skills = cast("list[Skill]", list(context.backend.records("skills").values()))
        mine = [quoted(skill.skill) for skill in skills if context.user_id in skill.agents]
        return (f" skills:{','.join(mine)}" if mine else "") + f" id!={quoted(context.user_id)}"


OFFERS = "notifications"
"""The kind of record of an offer."""
_KEYS = (("notifications.accept", "accept"), ("notifications.reject", "reject"))
_LEAST = 12
"""Minimum width of the offer in cells."""


def offer_words(context: AppContext, offered: Sequence[Notification], width: int) -> list[Piece]:
    """Return the first of these offers and the keys to answer it, in at most `width` cells; nothing without offers."""
    if not offered:
        return []
    render, offer = context.render_context(), offered[0]
    look = NOTIFICATIONS_STATES.look(offer.kind)
    since = at(offer.created_at)
    before = [piece(f"{drawn(look.symbol, render.symbols)} Offered to you  ", look.tone)]
    after = [piece("  " + age_words(render.now_ms - since))] if since is not None else []
    keys: list[Piece] = []
    for identifier, word in _KEYS:
        if key := context.key_words(identifier):
            keys += [piece("  "), piece(f" {key} ", ScreenPart.KEY), piece(f" {word}")]
    more = [piece(f"  {amount(len(offered) - 1)} more", Tone.NOTICE)] if len(offered) > 1 else []
    room = width - width_of([*before, *after, *keys, *more])
    for part in (after, more):
        if room < _LEAST:
            room += width_of(part)
            part.clear()
    safe_text = name(offer, render)
    return [*before, piece(fit(safe_text, max(_LEAST, min(room, cells(safe_text)))), Tone.STRONG), *after, *keys, *more]
