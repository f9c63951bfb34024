"""Dialogs of profiles: log in to one, and go to another."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import ModalScreen

from console.api.errors import ApiError
from console.base.text import clean
from console.commands.action import Choice, ChoiceAsk
from console.live.authentication import Fatal, LoginDetails
from console.live.delta import Freshness
from console.ui.dialogs import ChoiceDialog
from console.ui.screens.app_context import AppContext
from console.ui.screens.profiles import Profiles
from console.ui.screens.updating import Updating
from console.ui.widgets.clean_input import CleanInput
from console.ui.widgets.styled_line import StyledLine, piece
from console.ui.widgets.theme import ScreenPart, app_of
from console.views.cell import Tone

_TITLES = {
    "login": "Log in",
    "password": "Choose a new password",
    "certificate": "No secure connection",
    "config": "This profile cannot be used",
}


class LoginWords(StyledLine):
    """The reason, and what to do."""

    DEFAULT_CSS = """
    LoginWords { height: auto; padding: 0; text-wrap: wrap; }
    """


class LoginScreen(ModalScreen[None], Updating):
    """Asks for a login or a new password, or shows the error. The rows stay visible below."""

    DEFAULT_CSS = """
    LoginScreen { align: center middle; }
    LoginScreen > Vertical {
        width: 60; max-width: 95%; height: auto; padding: 1 2; background: $surface; border: solid $border;
        border-title-color: $foreground; border-title-style: bold;
    }
    LoginScreen CleanInput, LoginScreen CleanInput:focus { margin: 1 0 0 0; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "quit"), ("ctrl+r", "again", "try again")]

    class Left(Message):
        """The operator does not log in."""

    def __init__(self, context: AppContext, fatal: Fatal, login: LoginDetails | None) -> None:
        super().__init__()
        self._app_context = context
        self._fatal = fatal
        asks = fatal.kind in {"login", "password"} and login is not None and not login.alone
        self._login = login if asks else None
        self._trying = False
        self._reason = ""
        """The reason why the last attempt failed, empty before it."""
        self._before = context.backend.me
        self._fields: tuple[CleanInput, ...] = ()
        if self._login is not None and fatal.kind == "login":
            user = CleanInput(self._login.username, placeholder="user name")
            self._fields = (user, CleanInput(password=True, placeholder="password"))
        elif self._login is not None:
            new, again = (
                CleanInput(password=True, placeholder=placeholder) for placeholder in ("new password", "once more")
            )
            self._fields = (new, again)

    def compose(self) -> ComposeResult:
        """Compose the reason and the inputs."""
        with Vertical() as box:
            box.border_title = _TITLES[self._fatal.kind]
            yield LoginWords(id="why")
            yield from self._fields
            yield LoginWords(id="keys")

    def on_mount(self) -> None:
        """Show the reason, and focus the first empty input."""
        self._say_why()
        keys = [("enter", "log in") if self._fields else ("^r", "try again"), ("esc", "quit")]
        self.query_one("#keys", LoginWords).update(
            [], [part for key, text in keys for part in (piece(key, ScreenPart.KEY), piece(f" {text}  ", Tone.QUIET))]
        )
        self._to_next_field()

    def _to_next_field(self) -> bool:
        """Focus the first empty input; return False if there is none."""
        empty = next((field for field in self._fields if not field.value), None)
        if empty is not None:
            self.set_focus(empty)
        return empty is not None

    def beat(self, _fresh: bool, /) -> None:
        """Close on success; show the reason on failure."""
        backend = self._app_context.backend
        fatal = backend.fatal
        if not self._trying or fatal is self._fatal:
            return
        if fatal is not None and fatal.kind == self._fatal.kind:
            self._refused(fatal.reason)
            self._fatal = fatal
        elif fatal is not None or backend.me is not self._before or backend.link.state is Freshness.OFFLINE:
            self.dismiss()

    def _say_why(self) -> None:
        where = clean(self._app_context.profile.core, 60)
        if self._fatal.kind == "password":
            reason = self._reason or "Your password is temporary: choose a new one."
        else:
            reason = self._reason or self._fatal.reason
        why = piece("trying…", Tone.NOTICE) if self._trying else piece(clean(reason, 240), Tone.WARN)
        details = () if self._trying else self._fatal.details
        more = [[piece(clean(detail, 240), Tone.QUIET)] for detail in details]
        self.query_one("#why", LoginWords).update([piece(where, Tone.QUIET)], [why], *more)

    def on_input_submitted(self, event: CleanInput.Submitted) -> None:
        """Go to the next input, or log in."""
        first, second = self._fields
        if event.input is first and first.value:
            self.set_focus(second)
        elif self._to_next_field() or self._login is None or self._trying:
            return
        elif self._fatal.kind == "login":
            self._login.change(first.value, second.value)
            self.action_again()
        elif first.value != second.value:
            self._refused("The passwords do not match.")
        else:
            self._trying = True
            self._change(self._login, first.value)
            self._say_why()

    @work
    async def _change(self, login: LoginDetails, password: str) -> None:
        """Change the password, then log in with it; show the reason if the service refuses."""
        try:
            await self._app_context.backend.change_password(login.username, login.password, password)
        except ApiError as error:
            self._refused(error.in_full)
        else:
            self._trying = False
            login.change(login.username, password)
            self.action_again()

    def _refused(self, reason: str) -> None:
        """Show the reason and clear the passwords."""
        self._trying, self._reason = False, reason
        for field in self._fields:
            if field.password:
                field.value = ""
        self._to_next_field()
        self._say_why()

    def action_again(self) -> None:
        """Try again with the typed input, or as it is, such as after a certificate was replaced."""
        if not self._trying:
            self._trying = True
            self._app_context.backend.retry()
            self._say_why()

    def action_leave(self) -> None:
        """Leave this profile without a login."""
        self.dismiss()
        app_of(self).post_message(self.Left())


UPDATE_SECONDS = 1.0


class ProfileDialog(ChoiceDialog):
    """Returns the name of the chosen profile. The states are kept up to date."""

    def __init__(self, profiles: Profiles) -> None:
        self._profiles = profiles
        super().__init__(ChoiceAsk("profile", "Profiles", self._choices(), digits=True))

    def _choices(self) -> tuple[Choice, ...]:
        return tuple(Choice(name, clean(name, 30), state) for name, state in self._profiles.lines())

    def on_mount(self) -> None:
        """Start at the current profile, and update every second."""
        self.call_next(self._show, self._profiles.here.context.profile_name)
        self.set_interval(UPDATE_SECONDS, lambda: self.change(self._choices()))

    def typed_early(self, key: str, character: str | None) -> None:
        """Take keys at once: going to a profile changes nothing, and `P` with a digit is typed in one go."""
        self.pressed(key, character)
