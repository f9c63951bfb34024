"""The lists and details of the administration, whose data are requested while they are shown.

Lists are loaded page by page; details of users and domains have data of several requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from console.api.errors import NotOffered
from console.api.listed import record_type
from console.api.operations.domains import GetCapabilities
from console.api.operations.permissions import GetDomainPermissions, GetOwnPermissions, GetUserPermissions
from console.api.operations.provisioning import GetProvisionedUser
from console.api.operations.sip import GetSipMapping
from console.api.request import Request
from console.base.text import as_label, clean
from console.kinds.catalogue import FEEDS, RESOURCES
from console.kinds.resource import Resource
from console.kinds.resources import list_of, operations_of
from console.kinds.tables import TABLES
from console.kinds.users.columns import compared, mapping_lines, permission_lines, permissions_in_force
from console.live.delta import Delta, Health
from console.live.paged_list import PagedList
from console.live.store import Asked
from console.records.domains import Domain
from console.records.people import User
from console.records.record import Record
from console.ui.screens.app_context import AppContext
from console.ui.screens.detail import DetailScreen
from console.ui.screens.list_pane import ListPane
from console.ui.screens.overlay import AskedLines, lines_of
from console.ui.widgets.styled_line import Piece, piece, pieces
from console.views.cell import Line, Section, Tone
from console.views.generated_table import generated_table
from console.views.lines import pair
from console.views.render_context import RenderContext
from console.views.view import NOTHING, Repaint
from console.views.wording import in_sentence

_AHEAD = 30
"""The number of rows below the cursor at which the next page is requested."""


def paged_list(context: AppContext, resource: Resource, *, whole: bool = False) -> PagedList:
    """Return the list of a resource. If the deployment has none, it is empty and gives the reason."""
    try:
        pages = PagedList(context.store, resource.name, list_of(resource, context.lacks), whole=whole)
        pages.filters = dict(resource.asks)
        return pages
    except NotOffered as error:
        return PagedList(context.store, resource.name, None, lacking=error.reason)


class BrowserPane(ListPane):
    """The rows of a resource, loaded while the list is shown, and more of them as the cursor nears the end."""

    def __init__(self, context: AppContext, resource: Resource) -> None:
        self.resource = resource
        self.pages = context.store.displayed[resource.name] = paged_list(context, resource)
        record = record_type(self.pages.lists) if self.pages.lists is not None else Record
        self._places: dict[str, int] = {}
        self._changes: Delta[Any] | None = None
        table = TABLES.get(resource.name) or generated_table(
            resource.name,
            resource.title,
            resource.one,
            record,
            resource.shown,
            lambda row: self._places.get(row.key, 0),
        )
        super().__init__(context, table)
        self._beside = [kind for kind in table.follows if kind not in FEEDS and kind in RESOURCES]

    # -- requests --------------------------------------------------------------------------------------------------

    def narrow(self, filters: Mapping[str, Any]) -> None:
        """Set the filters that are sent to the service."""
        self.pages.narrow(filters)
        self.scope_words = clean("  ".join(f"{as_label(name)} {value}" for name, value in filters.items()), 70) or None

    def again(self) -> None:
        """Load the rows again, with the lists that they depend on."""
        self.pages.again()
        for companion in self._companions():
            companion.again()

    def look(self) -> None:
        """Take what was read, and request the next page if needed."""
        for companion in self._companions():
            companion.delta()
        index = self.view.index(self.view.cursor_key)
        self._changes = self.pages.delta(further=index is not None and index >= self.view.matched - _AHEAD)

    def source(self) -> Repaint:
        """Return the changes since the last look."""
        if self._changes is None:
            return NOTHING
        self._places = {key: place for place, key in enumerate(self.pages.rows)}
        return self.view.apply(self._changes)

    def _companions(self) -> Iterator[PagedList]:
        """Yield the lists that these rows depend on: the mappings that use an identity, the parents of a domain."""
        companions = self.context.store.companions
        for kind in self._beside:
            if kind not in companions:
                companions[kind] = paged_list(self.context, RESOURCES[kind], whole=True)
            yield companions[kind]

    @property
    def health(self) -> Health:
        """The freshness of the rows."""
        return self.pages.health

    @property
    def count(self) -> int:
        """The number of rows read so far."""
        return len(self.pages.rows)

    def find(self, key: str) -> Record | None:
        """Return a row as last received."""
        return self.view.record(key)

    # -- texts -----------------------------------------------------------------------------------------------------

    def totals(self) -> list[Piece]:
        """Return the number of rows, and how many are loaded."""
        loaded, total = self.view.total, self.pages.total
        title = self.table.one if (total or loaded) == 1 else in_sentence(self.table.title)
        figures = pieces(self.view.totals())
        if total is not None and total > loaded:
            count = [piece(f"{loaded} of {total} {title}", Tone.STRONG)]
            return [*count, piece(" so far", Tone.QUIET), *figures[1:]] if figures else count
        if loaded and self.pages.has_more:
            return [piece(f"first {loaded} {title}", Tone.STRONG), *figures[1:]]
        return figures or [piece(f"{loaded} {title}", Tone.STRONG)]

    def why_empty(self) -> str:
        """Return what is needed before rows can be listed."""
        if not self.resource.lists:
            done = "; ".join(
                in_sentence(operation.operation.words.rstrip(".")) for operation in operations_of(self.resource)[:4]
            )
            press = self.context.press("admin.menu", "choose an action")
            return f"The service cannot list these. {press} The actions: {done}."
        if self.pages.missing:
            wanted = ", ".join(in_sentence(as_label(value)) for value in self.pages.missing)
            return self.context.press("view.open", f"fill in: {wanted}")
        return ""


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
