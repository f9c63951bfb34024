"""The meaning of refusals of a deployment."""

from __future__ import annotations

from collections.abc import Mapping

from console.api.errors import BY_STATUS, MEANINGS, NotOffered, Refused
from console.base.frozen import Frozen, field
from console.client.error_bodies import codes_in


class Meanings(Frozen):
    """The meaning of a deployment's refusals, by the names in `MEANINGS`."""

    statuses: Mapping[int, str] = field(default_factory=dict[int, str])
    """By HTTP status."""
    refusals: Mapping[str, str] = field(default_factory=dict[str, str])
    """By a code in the body, or a part of its text."""

    def of(self, status: int, body: bytes, reason: str) -> type[Refused] | type[NotOffered] | None:
        """Return the class of a refusal, or None if neither the deployment nor the status says it.

        A body may contain an HTTP status, for services that answer everything with 200.
        """
        codes = codes_in(body) if self.refusals or status < 300 else ()
        matching_meanings = [
            meaning for text, meaning in self.refusals.items() if text in codes or text.lower() in reason.lower()
        ]
        meaning = MEANINGS.get(next(iter(matching_meanings), "")) or MEANINGS.get(self.statuses.get(status, ""))
        if meaning is not None or status >= 300:
            return meaning or BY_STATUS.get(status)
        return next((BY_STATUS[int(code)] for code in codes if code.isdecimal() and int(code) in BY_STATUS), None)


USUAL = Meanings()
"""The meanings of the contract."""
