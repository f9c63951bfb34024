"""`console doctor`: reports which parts of a profile work, without changing anything."""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from console.api.annotations import Effect, Variant
from console.api.catalogue import catalogue
from console.cli.checks import examination
from console.cli.checks.sample_inputs import SAMPLES, wants_secret
from console.service.auth.passwords import Cost
from console.service.platform import ServiceSettings
from console.service.scenarios.fill import fill
from console.service.store.outbox import metadata
from tests.background import Running, start_background
from tests.cli.conftest import Console, Ended
from tests.manual_clock import ManualClock
from tests.portal import Instead, portal_to
from tests.services import Services, world

READING = {name for name, each in catalogue().items() if each.operation.effect is Effect.READ}
OF_A_LOGIN = {"sessions", "ended_sessions", "tokens", "outbox", "status", "users"}
"""Tables that a login changes."""


@pytest.fixture(scope="module", params=list(Variant))
def either(request: pytest.FixtureRequest) -> Generator[tuple[Running, Variant]]:
    settings = ServiceSettings(variant=request.param, password_cost=Cost.cheap(), caller_ids=True)
    # The clock stands still, so that only requests change anything.
    with start_background(lambda platform: fill(platform, "busy"), settings=settings, clock=ManualClock()) as running:
        yield running, request.param


def write(home: Path, service: Running, more: str = "", variant: Variant = Variant.LATER, who: str = "eva") -> None:
    (home / "config.toml").write_text(
        f'[profiles.desk]\ncore = "{service.core_url}"\nprovisioning = "{service.base_url}/provisioning"\n'
        f'username = "{who}"\nvariant = "{variant}"\nprovisioning_variant = "{variant}"\n{more}\n',
        encoding="utf-8",
    )


def states(ended: Ended) -> dict[str, str]:
    return {each["name"]: each["state"] for each in json.loads(ended.out)["findings"]}


def reason(ended: Ended, name: str) -> str:
    return next(each["reason"] for each in json.loads(ended.out)["findings"] if each["name"] == name)


def stored(service: Running) -> dict[str, Any]:
    with service.platform.read() as tx:
        return {
            table.name: sorted(str(tuple(row)) for row in tx.rows(sa.select(table)))
            for table in metadata.sorted_tables
            if table.name not in OF_A_LOGIN
        }


def test_everything_works_with_our_own_service_and_nothing_is_changed(
    either: tuple[Running, Variant], offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, variant = either
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")
    write(home, service, variant=variant)
    before = stored(service)
    ended = offline("doctor", "--json")
    assert stored(service) == before
    assert (ended.code, ended.err) == (0, "")
    reasons = {each["name"]: each["reason"] for each in json.loads(ended.out)["findings"] if each["state"] == "works"}
    assert not any("known meaning" in text or "in no row" in text for text in reasons.values()), reasons
    found = states(ended)
    assert set(found) == READING | {"events"}
    lacking = {name for name in READING if catalogue()[name].operation.variant not in {None, variant}}
    assert {name for name, state in found.items() if state == "not offered"} == lacking
    assert {name for name, state in found.items() if state == "unproven"} <= {
        "sessions.validate",
        "tokens.inspect",
        "domain-permissions.get",
        "user-permissions.get",
        "directory-credentials.get",
        "statistics.get",
        "datapipes.get",
        "deliveries.get",
    }
    assert found["events"] == "works"


@pytest.mark.parametrize("either", [Variant.LATER], indirect=True, scope="module")
def test_operations_for_admins_are_reported_to_a_user(
    either: tuple[Running, Variant], offline: Console, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONSOLE_PASSWORD", "demo")
    write(home, either[0], who="ana")
    ended = offline("doctor", "--json")
    assert ended.code == 0
    assert reason(ended, "alarms.list") == "allowed only for admins"
    assert states(ended)["calls.get"] == "works"


@pytest.fixture(scope="module")
def service(services: Services) -> Generator[Running]:
    settings = ServiceSettings(password_cost=Cost.cheap(), caller_ids=True)
    with services.anew(world("quiet"), settings=settings) as running:
        yield running


@pytest.fixture
def eva(console: Console, service: Running, home: Path) -> Console:
    write(home, service)
    return console


@pytest.fixture
def few(home: Path) -> str:
    """Bind two lists and the login only, and return the key of the profile that says so."""
    bound = ("POST /oauth2/token", "POST /sessions/start", "GET /calls", "GET /users")
    names = ("tokens.issue", "sessions.start", "calls.list", "users.list")
    lines = [f'"{name}" = "{route}"' for name, route in zip(names, bound, strict=True)]
    (home / "routes.toml").write_text("\n".join(('"*" = false', *lines)), encoding="utf-8")
    return 'routes = "routes.toml"'


def test_the_report_is_a_table_with_totals_below(eva: Console) -> None:
    ended = eva("doctor")
    assert (ended.code, ended.err) == (0, "")
    *lines, total = ended.out.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["sessions.list", "sessions.own", "sessions.get"]
    assert any(line.split() == ["users.get", "works"] for line in lines)
    assert total.split(", ")[0].endswith(" works")
    assert len(lines) == len(READING) + 1


def test_an_unbound_operation_is_reported_with_its_route(eva: Console, home: Path, service: Running) -> None:
    routes = ('"calls.list" = "GET /kalls"', '"users.get" = "GET /user/{id}"', '"skills.list" = "PATCH /agents"')
    (home / "routes.toml").write_text("\n".join(routes), encoding="utf-8")
    write(home, service, 'routes = "routes.toml"')
    ended = eva("doctor")
    assert ended.code == 1
    lines = {line.split()[0]: " ".join(line.split()[1:]) for line in ended.out.splitlines()}
    assert lines["calls.list"] == "not bound unknown path (GET /kalls)"
    assert lines["users.get"] == "not bound unknown path (GET /user/{id})"
    assert lines["skills.list"] == "not bound method not allowed for this path (PATCH /agents)"
    assert lines["calls.get"] == "unproven calls.list returned nothing to check with"
    assert ended.out.splitlines()[-1].endswith("3 not bound")


def test_an_unreachable_service_is_reported_only_for_its_operations(eva: Console, home: Path, service: Running) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    text = (home / "config.toml").read_text(encoding="utf-8")
    (home / "config.toml").write_text(text.replace(f"{service.base_url}/provisioning", f"http://127.0.0.1:{port}/x"))
    ended = eva("doctor", "--json")
    assert ended.code == 1
    found = states(ended)
    assert found["provisioning-users.list"] == found["caller-ids.list"] == "unreachable"
    assert found["users.list"] == "works"


def test_a_named_event_channel_must_exist(eva: Console, home: Path, service: Running, few: str) -> None:
    write(home, service, f'{few}\nevents = "{service.events_url}-nowhere"')
    ended = eva("doctor", "--json")
    assert (ended.code, states(ended)["events"]) == (1, "refused")
    write(home, service, f'{few}\nevents = "off"')
    ended = eva("doctor", "--json")
    assert (ended.code, reason(ended, "events")) == (0, "this profile has no event channel: lists are polled")


def test_a_channel_that_opens_but_confirms_no_subscription_does_not_work(
    eva: Console, home: Path, service: Running, few: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "CHANNEL_SECONDS", 0.5)

    def talk(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            connection.recv()
            connection.send('{"type": "heartbeat", "epoch": "e", "offset": 7, "after": 7}')
            connection.recv()

    with serve(talk, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        write(home, service, f'{few}\nevents = "ws://127.0.0.1:{server.socket.getsockname()[1]}/events"')
        ended = eva("doctor", "--json")
        server.shutdown()
        thread.join()
    assert (ended.code, states(ended)["events"]) == (1, "failed")
    assert reason(ended, "events").startswith("opened, but not understood: no subscription confirmed")


def test_a_time_limit_is_reported(eva: Console) -> None:
    ended = eva("doctor", "--seconds", "0.000001", "--json")
    assert ended.code in {1, 3}
    assert reason(ended, "users.list") == "not checked within the time limit"
    assert eva("doctor", "--seconds", "0").code == 2


def test_failures_before_the_checks_have_their_own_exit_codes(
    eva: Console, home: Path, service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "routes.toml").write_text('"calls.lst" = "GET /calls"\n', encoding="utf-8")
    write(home, service, 'routes = "routes.toml"')
    assert eva("doctor").code == 2
    write(home, service)
    monkeypatch.setenv("CONSOLE_PASSWORD", "wrong")
    assert (eva("doctor").code, eva("doctor").out) == (4, "")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    (home / "config.toml").write_text(f'[profiles.x]\ncore = "http://127.0.0.1:{port}/core"\nusername = "eva"\n')
    assert eva("doctor").code == 3


def test_a_token_that_is_sent_wrongly_is_reported_once_with_its_key(eva: Console, home: Path, service: Running) -> None:
    write(home, service, 'present = { header = "X-Foo", scheme = "" }')
    ended = eva("doctor")
    assert ended.code == 1
    assert sum("  refused  " in line for line in ended.out.splitlines()) == 1
    said = " ".join(ended.out.split())
    assert "operations refused log in first" in said
    assert f"in the header X-Foo: it may expect it elsewhere. Key: present ({home}/config.toml:7)." in said


def test_a_service_that_asks_to_wait_is_waited_for(eva: Console, home: Path, service: Running, few: str) -> None:
    asked: list[str] = []
    statuses = itertools.cycle((429, 503))

    def busy_at_first(_method: str, path: str) -> Instead | None:
        asked.append(path)
        first = path.startswith("/core") and asked.count(path) == 1
        return Instead(b'{"message": "slow down"}', next(statuses), {"Retry-After": "0"}) if first else None

    with portal_to(service.base_url) as portal:
        write(home, service, f'{few}\nevents = "off"')
        text = (home / "config.toml").read_text(encoding="utf-8").replace(service.base_url, portal.base_url)
        (home / "config.toml").write_text(text, encoding="utf-8")
        portal.answer = busy_at_first
        ended = eva("doctor", "--json")
    assert "waiting 0 s" in ended.err
    assert ended.code == 0, [each for each in json.loads(ended.out)["findings"] if each["state"] == "refused"]


def test_a_service_that_stays_busy_is_reported_as_not_checked(
    eva: Console, home: Path, service: Running, few: str
) -> None:
    with portal_to(service.base_url) as portal:
        write(home, service, f'{few}\nevents = "off"')
        text = (home / "config.toml").read_text(encoding="utf-8").replace(service.base_url, portal.base_url)
        (home / "config.toml").write_text(text, encoding="utf-8")
        portal.close("/core/calls", instead=Instead(b'{"message": "slow down"}', 429, {"Retry-After": "50"}))
        ended = eva("doctor", "--json", "--seconds", "20")
    assert states(ended)["calls.list"] == "unreachable"
    assert reason(ended, "calls.list") == "not checked within the time limit: slow down"


def test_every_reading_operation_has_inputs_to_try() -> None:
    for name in READING:
        request = catalogue()[name]
        given = set(SAMPLES[name].fields) if name in SAMPLES else set[str]()
        needed = {each.field for each in request.inputs() if each.required}
        assert wants_secret(request) or needed <= given, name
    for name, sample in SAMPLES.items():
        assert set(sample.operations) | {name} <= READING
        assert set(sample.fields) | set(sample.besides) <= {each.field for each in catalogue()[name].inputs()}
