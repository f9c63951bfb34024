"""The lists of a screen: their names, their saved views, and the shown records that no action on several can take."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual.message import Message

from console.base.text import clean
from console.commands.action import Choice, ChoiceAsk, Situation, TextAsk
from console.commands.guards import blocked
from console.config.schema import SavedView
from console.config.writer import forget_view, save_view
from console.kinds.actions import for_kind
from console.kinds.alerts.facts import active
from console.kinds.catalogue import DERIVED, FEEDS
from console.kinds.episodes.facts import attention
from console.kinds.scope import count_words, is_exact, titled
from console.records.extent import Extent
from console.ui.dialogs import ChoiceDialog, TextDialog
from console.ui.screens.app_context import AppContext
from console.ui.screens.frame import FrameScreen
from console.ui.screens.list_pane import ListPane
from console.ui.screens.ruling import make_rule
from console.ui.widgets.styled_line import ClickableLine, Piece, piece, width_of
from console.ui.widgets.theme import ScreenPart, app_of
from console.views.render_context import RenderContext
from console.views.wording import in_sentence, known_count

_ONGOING: Mapping[str, Callable[[RenderContext], Sequence[object]]] = {"alerts": active, "episodes": attention}


class PaneTabs(ClickableLine):
    """The names of a screen's lists with their counts, and with the current one highlighted. They can be clicked."""

    class Chosen(Message):
        """A list was clicked."""

        def __init__(self, kind: str) -> None:
            super().__init__()
            self.kind = kind

    def show(self, panes: Sequence[ListPane], current: ListPane, context: AppContext) -> None:
        """Update the line, with the key that leads to the next list if there are several."""
        counts = [_count_of(pane) for pane in panes]
        if not self.differs(current.kind, context.backend.me, *counts):
            return
        render, key = context.render_context(), context.key_words("view.pane")
        pieces: list[Piece] = []
        spans: list[tuple[int, int, str]] = []
        for pane, (many, extent, total) in zip(panes, counts, strict=True):
            count, title = count_words(many, extent, total), pane.table.title
            if pane.kind in _ONGOING and count is not None:
                count = known_count(many, render, exact=is_exact(pane.kind, render))
            text = title if count is None else titled(pane.kind, title, count, render)
            start = width_of(pieces)
            pieces += [piece(f" {text} ", ScreenPart.TAB if pane is current else ScreenPart.BLURRED), piece(" ")]
            spans.append((start, width_of(pieces) - 1, pane.kind))
        self.spans = spans
        if len(panes) > 1:
            pieces += [piece(f" {key}", ScreenPart.KEY), piece(" next list")]
        self.update(pieces)

    def clicked(self, name: str) -> None:
        """Post the message."""
        self.post_message(self.Chosen(name))


def _count_of(pane: ListPane) -> tuple[int, Extent, int | None]:
    """Return the number of records of a list; where Home counts only those that go on, the number of these."""
    health, ongoing = pane.health, _ONGOING.get(pane.kind)
    many = pane.count if ongoing is None else len(ongoing(pane.view.render_context))
    return many, health.extent, health.total if health.extent is Extent.PART else None


def refused_by_all(pane: ListPane, situation: Situation) -> Mapping[str, str]:
    """Return the shown records that every action on several refuses, by key with the reason; empty if these are all."""
    actions = [action for action in for_kind(pane.kind) if action.kind == pane.kind and action.needs == "many"]
    refused: dict[str, str] = {}
    for key in pane.view.keys if actions else ():
        record = pane.view.record(key)
        reasons = [blocked(action, situation, [record]) for action in actions] if record is not None else []
        if reasons and all(reasons):
            refused[key] = reasons[0] or ""
    return refused if len(refused) < len(pane.view.keys) else {}


def mark_all(screen: FrameScreen, pane: ListPane, refused: Mapping[str, str]) -> None:
    """Select every shown record but the refused ones, or none if all these are selected."""
    view = pane.view
    wanted = frozenset(view.keys).difference(refused)
    pane.live_table.set_selection(frozenset() if wanted <= view.selection else wanted)
    if refused and view.selection:
        screen.say(f"{len(view.selection)} selected, {len(refused)} skipped: {next(iter(refused.values()))}")


_KEEP, _FORGET, _FIRST, _RULE = "keep", "forget", "first", "rule"
_LONGEST = 60


def choose_view(screen: FrameScreen, pane: ListPane) -> None:
    """Let the operator apply a view of the list, save the current one, or delete one."""
    mine = _mine(pane)
    views = {name: view for name, view in pane.table.views.items() if name not in mine} | mine
    own = [Choice(f"={name}", clean(name, _LONGEST), clean(view.filter or "all", 60)) for name, view in views.items()]
    rule = pane.kind in {*FEEDS, *DERIVED} and screen.context.watch is not None
    others = [
        Choice(_FIRST, clean("Default view"), clean("no filter, default order and columns")),
        Choice(_KEEP, clean("Save this view…"), clean("under a name"), key="+"),
        *(
            [Choice(_RULE, clean("Make this a rule…"), clean("what the filter finds needs attention"), key="!")]
            if rule
            else []
        ),
        *([Choice(_FORGET, clean("Delete a view…"), key="-")] if mine else []),
    ]

    def chosen(picked: str | tuple[str, ...] | None) -> None:
        if picked == _KEEP:
            _keep(screen, pane)
        elif picked == _FORGET:
            _forget(screen, pane)
        elif picked == _RULE:
            make_rule(screen, pane.kind, pane.filter_text)
        elif picked == _FIRST:
            table = pane.table
            usual = tuple(column.id for column in table.columns if column.priority < 9)
            _show(screen, pane, SavedView(sort=table.order, columns=usual))
        elif isinstance(picked, str):
            _show(screen, pane, views[picked.removeprefix("=")])

    title = f"Views of {in_sentence(pane.table.title)}"
    app_of(screen).push_screen(ChoiceDialog(ChoiceAsk("view", title, (*own, *others), digits=True)), chosen)


def _mine(pane: ListPane) -> dict[str, SavedView]:
    """Return the operator's own views of the list, as changed since the start."""
    context, kind = pane.context, pane.kind
    return context.views.setdefault(kind, dict(context.config.views.get(kind, {})))


def _show(screen: FrameScreen, pane: ListPane, view: SavedView) -> None:
    fault = pane.set_filter(view.filter)
    try:
        if view.sort:
            pane.set_order((view.sort.removeprefix("-"), view.sort.startswith("-")))
        if view.columns:
            pane.set_order(columns=view.columns)
    except KeyError as column:
        fault = f"There is no column {column}."
    if fault:
        screen.say(fault)
    screen.beat(True)


def _now(pane: ListPane) -> SavedView:
    column, descending = pane.view.sort
    columns = tuple(column_shown.id for column_shown in pane.view.columns)
    return SavedView(filter=pane.filter_text, sort=f"{'-' if descending else ''}{column}", columns=columns)


def _keep(screen: FrameScreen, pane: ListPane) -> None:
    view = _now(pane)

    def check(name: str) -> str | None:
        return f"At most {_LONGEST} characters." if len(name.strip()) > _LONGEST else None

    def named(name: str | None) -> None:
        if name is None:
            return
        name = name.strip()
        _mine(pane)[name] = view
        fault = save_view(screen.context.places.config_file, pane.kind, name, view)
        screen.say(fault or f"View {name} saved.")

    app_of(screen).push_screen(TextDialog(TextAsk("name", "Name of this view", check=check, verb="Save")), named)


def _forget(screen: FrameScreen, pane: ListPane) -> None:
    mine = _mine(pane)
    choices = tuple(Choice(name, clean(name, _LONGEST), clean(view.filter, 60)) for name, view in mine.items())

    def chosen(name: str | tuple[str, ...] | None) -> None:
        if isinstance(name, str):
            mine.pop(name, None)
            fault = forget_view(screen.context.places.config_file, pane.kind, name)
            screen.say(fault or f"View {name} deleted.")

    app_of(screen).push_screen(ChoiceDialog(ChoiceAsk("view", "Delete a view", choices, digits=True)), chosen)
