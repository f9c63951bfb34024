"""Dialogs opened over a screen: help, themes, columns, related records, screens by name, hand-over notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from console.base.clock import SystemClock
from console.base.signs import drawn
from console.base.text import clean
from console.commands.action import Action, Choice, ChoiceAsk, TextAsk
from console.config.writer import save_columns, save_theme
from console.kinds.catalogue import RESOURCES
from console.kinds.tables import TABLES
from console.kinds.view_keys import ViewKey
from console.recording.notes import Note, fault_of
from console.records.record import Record
from console.ui.dialogs import ChoiceDialog, ColumnsDialog, TextDialog, ThemeDialog
from console.ui.screens import navigation
from console.ui.screens.frame import FrameScreen
from console.ui.screens.list_pane import ListPane
from console.ui.screens.specs import SCREENS, screen_of
from console.ui.screens.updating import FullScreen
from console.ui.widgets.theme import app_of
from console.views.cell import Cell, Line, Tone
from console.views.table import Table
from console.views.wording import in_sentence

_TIME_BAR = (
    "Bar: height is how much needed attention, · nothing, blank not recorded, ║ moment, ▼ mark, • own change, "
    "│ restart, × link lost"
)
"""Legend of the bar of the recorded time."""
_OWN_CHANGES = "changes"
_EPISODES = ("episodes", "rules", "connection")
"""The lists of the screen of episodes."""
_MOST_LINKS = 2_000
"""Maximum number of related records to choose from."""


def help_lines(screen: FrameScreen) -> tuple[Line, ...]:
    """Return every key of a screen with its description: actions first, then view keys."""
    actions = screen.actions_here() if screen.context.past is None else []  # They are refused in the past.
    commands = [*actions, *screen.view_keys()]
    keys = max(len(screen.context.key_words(key.id) or "none") for key in commands)
    titles = max(len(key.title) for key in commands if key.about)

    def line(key: Action[Any] | ViewKey) -> Line:
        return (
            Cell(clean((screen.context.key_words(key.id) or "none").rjust(keys)), Tone.NOTICE),
            Cell(clean(f"  {key.title:<{titles}}  "), Tone.PLAIN),
            Cell(clean(key.about, 200), Tone.QUIET),
        )

    lines: list[Line] = []

    def part(title: str, keys: Sequence[Action[Any] | ViewKey]) -> None:
        if keys:
            lines.extend([(Cell(clean(title), Tone.STRONG),), *(line(key) for key in keys), (Cell(clean("")),)])

    kinds = dict.fromkeys((screen.kind_in_focus(), *(action.kind for action in actions if action.kind != "everywhere")))
    for kind in (*kinds, "everywhere"):
        known = f"With {in_sentence(TABLES[kind].title)}" if kind in TABLES else "Here"
        title = "Anywhere" if kind == "everywhere" else known
        others = [view_key for view_key in screen.view_keys_of_other_lists() if view_key.where == kind]
        part(title, [*(action for action in actions if action.kind == kind), *others])
    part("Navigation", screen.view_keys())
    digits = ", ".join(f"{spec.digit} {spec.title}" for spec in SCREENS)
    lines.append((Cell(clean(f"Screens: {digits}"), Tone.QUIET),))
    lines.append(
        (Cell(clean('Filter: words, field:value, field:a,b, !not, age>2m, "two words", * for anything'), Tone.QUIET),)
    )
    if screen.context.past is not None:
        lines.append((Cell(clean(drawn(_TIME_BAR, screen.context.config.symbols), 200), Tone.QUIET),))
    return tuple(lines)


def choose_theme(screen: FrameScreen) -> None:
    """Let the operator choose a theme, with a preview of each, and save it."""

    def chosen(name: str | None) -> None:
        if name is not None:
            fault = save_theme(screen.context.places.config_file, name)
            screen.say(fault or "Theme saved.")

    app_of(screen).push_screen(ThemeDialog(), chosen)


def places_to_go(changes_key: str, episodes_key: str = "") -> tuple[tuple[Choice, ...], dict[str, tuple[str, str]]]:
    """Return the choices of `:`, and the screen and list by the value of a choice.

    They are all screens and all lists: lists of screens, the administrator's, and last own changes and episodes,
    which open over a screen with these keys.
    """
    places: dict[str, tuple[str, str]] = {}
    choices: list[Choice] = []
    for spec in SCREENS:
        places[spec.name] = spec.name, ""
        choices.append(Choice(spec.name, clean(spec.title), clean(f"key {spec.digit}")))
    for spec in SCREENS:
        for kind in spec.kinds:
            if kind not in places and kind not in RESOURCES:
                places[kind] = spec.name, kind
                choices.append(Choice(kind, clean(f"{spec.title} {in_sentence(TABLES[kind].title)}")))
    for resource in RESOURCES.values():
        places[f"admin/{resource.name}"] = "admin", resource.name
        heading = "" if resource.title.startswith(resource.branch) else f"{resource.branch} "
        title = in_sentence(resource.title) if heading else resource.title
        choices.append(Choice(f"admin/{resource.name}", clean(f"{heading}{title}")))
    for kind, key in ((_OWN_CHANGES, changes_key), *((kind, episodes_key) for kind in _EPISODES)):
        choices.append(Choice(kind, clean(TABLES[kind].title), clean(f"key {key}" if key else "")))
    return tuple(choices), places


def choose_screen(screen: FrameScreen, own_changes: Callable[[], object], episodes: Callable[[str], object]) -> None:
    """Let the operator go to a screen or a list by name; the others open own changes, and episodes."""
    keys = screen.context.key_words
    choices, places = places_to_go(keys("view.activity"), keys("view.episodes"))

    def chosen(name: str | tuple[str, ...] | None) -> None:
        if name == _OWN_CHANGES:
            own_changes()
        elif name in _EPISODES:
            episodes(str(name))
        elif isinstance(name, str):
            navigation.go(app_of(screen), screen.context, *places[name])

    unmatched = "No list matches. ^p searches all commands."
    ask = ChoiceAsk("screen", "Go to", choices, digits=True, unmatched=unmatched)
    app_of(screen).push_screen(ChoiceDialog(ask), chosen)


def choose_columns(screen: FrameScreen, pane: ListPane) -> None:
    """Let the operator choose the columns of a list, and save them."""

    def chosen(columns: tuple[str, ...] | None) -> None:
        if columns is None:
            return
        pane.set_order(columns=columns)
        fault = save_columns(screen.context.places.config_file, pane.kind, columns)
        screen.say(fault or "Columns saved.")

    app_of(screen).push_screen(ColumnsDialog(pane.table, tuple(column.id for column in pane.view.columns)), chosen)


def choose_related(screen: FrameScreen, table: Table[Any], record: Record) -> None:
    """Let the operator go to a record related to this one; directly if there is only one."""
    matching_links = [link for link in table.links(record, screen.context.render_context()) if screen_of(link.kind)]
    links = matching_links[:_MOST_LINKS]
    if not links:
        screen.say("No related records.")
        return
    if len(links) == 1:
        navigation.go_to_record(app_of(screen), screen.context, links[0].kind, links[0].key, links[0].filter)
        return
    choices = tuple(Choice(str(index), clean(link.title), clean(link.kind)) for index, link in enumerate(links))

    def chosen(index: str | tuple[str, ...] | None) -> None:
        if isinstance(index, str):
            link = links[int(index)]
            navigation.go_to_record(app_of(screen), screen.context, link.kind, link.key, link.filter)

    title = (
        "Go to" if len(matching_links) == len(links) else f"Go to: the first {len(links):,} of {len(matching_links):,}"
    )
    app_of(screen).push_screen(ChoiceDialog(ChoiceAsk("link", title, choices, digits=True)), chosen)


def add_note(screen: FullScreen, kind: str, key: str) -> None:
    """Ask for a note about a record, or about none, and add it."""
    context = screen.context
    if context.file:
        screen.say("This is a recording, without a service: notes belong to a service.")
        return
    notes = context.notes
    if notes is None:
        screen.say("Notes belong to a service, and this one was not reached yet.")
        return

    def typed(text: str | None) -> None:
        if text is None:
            return
        moment = context.clock.now_ms()
        now = moment if context.past is None else SystemClock().now_ms()
        try:
            notes.add(text, context.who, now, moment, kind, key)
        except OSError as error:
            screen.say(f"The note cannot be written: {error.strerror or error}.")
            return
        screen.say("Note added: the next shift sees it on Home.")
        screen.beat(True)

    ask = TextAsk("note", "Note for the next shift", check=fault_of, verb="Add")
    app_of(screen).push_screen(TextDialog(ask), typed)


def dismiss_note(screen: FullScreen, note: Note) -> None:
    """Take a note off the Home of the logged-in user."""
    notes = screen.context.notes
    assert notes is not None  # It contains the note.
    try:
        notes.dismiss([note.id], screen.context.who)
    except OSError as error:
        screen.say(f"The note cannot be dismissed: {error.strerror or error}.")
        return
    screen.say("Note dismissed.")
    screen.beat(True)
