"""What is shown when nothing can go on without help: a login that was refused, a certificate, a faulty profile."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from console.live.desk import Fatal
from console.screens.station import Station
from console.tables.cell import Tone
from console.text import clean
from console.widgets.saying import Saying, piece
from console.widgets.theme import Part, app_of

_TITLES = {
    "login": "Log in",
    "certificate": "The service's certificate is not to be trusted",
    "config": "This profile cannot work",
}


class LoginWords(Saying):
    """Why, and what to do."""

    DEFAULT_CSS = """
    LoginWords { height: auto; padding: 0; text-wrap: wrap; }
    """


class LoginScreen(ModalScreen[None]):
    """Asks who works here, or says what stands in the way. The rows stay on the screen beneath."""

    DEFAULT_CSS = """
    LoginScreen { align: center middle; }
    LoginScreen > Vertical {
        width: 60; max-width: 95%; height: auto; padding: 1 2; background: $surface; border: round $border;
    }
    LoginScreen Input { border: none; background: $panel; margin: 1 0 0 0; padding: 0 1; height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "quit"), ("ctrl+r", "again", "try again")]

    def __init__(self, station: Station, fatal: Fatal, relogin: Callable[[str, str], None] | None) -> None:
        super().__init__()
        self._station = station
        self._fatal = fatal
        self._relogin = relogin

    @property
    def _asks(self) -> bool:
        return self._fatal.kind == "login" and self._relogin is not None

    def compose(self) -> ComposeResult:
        """Lay out the reason and, for a login, the two fields."""
        with Vertical() as box:
            box.border_title = _TITLES[self._fatal.kind]
            yield LoginWords(id="why")
            if self._asks:
                yield Input(value=clean(self._station.profile.username or "", 80), placeholder="user name", id="user")
                yield Input(password=True, placeholder="password", id="password")
            yield LoginWords(id="keys")

    def on_mount(self) -> None:
        """Say why, and put the cursor where something is missing."""
        self._say_why()
        keys = [("⏎", "log in"), ("esc", "quit")] if self._asks else [("^r", "try again"), ("esc", "quit")]
        self.query_one("#keys", LoginWords).put(
            [], [each for key, words in keys for each in (piece(key, Part.KEY), piece(f" {words}  ", Tone.QUIET))]
        )
        if self._asks:
            user = self.query_one("#user", Input)
            (self.query_one("#password", Input) if user.value else user).focus()

    def _say_why(self) -> None:
        where = clean(self._station.profile.core, 60)
        self.query_one("#why", LoginWords).put(
            [piece(where, Tone.QUIET)], [piece(clean(self._fatal.reason, 240), Tone.WARN)]
        )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on to the password, or try to log in."""
        user, password = self.query_one("#user", Input), self.query_one("#password", Input)
        if event.input is user:
            password.focus()
        elif user.value and self._relogin is not None:
            self._relogin(user.value, password.value)
            password.value = ""
            self._station.desk.retry()
            self.dismiss()

    def action_again(self) -> None:
        """Try again, as when the certificate was mended."""
        self._station.desk.retry()
        self.dismiss()

    def action_leave(self) -> None:
        """Leave the console."""
        app_of(self).exit(4 if self._fatal.kind == "login" else 3)
