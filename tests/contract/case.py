"""The test cases of operations: a good request with its effect, callers who are refused, and bad input."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, cast, get_origin
from weakref import WeakKeyDictionary

import httpx
import sqlalchemy as sa

from console.api.annotations import InputPlace, Variant
from console.api.outgoing import outgoing
from console.api.request import Request
from console.api.values import choices
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
from tests.contract.rows import row_of
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
"""Values that are refused besides the derived ones, by status and wire name. None is no value. Of several names, given
as a tuple, values are replaced together."""


Steps = Generator[Request[Any], Any]


@dataclass(frozen=True)
class Case:
    """The test case of an operation."""

    steps: Callable[[CaseSetup], Steps]
    """Prepares the data, yields a request that succeeds, and asserts on its typed answer and on the service's data."""
    by: str = "eva"
    """The caller."""
    not_for: tuple[str, ...] = ()
    """Users who are refused with 403 for lack of a relation. Who lacks the role follows from the operation's access."""
    bad: BadInputs = field(default_factory=dict[int, Mapping[Any, Sequence[Any]]])
    """What neither the contract's inputs nor their types tell. A 403 for a name in the path replaces its 404."""
    variants: tuple[Variant, ...] = (Variant.LATER, Variant.EARLIER)

    def asks(self, setup: CaseSetup) -> Request[Any]:
        """Prepare the data and return the request, whose answer nobody looks at."""
        return next(self.steps(setup))

    def bad_values(self, request: type[Request[Any]], variant: Variant) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yield each bad input: the expected status, and the values that replace those of the good request."""
        own = {(status, name) for status, inputs in self.bad.items() for name in inputs}
        for status, name, value in derived_bad_values(request, variant):
            # Who may not even learn that there is no such record is refused with 403.
            if status != 404 or (403, name) not in own:
                yield status, {name: value}
        for status, inputs in self.bad.items():
            for names, values in inputs.items():
                for value in values:
                    several = isinstance(names, tuple)
                    yield status, dict(zip(cast("Any", names), value, strict=True)) if several else {names: value}


PAGING = {"page[size]": "0", "page[after]": "x", "limit": "0", "paginate[max]": "0"}
"""Values that no list accepts for its pages."""


def derived_bad_values(request: type[Request[Any]], variant: Variant) -> Iterator[tuple[int, str, Any]]:
    """Yield what every operation refuses, as status, name and value, by the contract's inputs and their types.

    It refuses unknown records in the path, values of another type, and the lack of what the contract requires.
    """
    if request.operation.is_extension:
        return
    for asked in row_of(request.operation.name)[1].inputs:
        if asked.variant not in {None, variant}:
            continue
        declared = next(each for each in request.inputs() if (each.travels, each.place) == (asked.name, asked.place))
        if declared.wire != declared.travels:
            # Its name in the request is that of another input, too.
            continue
        if declared.wire in request.operation.route.fields:
            yield 404, asked.name, "none"
            continue
        if asked.place is InputPlace.QUERY and asked.name in PAGING:
            yield 400, asked.name, PAGING[asked.name]
        if variant in asked.required and not asked.instead and asked.place is InputPlace.BODY:
            yield 400, asked.name, None
            if declared.least and wrong_of(declared.annotation, asked.place) == 3:
                yield 400, asked.name, ""
        wrong = wrong_of(declared.annotation, asked.place)
        if wrong is not None:
            yield 400, asked.name, wrong


def wrong_of(annotation: Any, place: InputPlace) -> Any:
    """Return a value of another type than those that an input can have, None if it accepts every value."""
    kinds = {get_origin(each) or each for each in choices(annotation)}
    if Any in kinds:
        return None
    if place is not InputPlace.QUERY:
        return 3 if kinds == {str} else "x" if str not in kinds else None
    if kinds <= {int, float}:
        return "then"
    return {frozenset({bool}): "perhaps", frozenset({Literal}): "x"}.get(frozenset(kinds))


TOKENS: WeakKeyDictionary[Platform, dict[str, str]] = WeakKeyDictionary()
"""Tokens of the sessions in each service, by user."""
CASES: dict[type[Request[Any]], Case] = {}
"""All cases, one per operation of the catalogue."""


def case(
    request: type[Request[Any]],
    *,
    by: str = "eva",
    not_for: tuple[str, ...] = (),
    bad: BadInputs | None = None,
    variants: tuple[Variant, ...] = (Variant.LATER, Variant.EARLIER),
) -> Callable[[Callable[[CaseSetup], Steps]], Callable[[CaseSetup], Steps]]:
    """Declare the case of an operation; the decorated function has its steps. See `Case` for the arguments."""

    def register(steps: Callable[[CaseSetup], Steps]) -> Callable[[CaseSetup], Steps]:
        if request in CASES:
            raise ValueError(f"{request.operation.name} has two cases")
        CASES[request] = Case(steps, by, not_for, bad or {}, variants)
        return steps

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
