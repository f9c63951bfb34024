"""The forms of addresses in a profile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from console.config.settings import Checked, Settings


def _address(value: str) -> str:
    _, placeholder, suffix = value.partition("{id}")
    if not placeholder or "{id}" in suffix:
        raise ValueError('must contain {id} once, such as "wac-user:{id}"')
    return value


Address = Annotated[str, Checked(_address)]


class AddressForms(Settings):
    """The forms of addresses: a text with `{id}` in place of the id, or only that."""

    user: Address = "svc-user:{id}"
    """Address of a user in calls, presence and chats."""
    group: Address = "svc-group:{id}"
    """Address of a group as the owner of a SIP mapping."""
    also: tuple[str, ...] = ()
    """Further forms in which some lists name users, such as `["sip:{id}@voice.example"]` for calls."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Report equal forms, and further ones that every text has or that have no id."""
        if self.user == self.group:
            yield "group", "must differ from user"
        for form in self.also:
            if form.count("{id}") != 1 or form == "{id}":
                yield "also", 'must be texts with {id} once and more around it, such as "sip:{id}@voice.example"'
