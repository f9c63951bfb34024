"""The administrator's workspace: all resources of both services, with the list and the operations of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import AwaitMount

from console.api.catalogue import find
from console.base.text import clean
from console.commands.action import FormAsk
from console.commands.conditions import condition
from console.commands.guards import refused
from console.kinds.actions import by_id
from console.kinds.catalogue import RESOURCES
from console.kinds.known_values import known_values
from console.kinds.operating import is_change, verb_of
from console.kinds.resource import Resource
from console.kinds.resources import is_own, operations_of
from console.kinds.view_keys import VIEW_KEYS, ViewKey
from console.ui.dialogs import FormDialog
from console.ui.screens.app_context import AppContext
from console.ui.screens.browsing import BrowserPane, card_of
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.list_pane import ListPane
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.operations import choose, run
from console.ui.screens.specs import spec_of
from console.ui.widgets.frame import FooterKey
from console.ui.widgets.theme import app_of
from console.ui.widgets.tree import Leaf, Tree

_PAGING = frozenset({"page_size", "page_after", "page", "limit", "last_item", "last_match", "offset"})
"""Inputs that the screen sets while it scrolls."""
_DONE_BY = {
    "create": ("create", "register", "set", "send"),
    "update": ("update", "set"),
    "delete": ("delete", "remove", "revoke"),
}
"""The operation verbs for each key, the best first."""


_VIEW_KEYS = frozenset(view_key.id for view_key in VIEW_KEYS)
_IN_TREE = frozenset({"view.pane", "view.pane-back", "admin.create", "admin.narrow"})
"""View keys that also work in the tree: those that do not concern a row of the list."""


class AdminScreen(ListScreen):
    """A tree of resources, the list of the chosen one, and its detail if there is space."""

    DEFAULT_CSS = """
    AdminScreen #lists, AdminScreen.wide #lists, AdminScreen.tall #lists { layout: horizontal; }
    AdminScreen #panes, AdminScreen.tall #panes, AdminScreen.wide #panes { width: 1fr; height: 1fr; }
    AdminScreen Beside, AdminScreen.tall Beside, AdminScreen.wide Beside { display: none; }
    AdminScreen.very-wide Beside {
        display: block; width: 2fr; max-width: 64; height: 1fr; border-top: none;
        border-left: solid $border-blurred;
    }
    AdminScreen.very-wide #panes { width: 3fr; }
    AdminScreen.wide Tree { width: 27; }
    """

    spec = spec_of("admin")

    def __init__(self, context: AppContext) -> None:
        super().__init__(context)
        self.tree_pane = Tree(context.config.symbols)
        self._mounting = AwaitMount(self, ())
        """The last list that was created."""

    def compose_body(self) -> ComposeResult:
        """Lay out the tree, the list, and the detail."""
        yield self.pane_tabs
        with Horizontal(id="lists"):
            yield self.tree_pane
            with self._switcher:
                yield from self.panes
            yield self.beside

    def on_mount(self) -> None:
        """Show the users first."""
        super().on_mount()
        resources = RESOURCES.values()
        leaves = [
            Leaf(resource.name, clean(resource.branch), clean(resource.title), self._is_idle(resource))
            for resource in resources
        ]
        self.tree_pane.show(leaves, self.pane.kind)

    def _is_idle(self, wanted: Resource) -> bool:
        """Return whether the deployment has none of a resource's operations."""
        operations = [find(name).operation for name in wanted.lists]
        operations += [operation.operation for operation in operations_of(wanted)]
        return all(self.context.lacks(operation) for operation in operations)

    # -- resources ---------------------------------------------------------------------------------------------------

    @property
    def resource(self) -> Resource:
        """The resource of the current list."""
        return RESOURCES[self.pane.kind]

    def switch_pane(self, kind: str) -> None:
        """Show the list of a resource. Lists are created when they are first shown."""
        if all(pane.kind != kind for pane in self.panes):
            pane = BrowserPane(self.context, RESOURCES[kind])
            self.panes = [*self.panes, pane]
            self._mounting = self._switcher.mount(pane)
        self.tree_pane.show_cursor(kind)
        super().switch_pane(kind)

    def panes_listed(self) -> Sequence[ListPane]:
        """Return the current list: the others are in the tree."""
        return (self.pane,)

    async def on_tree_chosen(self, message: Tree.Chosen) -> None:
        """Show the list of the chosen resource; move the focus to it on Enter and after a click."""
        self.switch_pane(message.name)
        # A list that was just created can have the focus only once it is mounted.
        await self._mounting
        (self.pane.live_table if message.entered else self.tree_pane).focus()

    def refused(self) -> Mapping[str, str]:
        """Return nothing: forms can change or delete any row."""
        return {}

    def refresh_body(self, fresh: bool) -> None:
        """Update the list and the detail."""
        self.pane.beat(fresh)
        self.refresh_tabs(fresh)
        self._refresh_detail()

    # -- keys --------------------------------------------------------------------------------------------------------

    @property
    def in_tree(self) -> bool:
        """Whether the tree has the focus. The screen's focus changes before the tree's."""
        return self.focused is self.tree_pane

    def view_keys(self) -> list[ViewKey]:
        """Leave out keys without an operation of this resource, and in the tree those that concern rows."""
        keys = self._keys_of_list()
        return [key for key in keys if key.where == "everywhere" or key.id in _IN_TREE] if self.in_tree else keys

    def _keys_of_list(self) -> list[ViewKey]:
        keys = super().view_keys()
        idle = {f"admin.{value}" for value in _DONE_BY if self._operation(value) is None}
        if not isinstance(self.pane, BrowserPane) or not self._filters():
            idle.add("admin.narrow")
        return [key for key in keys if key.id not in idle]

    def keyboard(self) -> dict[str, str]:
        """Leave out actions on rows while the tree has the focus."""
        keyboard = super().keyboard()
        if not self.in_tree:
            return keyboard
        return {
            key: value for key, value in keyboard.items() if value in _VIEW_KEYS or by_id(value).kind == "everywhere"
        }

    def say_where(self, key: str, leaving: str = "") -> None:
        """In the tree, say first whether a key works in the list beside it."""
        in_list = (*self.actions_here(), *self._keys_of_list()) if self.in_tree and not leaving else ()
        known = next((known for known in in_list if key in self.context.keys.get(known.id, ())), None)
        if known is None:
            super().say_where(key, leaving)
        else:
            self.say_place(key, known.title, "in the list", "enter")

    def footer_keys(self) -> list[FooterKey]:
        """Show the keys of the tree while it has the focus."""
        keys = super().footer_keys()
        if not self.in_tree:
            return keys
        taken = set(self.keyboard().values())
        return [
            FooterKey("enter", "show the list", clean("")),
            *(footer_key for footer_key in keys if footer_key.identifier in taken),
        ]

    def _operation(self, does: str) -> str | None:
        by_verb = {
            verb_of(operation): operation.operation.name
            for operation in reversed(operations_of(self.resource))
            if is_change(operation) and is_own(self.resource, operation)
        }
        return next((by_verb[verb] for verb in _DONE_BY[does] if verb in by_verb), None)

    def _filters(self) -> tuple[str, ...]:
        pane = self.pane
        inputs = pane.pages.lists.inputs() if isinstance(pane, BrowserPane) and pane.pages.lists is not None else ()
        return tuple(input_.field for input_ in inputs if input_.field not in _PAGING)

    def do_pane(self, _step: int = 1, /) -> None:
        """Move the focus between the tree and the list."""
        (self.pane.live_table if self.in_tree else self.tree_pane).focus()

    def way_to(self, kind: str) -> str:
        """Return how to go to another resource: the key of the next list leads to the tree."""
        return ConsoleScreen.way_to(self, kind)

    def open_detail(self) -> None:
        """Open the card of a user or domain, the detail of any other record, or a query if the resource has no list."""
        record = self.pane.view.cursor_record
        card = card_of(self.pane, record) if record is not None else None
        if card is not None:
            app_of(self).push_screen(card)
        elif record is None and isinstance(self.pane, BrowserPane) and self.pane.pages.missing:
            self.do_narrow()
        else:
            super().open_detail()

    def do_refresh(self) -> None:
        """Load the list again, with the lists that it depends on."""
        super().do_refresh()
        if isinstance(self.pane, BrowserPane):
            self.pane.again()

    def do_menu(self) -> None:
        """Choose an operation of this resource, for the selected records or the one under the cursor."""
        choose(self, self.resource, self.pane.view.acted_on(many=True))

    def do_create(self) -> None:
        """Create a record."""
        self._do("create")

    def do_update(self) -> None:
        """Change the record under the cursor, or all selected ones in the same way."""
        self._do("update")

    def do_delete(self) -> None:
        """Delete the record under the cursor, or the selected ones."""
        self._do("delete")

    def _do(self, does: str) -> None:
        name = self._operation(does)
        if name is not None:
            records = self.pane.view.acted_on(many=does != "create")
            run(self, name, self.resource, records, anew=does == "create")

    def do_narrow(self) -> None:
        """Set the filters and the order of the service's list."""
        pane = self.pane
        lists = pane.pages.lists if isinstance(pane, BrowserPane) else None
        if not isinstance(pane, BrowserPane) or lists is None:
            return
        pages = pane.pages
        situation = self.context.situation()
        reason = refused([lists.operation], situation)
        if reason:
            self.say(reason)
            return
        ask = FormAsk(
            "filters",
            f"{self.resource.title}: server filter",
            lists,
            pages.filters,
            {},
            self._filters(),
            known=known_values(lists, situation),
            note=condition(lists.operation, situation),
        )

        def answered(values: Mapping[str, Any] | None) -> None:
            if values is not None:
                kept = {**pages.filters, **values}
                pane.narrow({name: value for name, value in kept.items() if value not in (None, "", ())})

        app_of(self).push_screen(FormDialog(ask, self.context.variant(lists.operation.service)), answered)
