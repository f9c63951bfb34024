"""Groups, with the members of the selected group in their order and with their availability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from textual.app import ComposeResult
from textual.containers import Horizontal

from console.base.text import clean
from console.commands.action import Action
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.members.actions import members, moved
from console.kinds.tables import TABLES
from console.live.command import Ticket
from console.live.delta import Health
from console.live.merging import merged
from console.records.people import Group, Member
from console.records.record import Record
from console.ui.screens import navigation
from console.ui.screens.app_context import AppContext
from console.ui.screens.list_pane import ListPane
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.local_pane import LocalPane
from console.ui.screens.specs import spec_of
from console.ui.widgets.live_table import LiveTable
from console.ui.widgets.theme import app_of
from console.views.view import NOTHING, Repaint


class MembersPane(LocalPane):
    """The members of one group, in their order or in a staged order."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(context, TABLES["members"])
        self.group: Group | None = None
        self.staged: tuple[str, ...] | None = None
        self._decided_on: tuple[str, ...] = ()
        self._another = False

    def look_at(self, group: Group | None) -> None:
        """Show the members of another group, and drop a staged order of the previous one."""
        before, self.group = self.group, group
        if (group.group_id if group else None) != (before.group_id if before else None):
            self.staged = None
            self.live_table.set_selection(frozenset())
            self._another = True
        elif self.staged is not None and group is not None and group.participants != self._decided_on:
            both = merged(self._decided_on, self.staged, group.participants)
            if both is not None:
                self.staged = None
                self.stage(both)
        self._wants = self.context.press("groups.add", "add a member") if group else ""
        name = clean(group.name or group.group_id, 30) if group else None
        self.scope_words = clean("new order: enter applies, esc discards") if self.staged else name

    def stage(self, order: tuple[str, ...]) -> None:
        """Show a new order without sending it. The current order unstages."""
        assert self.group is not None
        if self.staged is None:
            self._decided_on = self.group.participants
        self.staged = order if order != self._decided_on else None

    @property
    def decided_on(self) -> Group | None:
        """The group as it was when the order was staged; others may have changed its members since."""
        group = self.group
        return group.model_copy(update={"participants": self._decided_on}) if group and self.staged else group

    @property
    def health(self) -> Health:
        """The freshness of the groups."""
        return self.context.backend.health("groups")

    @property
    def count(self) -> int:
        """The number of members."""
        return len(self.group.participants) if self.group else 0

    def source(self) -> Repaint:
        """Return the changes among the members of the current group."""
        group = self.group
        if not self.differs((group, self.staged)):
            return NOTHING
        order = members(group) if group else ()
        if group and self.staged:
            order = tuple(
                Member(user_id=user_id, group_id=group.group_id, position=place)
                for place, user_id in enumerate(self.staged, 1)
            )
        return self.replace_records({member.user_id: member for member in order})

    def beat(self, fresh: bool) -> None:
        """Draw changes; for another group move the cursor to the first member."""
        super().beat(fresh)
        first = self.view.key_at(0)
        if self._another and first is not None and self.live_table.is_mounted:
            self._another = False
            self.live_table.move_to(first)


class GroupsScreen(ListScreen):
    """Groups and their members."""

    DEFAULT_CSS = """
    GroupsScreen #pane-groups { width: 3fr; }
    GroupsScreen #pane-members { width: 2fr; border-left: solid $border-blurred; }
    GroupsScreen.very-wide #pane-members { width: 64; }
    """

    spec = spec_of("groups")

    def __init__(self, context: AppContext) -> None:
        self.groups_pane = ListPane(context, TABLES["groups"])
        self.members_pane = MembersPane(context)
        super().__init__(context)

    def make_panes(self) -> Sequence[ListPane]:
        """Return the lists of groups and of members."""
        return (self.groups_pane, self.members_pane)

    def compose_body(self) -> ComposeResult:
        """Lay out both lists side by side."""
        yield self.pane_tabs
        with Horizontal(id="lists"):
            yield from self.panes

    @property
    def panes_in_view(self) -> Sequence[ListPane]:
        """Both lists."""
        return self.panes

    def presences_in_view(self) -> Sequence[str]:
        """Return the members of the group under the cursor, then the other visible groups' members."""
        groups = cast("list[Group | None]", [self.group, *self.groups_pane.visible_records])
        return [
            self.context.addresses.user.of(participant)
            for group in groups
            if group is not None
            for participant in group.participants
        ]

    def kinds_in_view(self) -> frozenset[str]:
        """Include users and presence, which the members show."""
        return frozenset({"groups", "users", "presence"})

    @property
    def pane(self) -> ListPane:
        """The focused list."""
        focused = self.focused
        inside = focused is not None and self.members_pane in focused.ancestors_with_self
        return self.members_pane if inside else self.groups_pane

    def switch_pane(self, kind: str) -> None:
        """Focus the other list."""
        pane = self.members_pane if kind == "members" else self.groups_pane
        pane.live_table.focus()

    def on_descendant_focus(self) -> None:
        """Update the keys at once for the focused list."""
        self.beat(True)

    @property
    def group(self) -> Group | None:
        """The group under the cursor."""
        return cast("Group | None", self.groups_pane.view.cursor_record)

    def selected(self) -> Record | None:
        """Return the group whose members are shown."""
        return self.members_pane.group

    def acted_on(self, action: Action[Any]) -> Sequence[Record]:
        """Return the group for actions on groups, also from the list of members."""
        if action.kind == "groups" and action.needs != "none":
            if action.needs == "many" and self.pane is self.groups_pane:
                return self.groups_pane.view.acted_on(many=True)
            return [self.group] if self.group is not None else []
        return super().acted_on(action)

    def pending(self) -> list[str]:
        """Return the pending work: commands, and a staged order."""
        staged = ["Leaving discards the staged order of the members."] if self.members_pane.staged else []
        return [*staged, *super().pending()]

    def refresh_body(self, fresh: bool) -> None:
        """Update both lists."""
        self.refresh_tabs(fresh)
        self.groups_pane.beat(fresh)
        self.members_pane.look_at(self.group)
        self.members_pane.beat(fresh)

    def _refresh_detail(self) -> None:
        """Do nothing: the members take the place of the detail."""

    def on_live_table_cursor_moved(self, message: LiveTable.CursorMoved) -> None:
        """Show the members of the group under the cursor."""
        if message.table is self.groups_pane.live_table:
            self.members_pane.look_at(self.group)
            self.members_pane.beat(True)

    def submitted(self, ticket: Ticket) -> None:
        """Drop the staged order: it has been sent, or is obsolete."""
        self.members_pane.staged = None
        super().submitted(ticket)

    # -- view keys ---------------------------------------------------------------------------------------------------

    def do_move_up(self) -> None:
        """Stage the selected members, or the one under the cursor, one position up."""
        self._move(-1)

    def do_move_down(self) -> None:
        """Stage the selected members, or the one under the cursor, one position down."""
        self._move(1)

    def _move(self, by: int) -> None:
        pane = self.members_pane
        group = pane.group
        if group is None:
            self.say("There is no group to reorder.")
            return
        reason = blocked(by_id("groups.reorder"), self.context.situation(group), [group])
        if reason:
            self.say(reason)
            return
        keys = [record.key for record in pane.view.acted_on(many=True)]
        pane.stage(moved(pane.staged or group.participants, keys, by))
        pane.look_at(group)
        pane.beat(True)

    def do_open(self) -> None:
        """Apply a staged order, or open the group or the member's user under the cursor."""
        pane = self.members_pane
        if pane.staged is not None and pane.decided_on is not None:
            self.carry_out(by_id("groups.reorder"), (pane.decided_on,), {"order": pane.staged})
        elif self.pane is self.groups_pane:
            self.open_detail()
        elif (member := self._at_cursor()) is not None:
            navigation.go_to_record(app_of(self), self.context, "users", member.key)

    def do_back(self) -> None:
        """Drop a staged order, or go from the members to the groups, or back."""
        pane = self.members_pane
        if pane.staged is not None:
            pane.staged = None
            pane.look_at(pane.group)
            self.beat(True)
        elif self.pane is pane and not pane.view.selection and not pane.filter_text:
            self.switch_pane("groups")
        else:
            super().do_back()
