"""How values of the contrary deployment are shown: an independent, small formatter."""

from __future__ import annotations

import time

from tests.third_party.contrary_words import seconds_of


class About(float):
    """A number of seconds that may differ by the duration of a test."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float) and abs(float(self) - float(other)) < 10

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = float.__hash__


def since(moment: object) -> About | None:
    """Return the seconds since a moment of the deployment."""
    return None if moment is None else About(max(0, time.time() - seconds_of(moment)))


def until(moment: object) -> About | None:
    """Return the seconds until a moment of the deployment."""
    return None if moment is None else About(max(0, seconds_of(moment) - time.time()))


def ms(moment: object) -> int | None:
    """Return a moment of the deployment in ms."""
    return None if moment is None else round(seconds_of(moment) * 1000)


def person(uid: object) -> str:
    """Return the name of a user."""
    return f"Person {uid}"


def named(address: str, *, home: bool = False) -> str:
    """Return what an address is shown as; people of the other realm with its name."""
    if not address.startswith("wac-user:"):
        return address.removeprefix("sip:")
    uid = int(address.removeprefix("wac-user:"))
    return person(uid) + ("" if uid % 5 or home else " @other")


def yes(value: object) -> bool:
    """Return a flag of the deployment."""
    return str(value).lower() in {"1", "true", "yes"}
