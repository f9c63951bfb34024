"""What every screen is given: the desk it looks at, who sits there, and how things are to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from console.actions.action import Situation
from console.clock import Clock
from console.config import Config, Profile
from console.live.desk import Desk
from console.records.record import Record
from console.tables.sight import Sight


@dataclass
class Station:
    """One profile being worked on. Screens take what they need from here and hold nothing of it twice."""

    desk: Desk
    config: Config
    profile_name: str
    profile: Profile
    clock: Clock
    zone: ZoneInfo
    keys: Mapping[str, tuple[str, ...]]
    """Action or view key id to the keys that trigger it, after the configuration's key map."""
    jumps: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Where the operator came from: screen, kind and key, the newest last."""

    @property
    def user_id(self) -> str:
        """The caller's id, empty before the first answer."""
        return self.desk.me.user.id if self.desk.me else ""

    def sight(self) -> Sight:
        """Return the view point of this moment."""
        return Sight(
            now_ms=self.clock.now_ms(),
            zone=self.zone,
            me=self.user_id,
            known=self.desk.records,
            symbols=self.config.symbols,
        )

    def situation(self, selected: Record | None = None) -> Situation:
        """Return who acts, for deciding what may be done."""
        user = self.desk.me.user if self.desk.me else None
        return Situation(
            sight=self.sight(),
            user_id=user.id if user else "",
            username=(user.username or "") if user else "",
            role=(user.role or "user") if user else "anonymous",
            read_only=self.profile.read_only,
            selected=selected,
        )

    def key_words(self, identifier: str) -> str:
        """Return how the first key of an action is written for people: `^r`, `space`, `/`."""
        keys = self.keys.get(identifier, ())
        return key_name(keys[0]) if keys else ""


_NAMES = {
    "slash": "/",
    "question_mark": "?",
    "colon": ":",
    "enter": "⏎",
    "escape": "esc",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "asterisk": "*",
    "exclamation_mark": "!",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "equals_sign": "=",
    "shift+up": "⇧↑",
    "shift+down": "⇧↓",
}


def key_name(key: str) -> str:
    """Write one of Textual's key names as people read it."""
    if key in _NAMES:
        return _NAMES[key]
    return key.replace("ctrl+", "^").replace("shift+", "⇧") if len(key) > 1 else key
