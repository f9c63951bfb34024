"""The profiles of one console: each has its own backend and its own screens, and goes on while another is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from console.base.frozen import Frozen
from console.base.text import SafeText, clean
from console.config.schema import Config, Profile
from console.config.values import Colour
from console.kinds.alerts import facts as alerts
from console.kinds.calls.facts import waits_exact
from console.live.delta import Freshness
from console.ui.widgets.top_line import badge
from console.views.cell import Tone
from console.views.wording import least_age, plural

if TYPE_CHECKING:
    from console.live.authentication import LoginDetails
    from console.live.command import Ticket
    from console.ui.screens.app_context import AppContext

_TONES: Mapping[Colour, Tone] = {
    "blue": Tone.NOTICE,
    "green": Tone.GOOD,
    "yellow": Tone.WARN,
    "red": Tone.BAD,
    "white": Tone.STRONG,
}
_FATAL = {
    "login": "log in",
    "password": "new password needed",
    "certificate": "not trusted",
    "config": "not usable",
}
"""Event that a profile waits for after an error that only a person can solve."""
_IN_TURN: tuple[Colour, ...] = ("blue", "green", "yellow", "white")


class OpenedProfile(Frozen):
    """An opened profile."""

    context: AppContext
    login: LoginDetails | None


Opener = Callable[[str], tuple["AppContext", "LoginDetails"]]
"""Creates context and login of a profile by name, without connecting. Raises an error with a message for people."""


class Profiles:
    """The configured profiles, and those opened in this session."""

    def __init__(self, first: OpenedProfile, opener: Opener | None) -> None:
        self._opener = opener
        self._opened = {first.context.profile_name: first}
        self._here = first.context.profile_name
        self._before = self._here
        self._screens: dict[str, str] = {}
        self._past: OpenedProfile | None = None
        self._pasts: dict[str, OpenedProfile] = {}
        """The past of profiles, once it was shown."""

    @property
    def here(self) -> OpenedProfile:
        """The profile that is shown, or its past."""
        return self._past or self.present

    @property
    def present(self) -> OpenedProfile:
        """The profile that is shown, or whose past is."""
        return self._opened[self._here]

    @property
    def opened(self) -> tuple[OpenedProfile, ...]:
        """All opened profiles, in the order of opening."""
        return tuple(self._opened.values())

    @property
    def contexts(self) -> tuple[AppContext, ...]:
        """The contexts of all opened profiles, and of the pasts that were shown."""
        return tuple(opened.context for opened in (*self._opened.values(), *self._pasts.values()))

    @property
    def names(self) -> tuple[str, ...]:
        """All profiles that can be shown: the configured ones, and the first one, such as the demo's."""
        known = self.here.context.config.profiles if self._opener is not None else {}
        return tuple(dict.fromkeys((*known, *self._opened)))

    @property
    def before(self) -> str | None:
        """The profile that was shown before this one."""
        return self._before if self._before != self._here else None

    def show(self, name: str, mode: str) -> tuple[str, bool]:
        """Make a profile the shown one; `mode` is the current one, to return to later.

        Return the mode to switch to, and whether the profile is new. Raise what the opener raises.
        """
        new = name not in self._opened
        if new:
            assert self._opener is not None
            context, login = self._opener(name)
            self._opened[name] = OpenedProfile(context, login)
        if self._past is None:
            self._screens[self._here] = mode
        self._past = None
        self._before, self._here = self._here, name
        return self._screens.get(name, self.here.context.mode_of("home")), new

    def known_past(self) -> AppContext | None:
        """Return the past of the profile that is shown, if it was opened before."""
        known = self._pasts.get(self._here)
        return known.context if known is not None else None

    def show_past(self, past: AppContext, mode: str) -> None:
        """Show the past of the profile; `mode` is the current one, to return to later."""
        self._screens[self._here] = mode
        self._past = self._pasts[self._here] = OpenedProfile(past, None)

    def show_present(self) -> str:
        """Return to now. Return the mode to switch to."""
        self._past = None
        return self._screens.get(self._here, self.here.context.mode_of("home"))

    def tickets_elsewhere(self) -> tuple[Ticket, ...]:
        """Return the commands of the profiles that are not shown."""
        return tuple(
            ticket for one in self.opened if one is not self.here for ticket in one.context.backend.commands.tickets()
        )

    def lines(self) -> Iterator[tuple[str, SafeText]]:
        """Return each profile with its state in words: freshness, alerts, longest wait, user."""
        for name in self.names:
            opened = self._opened.get(name)
            if opened is None:
                yield name, clean(f"not open   {self.here.context.config.profiles[name].core}", 80)
            else:
                yield name, _state(opened.context)


def _state(context: AppContext) -> SafeText:
    backend, render = context.backend, context.render_context()
    fatal = backend.fatal
    if fatal is not None:
        return clean(f"{_FATAL[fatal.kind]}: {fatal.reason}", 80)
    health = backend.health("alerts")
    parts = ["".join(part.text for part in badge(health if health.state is not Freshness.REFUSED else backend.link))]
    if health.age is not None:
        active = alerts.active(render)
        oldest = alerts.oldest(active)
        exact = alerts.oldest_exact(active, exact=alerts.active_exact(render))
        age = "" if oldest is None else f" {least_age(render.now_ms - oldest, render, exact=exact)}"
        parts.append(f"{plural(len(active), 'alert')}{age}" if active else "no alerts")
    longest = context.waits.longest(render)
    wait = None if longest is None else longest.ms(render.now_ms)
    exact = not context.waits.untimed and waits_exact(render)
    parts += [f"longest wait {least_age(wait, render, exact=exact)}"] if wait is not None else []
    parts += [backend.me.user.username or ""] if backend.me else []
    parts += ["read-only"] if context.profile.refuses_changes else []
    return clean("   ".join(parts), 120)


def tone_of(name: str, profile: Profile, config: Config) -> Tone | None:
    """Return the tone of a profile's name and tab; None if it needs none, because it is the only one."""
    if profile.colour is not None:
        return _TONES[profile.colour]
    if profile.production:
        return Tone.BAD
    others = [
        other_name for other_name, other in config.profiles.items() if not other.production and other.colour is None
    ]
    if len(config.profiles) < 2 or name not in others:
        return None
    return _TONES[_IN_TURN[others.index(name) % len(_IN_TURN)]]
