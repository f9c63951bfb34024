"""Common parts of all screens: tabs, footer, command messages."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from textual import events
from textual.message import Message

from console.frozen import Frozen
from console.live.command import Stage, Step, Ticket
from console.text import SafeText, cells, clean
from console.views.cell import Tone
from console.views.words import capitalized, plural
from console.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.widgets.theme import Part
from console.widgets.tones import Appearance, Badge


class TabLabel(Frozen):
    """The content of a tab."""

    name: str
    digit: str
    title: str
    short: str
    counted: str = ""
    """The title with the count, if known."""
    short_counted: str = ""


class ScreenTabs(StyledLine):
    """The screens with their digits and record counts."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self) -> None:
        super().__init__()
        self._spans: list[tuple[int, int, str]] = []

    def show(self, tabs: Sequence[TabLabel], here: str, colour: Tone | None = None) -> None:
        """Show these tabs, with the current one; `colour` is that of the profile."""
        if not self.differs(tuple(tabs), here, colour):
            return
        width = max(20, self.size.width - 2)
        said: list[Piece] = []
        spans: list[tuple[int, int, str]] = []
        for shown in _TAB_SHAPES:
            said, spans = _tab_words(tabs, here, shown, Part.TAB if colour is None else Badge(colour))
            if width_of(said) <= width:
                break
        self._spans = spans
        self.update(said)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked tab."""
        for start, end, name in self._spans:
            if start <= event.x - 1 < end:
                self.post_message(self.Chosen(name))


class _TabShape(Frozen):
    """Level of detail of the tabs; the current one always has title and count."""

    long: bool
    counted: bool
    titled: bool = True


_TAB_SHAPES = (_TabShape(True, True), _TabShape(False, True), _TabShape(False, False), _TabShape(False, False, False))


def _tab_words(
    tabs: Sequence[TabLabel], here: str, shape: _TabShape, look: Appearance
) -> tuple[list[Piece], list[tuple[int, int, str]]]:
    """Return the pieces of the tabs, with their positions."""
    said: list[Piece] = []
    spans: list[tuple[int, int, str]] = []
    at = 0
    for tab in tabs:
        present = tab.name == here
        counted = tab.counted if shape.long else tab.short_counted
        title = counted if counted and (shape.counted or present) else tab.title if shape.long else tab.short
        if present:
            words = [piece(f" {tab.digit} {title} ", look)]
        else:
            words = [piece(f" {tab.digit} ", Part.KEY)]
            words += [piece(f"{title} ", Tone.QUIET)] if shape.titled else []
        said += words
        spans.append((at, at + width_of(words), tab.name))
        at += width_of(words)
    return said, spans


class FooterKey(Frozen):
    """A key in the footer: name, meaning, and why it is not available, if so."""

    key: str
    words: str
    why_not: SafeText
    identifier: str = ""
    """The id of its action or view key."""


class KeyFooter(StyledLine):
    """The available keys, as many as fit. They can be clicked."""

    DEFAULT_CSS = """
    KeyFooter { background: $panel; }
    """

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, identifier: str) -> None:
            super().__init__()
            self.identifier = identifier

    def __init__(self) -> None:
        super().__init__()
        self._spans: list[tuple[int, int, str]] = []

    def show(self, keys: Sequence[FooterKey]) -> None:
        """Show these keys, the first ones first; help and quit are always last."""
        if not self.differs(tuple(keys)):
            return
        width = max(20, self.size.width - 2)
        last = [key for key in keys if key.words in {"help", "quit"}]
        room = width - sum(cells(key.key) + len(key.words) + 3 for key in last)
        shown: list[FooterKey] = []
        for key in (each for each in keys if each not in last):
            need = cells(key.key) + len(key.words) + 3
            if need > room:
                continue
            room -= need
            shown.append(key)
        said: list[Piece] = []
        self._spans = []
        for key in (*shown, *last):
            start = width_of(said)
            said += _key(key)
            self._spans.append((start, width_of(said) - 2, key.identifier))
        self.update(said)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked key."""
        for start, end, identifier in self._spans:
            if start <= event.x - 1 < end and identifier:
                self.post_message(self.Pressed(identifier))


def _key(key: FooterKey) -> tuple[Piece, ...]:
    if key.why_not:
        return (piece(f"{key.key} {key.words}  ", Tone.QUIET),)
    return piece(key.key, Part.KEY), piece(f" {key.words}  ")


_STAGES = {
    Stage.HELD: ("○", Tone.NOTICE),
    Stage.PENDING: ("…", Tone.NOTICE),
    Stage.DONE: ("√", Tone.GOOD),
    Stage.REFUSED: ("×", Tone.BAD),
    Stage.UNKNOWN: ("?", Tone.WARN),
    Stage.TAKEN_BACK: ("←", Tone.QUIET),
}

_LINGER_SECONDS = 6.0
_LONGER_SECONDS = 10.0
"""Duration of a failure message."""


class Toasts(StyledLine):
    """The last command and whether it can be undone; visible only with content, in up to three rows."""

    DEFAULT_CSS = """
    Toasts { display: none; background: $boost; height: auto; max-height: 3; text-wrap: wrap; }
    Toasts.speaking { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: tuple[int, Stage] | None = None
        self._begun = False
        self._rows = 0
        self._until = -math.inf
        """Until when the message is shown, on the monotonic clock: a screen that is not in front is not refreshed."""
        self._words: Sequence[Piece] | None = None
        self._offered: int | None = None

    @property
    def named(self) -> int | None:
        """The number of the command that the visible words are about, or offer to undo; None for none."""
        if time.monotonic() >= self._until or not self.has_class("speaking"):
            return None
        return self._offered if self._words is not None else self._last[0] if self._last is not None else None

    def say(self, words: Sequence[Piece], offered: int | None = None) -> None:
        """Show a message; `offered` is the number of the command that it offers to undo, if any."""
        self._words, self._offered, self._until = words, offered, time.monotonic() + _LINGER_SECONDS
        self._paint(words)

    def show(self, tickets: Sequence[Ticket], undo_key: str, now_ms: int) -> None:
        """Show the state of the newest command, unless it ended a while ago; called on every beat."""
        newest = tickets[0] if tickets else None
        state = (newest.command.number, newest.stage) if newest else None
        if state != self._last or not self._begun:
            # Commands that ended before this line existed, or long before its screen came to the front, are not shown.
            old = newest is None or (not newest.under_way and not (self._begun and newest.is_recent(now_ms)))
            long = newest is not None and (went_wrong(newest) or any(each.says for each in newest.outcomes))
            self._last, self._words = state, self._words if old else None
            if not old:
                self._until = time.monotonic() + (_LONGER_SECONDS if long else _LINGER_SECONDS)
            self._begun = True
        if time.monotonic() >= self._until and (newest is None or not newest.under_way):
            self._paint(None)
            return
        if self._words is not None:
            self._paint(self._words)
        elif newest is not None:
            self._paint(describe(newest, undo_key))

    def _paint(self, words: Sequence[Piece] | None) -> None:
        self.set_class(words is not None, "speaking")
        if words is not None:
            self.update(words)
            rows = -(-width_of(words) // max(1, self.size.width - 2))
            if rows != self._rows:
                self._rows = rows
                self.refresh(layout=True)


class NoticeLine(StyledLine):
    """A notice about an episode; visible only with content, apart from the outcomes of commands."""

    DEFAULT_CSS = """
    NoticeLine { display: none; }
    NoticeLine.telling { display: block; }
    """

    def show(self, words: Sequence[Piece] | None) -> None:
        """Show these words; None hides the line."""
        self.set_class(words is not None, "telling")
        if words is not None:
            self.update(words)


def went_wrong(ticket: Ticket) -> bool:
    """Return whether a command failed, succeeded only in part, or has an unknown outcome."""
    return ticket.stage in {Stage.REFUSED, Stage.UNKNOWN} or (ticket.stage is Stage.DONE and bool(ticket.reason))


def described(ticket: Ticket) -> str:
    """Return the description of a command within a sentence. Remote text: clean before painting."""
    return _undecorated(ticket)


def _what(ticket: Ticket) -> str:
    """Return the description of a command: `Accepted Line down` once it is done, `Accept: Line down` before."""
    return capitalized(_undecorated(ticket))


def _undecorated(ticket: Ticket) -> str:
    command = ticket.command
    title, words = command.title, command.steps[0].words
    if command.count == 1:
        return words if ticket.stage is Stage.DONE else f"{title}: {named(command.steps[0])}"
    sent = [each.step for each in ticket.outcomes if each.stage is Stage.DONE and not each.step.follows]
    done = len(sent)
    many = plural(command.count, command.noun)
    verbs = {each.words.partition(" ")[0] for each in command.steps if not each.follows}
    if done and len(verbs) == 1 and not command.takes_back and ticket.stage in {Stage.DONE, Stage.UNKNOWN}:
        return f"{verbs.pop()} {many if done == command.count else f'{done} of {many}'}{_receivers(sent)}"
    return f"{title}: {done} of {many}" if ticket.stage in {Stage.DONE, Stage.UNKNOWN} else f"{title}: {many}"


def _receivers(steps: Sequence[Step]) -> str:
    """Return how many got the records of several steps: ` to 6 agents`; empty unless the operation names them."""
    change = steps[0].request.operation.change
    if change is None or change.receiver is None:
        return ""
    field, word = change.receiver
    return f" to {plural(len({repr(getattr(each.request, field)) for each in steps}), word)}"


def named(step: Step) -> str:
    """Return the object of a step: its description without the verb."""
    return step.words.removeprefix("undid: ").partition(" ")[2]


def describe(ticket: Ticket, undo_key: str = "") -> list[Piece]:
    """Return a command and its state as one line."""
    symbol, tone = _STAGES[ticket.stage]
    said = [piece(f"{symbol} ", tone), piece(clean(_what(ticket), 100))]
    failed = [outcome for outcome in ticket.outcomes if outcome.stage in {Stage.REFUSED, Stage.UNKNOWN}]
    reason = clean(ticket.reason or next((each.reason for each in failed), ""), 240)
    match ticket.stage:
        case Stage.REFUSED:
            count = f" {len(failed)} of {ticket.command.count}" if ticket.command.count > 1 and failed else ""
            said += [piece(f"  {'refused' if ticket.sent else 'not sent'}{count}: ", Tone.BAD), piece(reason)]
        case Stage.UNKNOWN if all(outcome.accepted for outcome in failed):
            said += [piece("  "), piece(reason, Tone.WARN)]
        case Stage.UNKNOWN:
            said += [piece("  unknown: ", Tone.WARN), piece(reason or "no answer received; check before you try again")]
        case Stage.TAKEN_BACK:
            sent = any(outcome.stage is Stage.DONE for outcome in ticket.outcomes)
            said.append(piece("  undone" if sent else "  not sent, undone in time", Tone.QUIET))
        case Stage.PENDING:
            said.append(piece("  waiting for the service", Tone.QUIET))
        case Stage.HELD:
            said.append(piece(f"  sending in {math.ceil(ticket.seconds_left)}s", Tone.QUIET))
        case Stage.DONE if reason:
            said += [piece("  "), piece(reason, Tone.WARN)]
        case Stage.DONE:
            says = ticket.outcomes[0].says if len(ticket.outcomes) == 1 else ""
            said += [piece(clean(f"  {says}", 160), Tone.NOTICE)] if says else []
    if ticket.command.skipped:
        said.append(piece(f"  {clean(ticket.command.skipped, 200)}", Tone.QUIET))
    if undo_key and ticket.can_undo and not ticket.command.takes_back:
        said += [piece(f"   {undo_key}", Part.KEY), piece(" undo", Tone.QUIET)]
    return said
