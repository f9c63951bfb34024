"""The forms of addresses in a profile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from console.settings import Checked, Settings


def _address(value: str) -> str:
    _, found, suffix = value.partition("{id}")
    if not found or "{id}" in suffix:
        raise ValueError('must contain {id} once, such as "wac-user:{id}"')
    return value


Address = Annotated[str, Checked(_address)]


class AddressForms(Settings):
    """The forms of addresses: a text with `{id}` in place of the id, or only that."""

    user: Address = "svc-user:{id}"
    """Address of a user in calls, presence and chats."""
    group: Address = "svc-group:{id}"
    """Address of a group as the owner of a SIP mapping."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Report equal forms."""
        if self.user == self.group:
            yield "group", "must differ from user"
