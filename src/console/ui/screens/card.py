"""Details of users and domains, with data that are requested when they are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from console.api.operations.domains import GetCapabilities
from console.api.operations.permissions import GetDomainPermissions, GetOwnPermissions, GetUserPermissions
from console.api.operations.provisioning import GetProvisionedUser
from console.api.operations.sip import GetSipMapping
from console.api.request import Request
from console.kinds.users.card import compared, mapping_lines, permission_lines, permissions_in_force
from console.live.store import Asked
from console.records.domains import Domain
from console.records.people import User
from console.records.record import Record
from console.ui.screens.asked import AskedLines, lines_of
from console.ui.screens.detail import DetailScreen
from console.ui.screens.list_pane import ListPane
from console.views.cell import Line, Section
from console.views.lines import pair
from console.views.render_context import RenderContext

Read = Callable[[Any, RenderContext], tuple[Line, ...]]


class Card(DetailScreen):
    """A detail with sections that are requested when they are shown."""

    def __init__(self, source: ListPane, key: str) -> None:
        super().__init__(source, key)
        self._parts: list[tuple[str, str, AskedLines, str]] = []

    def asks(self, name: str, title: str, request: Request[Any], read: Read, none: str) -> None:
        """Add a section whose lines `read` renders from the answer; `none` is the text for "not found"."""
        self._parts.append((name, title, self.asked(request, read), none))

    def asked(self, request: Request[Any], read: Read) -> AskedLines:
        """Return a request whose answer is rendered with the context of its arrival."""
        context = self.context
        return Asked(context.store, request, lambda answer: read(answer, context.render_context()))

    def sections(self) -> tuple[Section, ...]:
        """Return the record's own sections, with the requested ones before the raw record."""
        own = super().sections()
        asked = tuple(
            Section(name, title, lines_of(asked_lines, none)) for name, title, asked_lines, none in self._parts
        )
        return (*own[:-1], *asked, *own[-1:])


class UserCard(Card):
    """The detail of a user, with permissions and their origin, gateway name, and provisioning record."""

    def __init__(self, source: ListPane, user: User) -> None:
        super().__init__(source, user.key)
        self._user = user
        self._own = self.asked(GetUserPermissions(id=user.id), permission_lines)
        self.asks("counts", "Permissions", GetOwnPermissions(user_id=user.id), self._permissions, "none")
        self.asks(
            "sip",
            "SIP mapping",
            GetSipMapping(owner_uri=self.context.addresses.user.of(user.id)),
            mapping_lines,
            "none",
        )
        if user.domain and user.username:
            request = GetProvisionedUser(domain=user.domain, username=user.username)
            self.asks("provisioning", "Core and provisioning", request, self._compared, "not provisioned")

    def _permissions(self, permissions: Any, render: RenderContext) -> tuple[Line, ...]:
        return permissions_in_force(permissions, self._own.answer, self._own.answered, self._user.domain, render)

    def sections(self) -> tuple[Section, ...]:
        """Return the current sections. The origin of permissions is computed again whenever it may have changed."""
        self._own.look()
        return tuple(self._with_origin(section) for section in super().sections())

    def _with_origin(self, section: Section) -> Section:
        counts = next((asked_lines for name, _, asked_lines, _ in self._parts if name == section.id == "counts"), None)
        if counts is None or counts.answer is None:
            return section
        lines = self._permissions(counts.answer, self.context.render_context())
        return Section(section.id, section.title, lines)

    def _compared(self, provisioned: Any, render: RenderContext) -> tuple[Line, ...]:
        record = self._source.find(self._user.key)
        return compared(record if isinstance(record, User) else self._user, provisioned, render)


class DomainCard(Card):
    """The detail of a domain, with the permissions that its users have by default."""

    def __init__(self, source: ListPane, domain: Domain) -> None:
        super().__init__(source, domain.key)
        none = "none: its users have only their own permissions"
        self.asks("permissions", "Permissions of its users", GetDomainPermissions(id=domain.id), permission_lines, none)
        self.asks("capabilities", "Capabilities", GetCapabilities(domain=domain.name), _capability_lines, "none")


def _capability_lines(capabilities: Any, render: RenderContext) -> tuple[Line, ...]:
    return (pair("Domain", ", ".join(capabilities.domain), render),)


def card_of(source: ListPane, record: Record) -> Card | None:
    """Return the card of a user or domain, None for other records."""
    if isinstance(record, User):
        return UserCard(source, record)
    return DomainCard(source, record) if isinstance(record, Domain) else None
