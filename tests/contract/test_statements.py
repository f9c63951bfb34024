"""Statements of each operation: each is a round trip to a database server, so their number must not grow with data."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager
from typing import Any, cast

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from console.api.annotations import Variant
from console.api.request import Request
from console.base.clock import Clock
from console.records.traffic import Call
from console.service import periodic_jobs
from console.service.auth.passwords import Cost
from console.service.auth.sealing import Seals
from console.service.domain import agents, calls
from console.service.handlers import load_handlers
from console.service.periodic_jobs import JOBS, Job
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from console.service.scenarios.spec import WorldSpec
from console.service.simulator.simulator import Simulator
from console.service.store.database import Database
from console.service.store.outbox import metadata
from tests.contract.case import CASES, UNSTEADY, prepared
from tests.contract.cases import load_cases
from tests.manual_clock import ManualClock
from tests.service.over_http import session_of
from tests.services import Beginning, LentClock, Services

load_cases()
# It registers the periodic jobs.
load_handlers()
COPIES = 4
UNIQUE_FOR_AN_OWNER = {"sip_identities", "credentials"}
"""Tables of which a copy would be a state that cannot exist: two SIP identities of one mapping, two passwords."""
BY_NAME = {"gateway.group"}
"""Operations that refuse a name of several groups."""
OPERATIONS = {request.operation.name: request for request in CASES if request.operation.name not in BY_NAME}
IDENTIFYING = ("group_id", "user_id", "contact_device_id", "name", "id")
"""Fields of entries by which they differ."""
WITH_LISTS = (
    "addresses.resolve",
    "addresses.update",
    "agents.set",
    "conferences.update-notify",
    "contacts.insert",
    "datapipes.create",
    "groups.create-many",
    "groups.update",
    "meetings.create",
    "meetings.update",
    "presence.subscribe-many",
    "sessions.update-many",
    "skills.attach-many",
    "skills.create",
    "templates.attach-receivers",
)
"""Operations whose lists name records."""
PERIODIC = tuple(JOBS)
Change = Callable[[Request[Any]], Request[Any]]
COPIED: dict[tuple[str, str], list[dict[str, Any]]] = {}
"""Copies by table and rows: most cases have the rows of the scenario, and copying those is most of the work."""
unseal = Seals.unseal


def unseal_copies(self: Seals, purpose: str, text: str) -> str:
    """Decrypt as the service does; copies are encrypted for another record."""
    try:
        return unseal(self, purpose, text)
    except ValueError:
        return "{}"


@pytest.fixture(scope="module")
def services() -> Generator[Services]:
    """Services without periodic jobs, whose statements would be counted too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(periodic_jobs, "JOBS", [])
        patch.setattr(Seals, "unseal", unseal_copies)
        services = Services()
        yield services
        services.close()


def multiply(platform: Platform) -> None:
    """Add copies of all rows under other keys, which belong to the same people and groups."""
    with platform.write() as tx:
        for table in metadata.sorted_tables:
            if table.name in UNSTEADY | UNIQUE_FOR_AN_OWNER | {"facts"}:
                continue
            rows = [dict(row) for row in tx.run(sa.select(table)).mappings()]
            known = table.name, repr(rows)
            if known not in COPIED:
                COPIED[known] = _copies(table, rows)
            if rows:
                tx.run(sa.insert(table), COPIED[known])
                tx.touch(table.name, None)
    platform.forget()


def _copies(table: sa.Table, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    unique = {column.name for column in table.columns if column.unique or column.primary_key or column.name == "id"}
    unique |= {column.name for index in table.indexes if index.unique for column in index.columns}
    return [_copied(row, unique, number) for row in rows for number in range(COPIES)]


def _copied(row: dict[str, Any], unique: set[str], number: int) -> dict[str, Any]:
    texts = {row[name]: f"{row[name]}~{number}" for name in unique if isinstance(row.get(name), str)}
    numbers = {name: row[name] + 100_000 * (number + 1) for name in unique if type(row.get(name)) is int}
    copy = {**row, **{name: texts[row[name]] for name in unique if row.get(name) in texts}, **numbers}
    try:
        body = json.loads(row.get("body") or "null")
    except ValueError:
        # An encrypted one.
        return copy
    if isinstance(body, dict):
        wire = cast("dict[str, Any]", body)
        renamed = {name: texts.get(value, value) if isinstance(value, str) else value for name, value in wire.items()}
        copy["body"] = json.dumps(renamed)
    return copy


def same(request: Request[Any]) -> Request[Any]:
    return request


def longer(request: Request[Any]) -> Request[Any]:
    """Return the request with more entries in its lists, which exist after `multiply`."""
    values = {value.field: getattr(request, value.field) for value in type(request).inputs()}
    return type(request)(
        **{
            name: _longer(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value
            for name, value in values.items()
        }
    )


def _longer(entries: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*entries, *(_another(entry, number) for entry in entries for number in range(COPIES)))


def _another(entry: Any, number: int) -> Any:
    if isinstance(entry, str):
        return f"{entry}~{number}"
    given = {name: getattr(entry, name, None) for name in IDENTIFYING}
    return entry.model_copy(
        update={name: f"{value}~{number}" for name, value in given.items() if isinstance(value, str)}
    )


@contextmanager
def counted(platform: Platform) -> Generator[list[str]]:
    """Note all statements."""
    statements: list[str] = []

    def note(connection: object, cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    with platform.read() as tx:
        engine = tx.connection.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)


async def statements_of(services: Services, name: str, *, grown: bool, change: Change = same) -> int:
    """Return the number of statements of an operation's case, after the data has grown, or for a changed request."""
    case = CASES[OPERATIONS[name]]
    with ExitStack() as stack:
        setup = prepared(stack, services, OPERATIONS[name].operation.variant or Variant.LATER)
        client = setup.client(case.by)
        try:
            request = change(case.asks(setup))
            if grown:
                multiply(setup.platform)
            setup.platform.forget()
            with counted(setup.platform) as statements:
                await client.send(request)
            assert statements
            return len(statements)
        finally:
            await client.close()


@pytest.mark.timeout(300)
async def test_an_operation_takes_as_many_statements_for_many_rows_as_for_few(services: Services) -> None:
    looping: set[str] = set()
    for name in OPERATIONS:
        few, many = [await statements_of(services, name, grown=grown) for grown in (False, True)]
        # With more data, there may be something more to do, once.
        if many > few + 2:
            looping.add(name)
    assert not looping


def started(world: str, clock: Clock) -> Platform:
    """Return a platform with a scenario, sessions, and a guest."""
    settings = ServiceSettings(password_cost=Cost.cheap())
    platform = Platform(Database(None, clock.now_ms), clock, settings)
    fill(platform, world)
    for name in ("eva", "ana", "guest"):
        session_of(platform, name)
    return platform


@pytest.fixture(scope="module")
def few_and_many() -> Generator[list[tuple[Platform, Beginning]]]:
    """Platforms with few rows and with many, and the state to which a test puts them back."""
    with ExitStack() as stack:
        found: list[tuple[Platform, Beginning]] = []
        for grown in (False, True):
            clock = LentClock(ManualClock())
            platform = stack.enter_context(closing(started("busy", clock)))
            if grown:
                multiply(platform)
            found.append((platform, stack.enter_context(closing(Beginning(platform, clock)))))
        yield found


@pytest.mark.parametrize("job", [repeated.job for repeated in PERIODIC], ids=lambda job: job.__name__)
def test_a_periodic_job_after_a_week_takes_as_many_statements_for_many_rows_as_for_few(
    few_and_many: list[tuple[Platform, Beginning]], job: Job
) -> None:
    counts: list[int] = []
    for platform, beginning in few_and_many:
        clock = ManualClock()
        beginning.put_back(clock)
        clock.advance(8 * 24 * 3600)
        with counted(platform) as statements:
            job(platform)
        counts.append(len(statements))
    few, many = counts
    assert few > 0
    assert many <= few + 2


def test_queues_without_free_agents_are_served_with_as_many_statements_for_many_queues_as_for_few() -> None:
    counts: list[int] = []
    for queues in (1, 20):
        platform = started("quiet", ManualClock())
        simulator = Simulator(platform, WorldSpec(title="Queues"))
        simulator.step(0.5)
        for number in range(queues):
            agents.create_skill(platform, f"skill-{number}", ())
            call = calls.begin(platform, Call(id=f"call-{number}", caller="+34600000000", callee="+34900000000"))
            calls.enqueue(platform, call.id, f"skill-{number}")
        with counted(platform) as statements:
            simulator.step(1.0)
        counts.append(len(statements))
    few, many = counts
    assert many == few


@pytest.mark.timeout(300)
async def test_an_operation_takes_as_many_statements_for_a_long_list_as_for_a_short_one(services: Services) -> None:
    looping: set[str] = set()
    for name in WITH_LISTS:
        few, many = [await statements_of(services, name, grown=True, change=change) for change in (same, longer)]
        if many > few + 2:
            looping.add(name)
    assert not looping
