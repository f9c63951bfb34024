"""The answer to a change with secrets that the service returns only once, shown until it is closed."""

from __future__ import annotations

import json
from collections.abc import Iterable

from textual import events
from textual.app import ComposeResult

from console.base.text import clean
from console.live.command import Outcome, Stage, Ticket
from console.live.responses import masked, secrets_of, told
from console.ui.dialogs.dialog import Dialog, KeyButton, Words
from console.ui.screens.app_context import AppContext
from console.ui.screens.revealing import REVEALED_SECONDS, Revealing
from console.ui.screens.updating import Updating
from console.ui.widgets.detail_pane import DetailPane
from console.ui.widgets.theme import app_of
from console.ui.widgets.tones import styled
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import raw

_LONGEST = 100_000
ONCE = "The secret is shown only here: v shows it, y copies it while it is shown."
SURE = "The secret has not been shown yet. Press esc again to close anyway."


class ResponseDialog(Dialog[None], Updating):
    """The answer to a change, with its secrets masked.

    `v` reveals them for ten seconds, during which `y` copies them. They are deleted when the dialog closes; `esc`
    closes it at once if they were revealed, otherwise it asks first.
    """

    WIDTH = 76
    FOOT = 2
    DEFAULT_CSS = """
    ResponseDialog DetailPane { background: $surface; height: 3; }
    ResponseDialog #said { margin-top: 1; }
    """

    def __init__(self, context: AppContext, ticket: Ticket) -> None:
        super().__init__(_title(ticket))
        self._app_context = context
        self._number = ticket.command.number
        self._outcomes = tuple(outcome for outcome in ticket.outcomes if outcome.stage is Stage.DONE)
        self._revealing = Revealing(context.clock)
        self._seen = self._shown = self._sure = False
        self._pane = DetailPane()
        self._message = Words(styled(""), id="said")

    def body(self) -> ComposeResult:
        """Return the answers."""
        yield self._pane

    def foot(self) -> ComposeResult:
        """Return the line of notices."""
        yield self._message

    def buttons(self) -> Iterable[KeyButton]:
        """Return the buttons for the secrets, and the one that closes."""
        yield KeyButton("v", "v", "Show")
        yield KeyButton("y", "y", "Copy")
        yield KeyButton("escape", "esc", "Close")

    def begin(self) -> None:
        """Focus the answers, so that the arrow keys scroll."""
        self._pane.focus()

    def on_mount(self) -> None:
        """Show the answers before keys are handled."""
        super().on_mount()
        self._say(ONCE)
        self.beat(True)

    def on_resize(self, event: events.Resize) -> None:
        """Adapt the height to the terminal and the contents."""
        super().on_resize(event)
        self.beat(True)

    def beat(self, _fresh: bool, /) -> None:
        """Show the answers, masked again after the time has passed."""
        if not self._pane.is_mounted:
            return
        if self._shown and not self._revealing.left:
            self._say(ONCE)
        self._shown = bool(self._revealing.left)
        lines: list[Line] = []
        for outcome in self._outcomes:
            lines += self._lines(outcome)
        self._pane.show("answer", (Section("answer", "Answer", tuple(lines)),))
        self._pane.styles.height = max(3, min(self._pane.rows, self.size.height - 10))

    def _lines(self, outcome: Outcome) -> Iterable[Line]:
        request, answer = outcome.step.request, outcome.answer
        if len(self._outcomes) > 1:
            yield (Cell(clean(outcome.step.words, 100), Tone.STRONG),)
        shown = told(request, answer) if self._revealing.left else masked(request, answer)
        yield from raw(shown, revealed=True)

    def pressed(self, key: str, character: str | None) -> bool:
        """Reveal, mask or copy the secrets."""
        match character:
            case "v":
                self._revealing.toggle()
                self._seen = self._seen or bool(self._revealing.left)
                self._say(f"Shown for {REVEALED_SECONDS:.0f} s: y copies it." if self._revealing.left else ONCE)
                self.beat(True)
            case "y":
                self._copy()
            case _:
                return key == "enter"
        return True

    def _copy(self) -> None:
        """Send the only secret, or otherwise the whole answer, to the terminal's clipboard while it is revealed."""
        if not self._revealing.left:
            self._say("Press v to show it first, then y to copy it.")
            return
        secrets = [secret for outcome in self._outcomes for secret in secrets_of(outcome.step.request, outcome.answer)]
        whole = [told(outcome.step.request, outcome.answer) for outcome in self._outcomes]
        text = secrets[0] if len(secrets) == 1 else json.dumps(whole[0] if len(whole) == 1 else whole)
        if clean(text, _LONGEST) != text:
            self._say("It contains characters that cannot be copied safely: write it down.")
            return
        app_of(self).copy_to_clipboard(clean(text, _LONGEST))
        what = "The secret" if len(secrets) == 1 else "The answer with its secrets"
        self._say(f"{what} was sent to the terminal's clipboard.")

    def _say(self, text: str) -> None:
        self._message.update(styled(text, Tone.NOTICE if text != SURE else Tone.WARN))

    def leave(self) -> None:
        """Close and delete the secrets; ask first if they were never revealed."""
        if not self._seen and not self._sure:
            self._sure = True
            self._say(SURE)
            return
        self._app_context.backend.commands.forget_secrets(self._number)
        self.dismiss(None)


def _title(ticket: Ticket) -> str:
    steps = ticket.command.steps
    text = steps[0].words if len(steps) == 1 else ticket.command.title
    return f"Answer: {text}"
