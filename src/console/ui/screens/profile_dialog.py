"""The list of profiles with their states."""

from __future__ import annotations

from console.base.text import clean
from console.commands.action import Choice, ChoiceAsk
from console.ui.dialogs import ChoiceDialog
from console.ui.screens.profiles import Profiles

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
