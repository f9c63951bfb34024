"""Presence, filtered by group, skill or activity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, cast

from console.base.collation import collated
from console.base.text import clean
from console.commands.action import Choice, ChoiceAsk
from console.commands.resolve import split_names
from console.kinds.groups.columns import online_words
from console.kinds.groups.facts import attendance
from console.kinds.presence.facts import user_of
from console.kinds.tables import TABLES
from console.live.delta import Delta
from console.records import state_words
from console.records.people import Group
from console.records.support import Presence, Skill
from console.ui.dialogs import ChoiceDialog
from console.ui.screens import deferred
from console.ui.screens.app_context import AppContext
from console.ui.screens.list_pane import ListPane
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.specs import spec_of
from console.ui.widgets.theme import app_of
from console.views.render_context import RenderContext
from console.views.view import Repaint

_EVERYBODY = "everybody"
_FOLLOW = "presence.follow"
_CONDITION = frozenset(":<>=!")
"""Characters that turn a word of a filter into a term."""


class PresencePane(ListPane):
    """The presences of everybody, or of those in a scope."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, TABLES["presence"], wants=context.press(_FOLLOW, "follow an address"))
        self._scope: Callable[[Presence], bool] | None = None
        self._again = False

    def narrow(self, scope: Callable[[Presence], bool] | None, text: str) -> None:
        """Set the scope."""
        self._scope = scope
        self.scope_words = clean(text, 40) if text else None
        self._again = True

    def source(self) -> Repaint:
        """Return the changes within the scope."""
        delta = self.context.backend.delta("presence", 0 if self._again else self._version)
        self._version, self._again = delta.version, False
        return self.view.apply(self._within(delta))

    def _within(self, delta: Delta[Any]) -> Delta[Any]:
        scope = self._scope
        if scope is None:
            return delta
        inside = {key: record for key, record in delta.upserts.items() if scope(record)}
        left = frozenset(delta.upserts.keys() - inside.keys())
        return Delta(delta.version, delta.whole, inside, delta.removes | left)


class PresenceScreen(ListScreen):
    """The presence of everybody. The record is short, and the names of groups and skills are long."""

    DEFAULT_CSS = """
    PresenceScreen.widest Beside { width: 64; }
    """

    spec = spec_of("presence")

    def make_panes(self) -> Sequence[ListPane]:
        """Return the list, which can be narrowed."""
        return [PresencePane(self.context)]

    def kinds_in_view(self) -> frozenset[str]:
        """Include groups and skills, by which presences are narrowed, and users."""
        return frozenset({"presence", "groups", "skills", "users"})

    def perform(self, identifier: str) -> None:
        """Let the form of whom to follow begin with the users in question."""
        if identifier == _FOLLOW and (names := self._to_follow()):
            self.carry_out(deferred.actions.by_id(identifier), (), draft=names)
        else:
            super().perform(identifier)

    def _to_follow(self) -> str:
        """Return the words of a filter that nobody matches; for admins the selected users, or that under the cursor.

        Others follow everybody whom they see.
        """
        context, view = self.context, self.pane.view
        if not view.matched:
            text = self.filter_text
            return "" if _CONDITION & {*text} else text
        if not context.situation().is_admin:
            return ""
        users, render = context.lookup("users"), context.render_context()
        ids = [user_of(cast(Presence, presence), render) for presence in view.acted_on(many=True)]
        names = [getattr(users.get(each), "username", None) or "" for each in ids]
        # A name that would be read as several is not taken.
        return "\n".join(
            name if [*split_names(name)] == [name] else each for each, name in zip(ids, names, strict=True)
        )

    def do_group_by(self) -> None:
        """Show only a group, the agents of a skill, or an activity."""
        records = self.context.backend.records
        presences = cast("list[Presence]", list(records("presence").values()))
        render = self.context.render_context()
        everybody = attendance((user_of(presence, render) for presence in presences), render)
        choices = [Choice(_EVERYBODY, clean("Everybody"), clean(online_words(everybody)))]
        activities = Counter(presence.activity or "" for presence in presences)
        for activity, count in sorted(activities.items(), key=lambda entry: collated(entry[0])):
            choices.append(
                Choice(
                    f"activity:{activity}",
                    clean(state_words.display_word(activity) or "no activity", 40),
                    clean(f"status, {count}"),
                )
            )
        groups = cast("list[Group]", list(records("groups").values()))
        for group in sorted(groups, key=lambda entry: collated(entry.name or entry.group_id)):
            choices.append(
                _members(f"group:{group.group_id}", group.name or group.group_id, group.participants, render)
            )
        skills = cast("list[Skill]", list(records("skills").values()))
        for skill in sorted(skills, key=lambda entry: collated(entry.skill)):
            choices.append(_members(f"skill:{skill.skill}", skill.skill, skill.agents, render))
        ask = ChoiceAsk("scope", "Show only", tuple(choices))
        app_of(self).push_screen(ChoiceDialog(ask), self._narrow)

    def _narrow(self, chosen: str | tuple[str, ...] | None) -> None:
        if not isinstance(chosen, str):
            return
        pane = cast(PresencePane, self.pane)
        sort, _, name = chosen.partition(":")
        records = self.context.backend.records

        def member(record: Presence) -> bool:
            listed = records("groups" if sort == "group" else "skills").get(name)
            ids = (
                listed.participants if isinstance(listed, Group) else listed.agents if isinstance(listed, Skill) else ()
            )
            return user_of(record, self.context.render_context()) in ids

        if chosen == _EVERYBODY:
            pane.narrow(None, "")
        elif sort == "activity":
            pane.narrow(lambda record: (record.activity or "") == name, f"activity {state_words.display_word(name)}")
        else:
            pane.narrow(member, f"{sort} {name}")
        self.beat(True)


def _members(value: str, title: str, ids: Sequence[str], render: RenderContext) -> Choice:
    return Choice(value, clean(title, 40), clean(f"{value.partition(':')[0]}, {online_words(attendance(ids, render))}"))
