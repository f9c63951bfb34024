"""What is shown when nothing can go on without help: a login that was refused, a certificate, a faulty profile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from console.api.errors import LoginNeeded
from console.live.delta import Freshness
from console.live.desk import Fatal
from console.screens.station import Station
from console.tables.cell import Tone
from console.text import clean
from console.widgets.clean_input import CleanInput
from console.widgets.saying import Saying, piece
from console.widgets.theme import Part, app_of

_TITLES = {
    "login": "Log in",
    "certificate": "There is no secure connection",
    "config": "This profile cannot work",
}


@dataclass
class Login:
    """User name and password as they were last given; the login screen changes them."""

    username: str
    password: str = field(repr=False)

    def source(self) -> tuple[str, str]:
        """Return both, whenever a session must be made anew. Raises LoginNeeded as long as there is no password."""
        if not self.password:
            raise LoginNeeded("the session has ended")
        return self.username, self.password

    def change(self, username: str, password: str) -> None:
        """Take others from now on."""
        self.username, self.password = username, password


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
        border-title-color: $foreground; border-title-style: bold;
    }
    LoginScreen CleanInput, LoginScreen CleanInput:focus { margin: 1 0 0 0; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "quit"), ("ctrl+r", "again", "try again")]

    def __init__(self, station: Station, fatal: Fatal, login: Login | None) -> None:
        super().__init__()
        self._station = station
        self._fatal = fatal
        self._login = login if fatal.kind == "login" else None
        self._trying = False
        self._before = station.desk.me
        self._user = CleanInput(login.username if login else "", placeholder="user name")
        self._password = CleanInput(password=True, placeholder="password")

    def compose(self) -> ComposeResult:
        """Lay out the reason and, for a login, the two fields."""
        with Vertical() as box:
            box.border_title = _TITLES[self._fatal.kind]
            yield LoginWords(id="why")
            if self._login is not None:
                yield self._user
                yield self._password
            yield LoginWords(id="keys")

    def on_mount(self) -> None:
        """Say why, and put the cursor where something is missing."""
        self._say_why()
        keys = [("⏎", "log in"), ("esc", "quit")] if self._login else [("^r", "try again"), ("esc", "quit")]
        self.query_one("#keys", LoginWords).put(
            [], [each for key, words in keys for each in (piece(key, Part.KEY), piece(f" {words}  ", Tone.QUIET))]
        )
        if self._login is not None:
            self.set_focus(self._password if self._user.value else self._user)

    def beat(self, _fresh: bool) -> None:
        """Go when there is an answer; say so when it is no."""
        desk = self._station.desk
        fatal = desk.fatal
        if not self._trying or fatal is self._fatal:
            return
        if fatal is not None and fatal.kind == self._fatal.kind:
            self._trying, self._fatal = False, fatal
            self._password.value = ""
            self._say_why()
        elif fatal is not None or desk.me is not self._before or desk.link.state is Freshness.OFFLINE:
            self.dismiss()

    def _say_why(self) -> None:
        where = clean(self._station.profile.core, 60)
        why = piece("trying…", Tone.NOTICE) if self._trying else piece(clean(self._fatal.reason, 240), Tone.WARN)
        self.query_one("#why", LoginWords).put([piece(where, Tone.QUIET)], [why])

    def on_input_submitted(self, event: CleanInput.Submitted) -> None:
        """Go on to the password, or try to log in."""
        user, password = self._user.value, self._password.value
        if not user:
            self.set_focus(self._user)
        elif event.input is self._user or not password:
            self.set_focus(self._password)
        elif self._login is not None:
            self._login.change(user, password)
            self.action_again()

    def action_again(self) -> None:
        """Try again: with what was typed, or as when the certificate was mended."""
        if not self._trying:
            self._trying = True
            self._station.desk.retry()
            self._say_why()

    def action_leave(self) -> None:
        """Leave the console."""
        app_of(self).exit()
