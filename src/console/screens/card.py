"""Everything about one person in one pane: what both services hold, and what is going on with them now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from console.api.operations.permissions import GetOwnPermissions, GetUserPermissions
from console.api.operations.provisioning import GetProvisionedUser
from console.api.operations.sip import GetSipMapping
from console.api.request import Request
from console.records.people import User
from console.screens.asked import Asked
from console.screens.detail import DetailScreen
from console.screens.list_pane import ListPane
from console.tables.card import compared, mapping_lines, permission_lines
from console.tables.cell import Line, Section
from console.tables.sight import Sight


class UserCard(DetailScreen):
    """The detail of a user, with what only asking can tell: permissions, gateway name, the provisioning record."""

    def __init__(self, source: ListPane, user: User) -> None:
        super().__init__(source, user.key)
        self._user = user
        self._parts: list[tuple[str, str, Asked]] = []
        self._ask("counts", "Permissions that count", GetOwnPermissions(user_id=user.id), permission_lines, "none")
        own = "none: those of the domain count"
        self._ask("own", "Permissions of their own", GetUserPermissions(id=user.id), permission_lines, own)
        self._ask("sip", "SIP mapping", GetSipMapping(owner_uri=user.address), mapping_lines, "none")
        if user.domain and user.username:
            request = GetProvisionedUser(domain=user.domain, username=user.username)
            self._ask("provisioning", "Core and provisioning", request, self._compared, "not provisioned")

    def _ask(
        self,
        name: str,
        title: str,
        request: Request[Any],
        read: Callable[[Any, Sight], tuple[Line, ...]],
        none: str,
    ) -> None:
        station = self._source.station
        asked = Asked(station, request, lambda answer: read(answer, station.sight()), none)
        self._parts.append((name, title, asked))

    def _compared(self, provisioned: Any, sight: Sight) -> tuple[Line, ...]:
        found = self._source.find(self._user.key)
        return compared(found if isinstance(found, User) else self._user, provisioned, sight)

    def sections(self) -> tuple[Section, ...]:
        """Return the user's own parts with those that were asked for before the raw record."""
        own = super().sections()
        asked = tuple(Section(name, title, each.lines()) for name, title, each in self._parts)
        return (*own[:-1], *asked, *own[-1:])
