"""The test cases of operations: a good request with its effect, callers who are refused, and bad input."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

import httpx
import sqlalchemy as sa

from console.api.annotations import InputPlace, Variant
from console.api.outgoing import outgoing
from console.api.request import Request
from console.client.client import Client
from console.client.endpoint import Endpoint
from console.records.record import Record
from console.service.auth.caller import Caller
from console.service.auth.passwords import Cost
from console.service.domain import groups, people, sessions
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.documents import Documents
from console.service.store.outbox import metadata, outbox
from console.service.store.transaction import Transaction
from tests.background import Running
from tests.manual_clock import ManualClock
from tests.service.over_http import log_in, session_of
from tests.services import Services, driver_of, writes_of

R = TypeVar("R", bound=Record)
UNSTEADY = {"outbox", "status", "idempotency", "attempts"}
"""Tables that change by themselves or whose changes are checked elsewhere."""
VERSIONS = "(versions,"
"""Beginning of the row that PostgreSQL writes at each commit, also of a counted attempt."""


@dataclass(frozen=True)
class Content:
    """The contents of the database, without what changes with time alone."""

    tables: Mapping[str, frozenset[Any]]
    events: Sequence[tuple[int, str, str, str]]
    """Offset, topic, kind and key of every event."""


@dataclass
class CaseSetup:
    """A running service with the scenario `quiet`, sessions of its users, and the group `night` of ana."""

    service: Running
    clock: ManualClock
    variant: Variant
    stack: ExitStack
    notes: dict[str, Any] = field(default_factory=dict[str, Any])
    """Values that a case passes from its request to its assertions."""
    _clients: dict[str, httpx.Client] = field(default_factory=dict[str, httpx.Client])
    _dumped: tuple[object, Content] | None = None
    """The last dump, with the count of changes at that time."""

    @property
    def platform(self) -> Platform:
        return self.service.platform

    def token(self, name: str) -> str | None:
        """Return the token of a user's session, which exists from the beginning; `nobody` has none."""
        return TOKENS[self.platform].get(name)

    def raw(self, name: str) -> httpx.Client:
        """Return the client of a user, always the same."""
        if name not in self._clients:
            client = self._clients[name] = self.stack.enter_context(log_in(self.service, "nobody"))
            if (token := self.token(name)) is not None:
                client.headers["Authorization"] = f"Bearer {token}"
        return self._clients[name]

    def client(self, name: str) -> Client:
        endpoint = Endpoint(
            self.service.core_url,
            provisioning=f"{self.service.base_url}/provisioning",
            variant=self.variant,
            provisioning_variant=self.variant,
        )
        client = Client(endpoint)
        client.sessions.token = self.token(name)
        return client

    def need(self, documents: Documents[R], key: str) -> R:
        """Return a stored record."""
        with self.platform.read() as tx:
            return documents.need(tx, key)

    def row(self, documents: Documents[Any], key: str) -> Any:
        """Return the row of a record, or None."""
        with self.platform.read() as tx:
            return documents.row(tx, key)

    def records(self, documents: Documents[R], *where: Any, **more: Any) -> tuple[R, ...]:
        """Return the stored records that match."""
        with self.platform.read() as tx:
            return documents.records(tx, *where, **more)

    def count(self, documents: Documents[Any], *where: Any) -> int:
        """Return the number of records that match."""
        with self.platform.read() as tx:
            return documents.count(tx, *where)

    def caller(self, user: str) -> Caller:
        """Return a user as the caller of domain functions."""
        with self.platform.read() as tx:
            return Caller(people.need_user(tx, user))

    def dump(self) -> Content:
        """Return the contents of the database, cached until something is written."""
        with self.platform.read() as tx:
            written = writes_of(tx)
            if self._dumped is None or self._dumped[0] != written:
                names = metadata.tables.keys() - UNSTEADY
                tables = {name: frozenset(_rows(tx, name)) for name in names}
                events = sa.select(outbox.c.offset, outbox.c.topic, outbox.c.kind, outbox.c.key)
                events = events.where(outbox.c.topic != "status").order_by(outbox.c.offset)
                self._dumped = (
                    written,
                    Content(tables, [(row.offset, row.topic, row.kind, row.key) for row in tx.rows(events)]),
                )
            return self._dumped[1]


def _rows(tx: Transaction, table: str) -> list[tuple[Any, ...]]:
    """Return the rows of a table, with values that can be compared; SQLAlchemy is many times slower."""
    if isinstance(tx.connection.connection.driver_connection, sqlite3.Connection):
        return driver_of(tx).execute(f'SELECT * FROM "{table}"').fetchall()
    rows = tx.rows(sa.text(f'SELECT whole::text FROM "{table}" AS whole'))
    return [tuple(row) for row in rows if not row[0].startswith(VERSIONS)]


BadInputs = Mapping[int, Mapping[Any, Sequence[Any]]]
"""Values that are refused, by status and wire name. None is no value. Of several names, given as a tuple, values are
replaced together."""


@dataclass(frozen=True)
class Case:
    """The test case of an operation."""

    asks: Callable[[CaseSetup], Request[Any]]
    """Prepares the data and returns a request that succeeds."""
    proves: Callable[[CaseSetup, Any], None]
    """Asserts on the typed answer and on the service's data."""
    by: str = "eva"
    """The caller."""
    not_for: tuple[str, ...] = ()
    """Users who are refused with 403 for lack of a relation. Who lacks the role follows from the operation's access."""
    bad: BadInputs = field(default_factory=dict[int, Mapping[Any, Sequence[Any]]])
    """Empty only for operations without input that could be bad."""
    variants: tuple[Variant, ...] = (Variant.LATER, Variant.EARLIER)

    def bad_values(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yield each bad input: the expected status, and the values that replace those of the good request."""
        for status, inputs in self.bad.items():
            for names, values in inputs.items():
                for value in values:
                    several = isinstance(names, tuple)
                    yield status, dict(zip(cast("Any", names), value, strict=True)) if several else {names: value}


TOKENS: WeakKeyDictionary[Platform, dict[str, str]] = WeakKeyDictionary()
"""Tokens of the sessions in each service, by user."""
CASES: dict[type[Request[Any]], Case] = {}
"""All cases, one per operation of the catalogue."""


def case(
    request: type[Request[Any]],
    *,
    asks: Callable[[CaseSetup], Request[Any]],
    by: str = "eva",
    not_for: tuple[str, ...] = (),
    bad: BadInputs | None = None,
    variants: tuple[Variant, ...] = (Variant.LATER, Variant.EARLIER),
) -> Callable[[Callable[[CaseSetup, Any], None]], Callable[[CaseSetup, Any], None]]:
    """Declare the case of an operation; the decorated function makes the assertions. See `Case` for the arguments."""

    def register(proves: Callable[[CaseSetup, Any], None]) -> Callable[[CaseSetup, Any], None]:
        if request in CASES:
            raise ValueError(f"{request.operation.name} has two cases")
        CASES[request] = Case(asks, proves, by, not_for, bad or {}, variants)
        return proves

    return register


def prepared(stack: ExitStack, services: Services, variant: Variant) -> CaseSetup:
    """Prepare a service for one test."""
    clock = ManualClock()
    settings = ServiceSettings(variant=variant, password_cost=Cost.cheap(), caller_ids=True, remote_sip=True)
    service = stack.enter_context(services.anew(_fill, settings=settings, clock=clock))
    return CaseSetup(service, clock, variant, stack)


def _fill(platform: Platform) -> None:
    fill(platform, "quiet")
    with platform.read() as tx:
        users = {name: people.need_user(tx, name) for name in ("eva", "ana", "bob", "carla", "pat")}
    groups.create(platform, users["ana"], "Night shift", "night", participants=("bob", "carla"))
    TOKENS[platform] = {name: sessions.create(platform, user, None)[1] for name, user in users.items()}
    TOKENS[platform]["guest"] = session_of(platform, "guest")


def sent(
    client: httpx.Client, request: Request[Any], variant: Variant, replaced: Mapping[str, Any] | None = None
) -> httpx.Response:
    """Send a request over HTTP, with some of its wire values replaced."""
    out = outgoing(request, variant=variant)
    path, query = out.path, dict[str, Any](out.query)
    content: Any = json.loads(out.body or b"{}")
    route = request.operation.route
    for name, value in (replaced or {}).items():
        place = next((each.place for each in type(request).inputs() if each.wire == name), InputPlace.BODY)
        if name in route.fields:
            path = route.path(
                {**{each: str(getattr(request, _field(request, each))) for each in route.fields}, name: value}
            )
        elif place is InputPlace.QUERY:
            query[name] = value
        elif place is InputPlace.WHOLE_BODY:
            content = value
        elif value is None:
            content.pop(name, None)
        else:
            content[name] = value
    raw_path = f"/{request.operation.service.value}{path}".encode()
    url = httpx.URL(str(client.base_url)).copy_with(raw_path=raw_path)
    body = out.body if out.body is None or not replaced else json.dumps(content).encode()
    return client.request(route.method, url, params=query, content=body)


def _field(request: Request[Any], wire: str) -> str:
    return next(each.field for each in type(request).inputs() if each.wire == wire)


OAUTH_ERRORS = {"invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type"}
"""Error codes of a token request (RFC 6749, 5.2)."""


def assert_refusal(response: httpx.Response, status: int, shape: str) -> None:
    """Assert that a refusal has the contract's error shape (section 7)."""
    assert response.status_code == status, (response.status_code, response.text)
    body = response.json()
    if shape == "code":
        assert body["code"] == status
        assert isinstance(body["message"], str)
    elif shape == "oauth":
        assert (body["code"], body["message"]) == (status, body["error_description"])
        assert body["error"] in OAUTH_ERRORS
    elif shape == "message":
        assert isinstance(body["message"], str)
        assert "code" not in body
    elif shape == "error":
        assert isinstance(body["error"], str)
    else:
        assert isinstance(body["error"], str)
        assert body["message"] == body["validationErrors"]
        assert body["message"]
    for entry in body.get("validationErrors", ()):
        assert entry.keys() == {"keyword", "dataPath", "schemaPath", "params", "message"}
        assert isinstance(entry["params"], dict)
