"""Dialog to search a list, and to pick one or several of its items."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter

from textual import events
from textual.app import ComposeResult

from console.base.frozen import replace
from console.base.text import cells, clean
from console.commands.action import Choice, ChoiceAsk
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.widgets.pick_list import PickList
from console.ui.widgets.theme import ScreenPart
from console.ui.widgets.tones import styled
from console.views.cell import Tone


def narrow(typed: str, choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices that match every typed word, sorted by quality of the match.

    The order is: start of the title, start of a word in the title, start of a word in the note, inside of a word,
    letters of the title in order. `#word` filters by tags that start with it. Accents are optional. Equal matches keep
    the order of the choices, which may be by suitability.
    """
    typed_words = _casefolded(typed).split()
    tags = [word[1:] for word in typed_words if word.startswith("#") and len(word) > 1]
    names = [word for word in typed_words if not word.startswith("#")]
    ranked: list[tuple[int, int, Choice]] = []
    for index, choice in enumerate(choices):
        if not all(any(_casefolded(own).startswith(tag) for own in choice.tags) for tag in tags):
            continue
        title, note = _casefolded(choice.title), _casefolded(choice.note or "")
        ranks = [_rank(word, title, note) for word in names]
        if None not in ranks:
            ranked.append((max((rank for rank in ranks if rank is not None), default=0), index, choice))
    return [choice for _, _, choice in sorted(ranked, key=itemgetter(0, 1))]


def _rank(word: str, title: str, note: str) -> int | None:
    """Return the rank of a match, 0 for the best; None for no match."""
    if title.startswith(word):
        return 0
    if _begins_a_word(word, title):
        return 1
    if _begins_a_word(word, note):
        return 2
    if word in title:
        return 3
    if word in note:
        return 4
    rest = iter(title)
    return 5 if len(word) > 1 and all(letter in rest for letter in word) else None


def _begins_a_word(word: str, text: str) -> bool:
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at >= 0


@lru_cache(maxsize=50_000)
def _casefolded(text: str) -> str:
    """Return a text without case and accents."""
    if text.isascii():
        return text.casefold()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


Picked = str | tuple[str, ...] | None

_DIGITS = "123456789"
_LONGEST = 200
_WIDEST = 130
_AROUND = 16
"""Cells around title and note: frame, padding, cursor, key, checkbox and gap."""
_MEASURED = 500
"""Choices whose widths are measured."""


class ChoiceDialog(Dialog[Picked]):
    """Returns the picked value, a tuple of values with `many`, or None after cancelling.

    Typing filters the list. Without input, digits pick among the first nine if the prompt allows it, and letters pick
    their choice. With `many`, Tab selects, and so does space except within typed text; Enter takes the selection, or
    otherwise the item under the cursor. With `free`, the typed text can be taken.
    """

    TYPED = True
    WIDTH = 72

    def __init__(self, ask: ChoiceAsk) -> None:
        super().__init__(ask.title)
        self._ask = ask
        self._typed = ""
        self._typing = False
        self._selection: frozenset[str] = frozenset()

    def body(self) -> ComposeResult:
        """Lay out the typed text and the list."""
        yield Words(styled(""), id="typed")
        yield PickList()

    def wide(self) -> int:
        """Return a width at which the notes are readable."""
        notes = max((cells(choice.note) for choice in self._ask.choices[:_MEASURED] if choice.note), default=0)
        titles = max((cells(choice.title) for choice in self._ask.choices[:_MEASURED]), default=0)
        return min(max(self.WIDTH, titles + notes + _AROUND), _WIDEST)

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons, cancel first."""
        yield KeyButton("escape", "esc", "Cancel")
        if self._ask.many:
            yield KeyButton("tab", "tab", "Select")
        yield KeyButton("enter", "enter", "OK" if self._ask.many else "Select", Tone.STRONG)

    def on_mount(self) -> None:
        """Show all choices."""
        super().on_mount()
        self._show()

    def change(self, choices: tuple[Choice, ...]) -> None:
        """Replace the choices; what is typed and the cursor stay."""
        if choices != self._ask.choices:
            self._ask = replace(self._ask, choices=choices)
            at = self._list.cursor
            self._show(at.value if at is not None else None)

    @property
    def _list(self) -> PickList:
        return self.query_one(PickList)

    def _show(self, cursor: str | None = None) -> None:
        choices = narrow(self._typed, self._ask.choices)
        typed = self._typed.strip()
        if self._ask.free and typed and all(typed not in {choice.value, choice.title} for choice in choices):
            choices.append(Choice(typed, clean(f"“{typed}”", 60), clean("use as typed")))
        keys = [*_DIGITS[: len(choices)]] if self._ask.digits and not self._typed else []
        if not self._typed:
            keys = [choice.key or (keys[index] if index < len(keys) else "") for index, choice in enumerate(choices)]
        empty = self._ask.unmatched if self._ask.choices else "There are no choices."
        self._list.show(
            choices,
            keys=keys if any(keys) else (),
            selection=self._selection if self._ask.many else None,
            cursor=cursor,
            empty=clean(empty),
        )
        hint = "type a name" if self._ask.free else "type to filter"
        entry = (
            styled(self._typed, Tone.STRONG) + styled("│", ScreenPart.KEY) if self._typed else styled(hint, Tone.QUIET)
        )
        counts = f"   {len(choices)} of {len(self._ask.choices)}" if self._typed else f"   {len(choices)}"
        if self._selection:
            counts += f", {len(self._selection)} selected"
        self.query_one("#typed", Words).update(styled("/ ", ScreenPart.KEY) + entry + styled(counts, Tone.QUIET))

    def pressed(self, key: str, character: str | None) -> bool:
        """Move, select, filter or take."""
        if character is None:
            self._typing = False
        match key:
            case "up" | "down":
                self._list.move(-1 if key == "up" else 1)
            case "pageup" | "pagedown":
                self._list.page(-1 if key == "pageup" else 1)
            case "home" | "end":
                self._list.move((-1 if key == "home" else 1) * len(self._list.choices))
            case "enter":
                self._take()
            case "tab" if self._ask.many:
                self._mark()
            case "space" if self._ask.many and not self._typing:
                self._mark()
            case "backspace":
                self._narrow(self._typed[:-1])
            case "ctrl+u":
                self._narrow("")
            case _ if character is not None:
                self._typed_one(character)
            case _:
                return False
        return True

    def typed_early(self, key: str, character: str | None) -> None:
        """Filter; keys that would pick or select something have no effect yet."""
        if key == "space" and self._ask.many and not self._typing:
            return
        if key == "backspace":
            self._narrow(self._typed[:-1])
        elif character is not None and self._picked_by(character) is None:
            self._narrow(self._typed + character)

    def _picked_by(self, character: str) -> Choice | None:
        """Return the choice of a digit or letter, if nothing is typed."""
        if self._typed:
            return None
        own = next((choice for choice in self._ask.choices if choice.key == character), None)
        if own is None and self._ask.digits and character in _DIGITS[: len(self._ask.choices)]:
            own = self._ask.choices[int(character) - 1]
        return own

    def _typed_one(self, character: str) -> None:
        picked = self._picked_by(character)
        if picked is not None:
            self._answer_with(picked)
        else:
            self._narrow(self._typed + character)

    def _narrow(self, typed: str) -> None:
        self._typing = len(typed) > len(self._typed)
        self._typed = typed[:_LONGEST]
        self._show()

    def on_paste(self, event: events.Paste) -> None:
        """Filter by the first line of pasted text; a line end does not submit."""
        event.stop()
        lines = event.text.splitlines()
        if self.listening and lines:
            self._narrow(self._typed + clean(lines[0], _LONGEST))

    def _mark(self) -> None:
        choice = self._list.cursor
        if choice is not None:
            self._selection ^= {choice.value}
            self._show(choice.value)
            self._list.move(1)

    def _answer_with(self, choice: Choice) -> None:
        if self._ask.many:
            self._selection ^= {choice.value}
            self._show(choice.value)
        else:
            self.dismiss(choice.value)

    def _take(self) -> None:
        choice = self._list.cursor
        if self._ask.many:
            order = [option.value for option in self._ask.choices if option.value in self._selection]
            order += sorted(self._selection - set(order))
            picked = tuple(order) or ((choice.value,) if choice else ())
            if picked:
                self.dismiss(picked)
        elif choice is not None:
            self.dismiss(choice.value)

    def on_pick_list_clicked(self, message: PickList.Clicked) -> None:
        """Take or select the clicked choice."""
        message.stop()
        if not self.listening:
            return
        if self._ask.many:
            self._mark()
        else:
            self._take()
