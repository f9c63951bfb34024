"""Two real backends request the same change of one real service at the same time."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from console.api.operations.support import AcceptAlert
from console.client.endpoint import Endpoint
from console.kinds.catalogue import FEEDS
from console.live.backend import Backend
from console.live.command import Command, Stage, Step, Ticket
from console.live.delta import Freshness
from console.records.support import AlertTemplate
from console.service.auth.caller import Caller
from console.service.domain import alerts, people, templates
from tests.background import Running, start_background
from tests.faults.figures import count, record
from tests.live.until import until
from tests.service.over_http import fill

NAMES = {"ana": "Ana B. (ana)", "bob": "Bob C. (bob)"}


@pytest.fixture(scope="module")
def service() -> Generator[Running]:
    with start_background(fill) as running:
        template = AlertTemplate(
            template_id="line",
            title="Line down",
            payload="Please come.",
            number_of_retries=3,
            time_in_ms_between_retries=60_000,
            time_to_expire=600_000,
        )
        templates.create(running.platform, template)
        templates.attach(running.platform, "line", list(NAMES))
        yield running


@pytest.fixture(scope="module")
def backends(service: Running, tmp_path_factory: pytest.TempPathFactory) -> Generator[dict[str, Backend]]:
    with ExitStack() as stack:
        found: dict[str, Backend] = {}
        for user in NAMES:
            path: Path = tmp_path_factory.mktemp(user) / "journal"
            endpoint = Endpoint(service.core_url, events=service.events_url)
            backend = found[user] = Backend(
                endpoint, FEEDS.values(), journal_path=path, login=lambda user=user: (user, "demo")
            )
            stack.callback(backend.stop, 5.0)
            backend.show(frozenset({"alerts"}))
            backend.start()
            until(lambda backend=backend: backend.health("alerts").state is Freshness.LIVE)
        yield found


def accept(alert_id: str) -> Command:
    return Command("alerts.accept", "alerts", (Step(AcceptAlert(alert_id=alert_id), alert_id, "accepted"),), "Accept")


def ended(backend: Backend, command: Command) -> Ticket:
    def ticket() -> Ticket:
        return next(each for each in backend.commands.tickets() if each.command is command)

    until(lambda: not ticket().under_way)
    return ticket()


def test_one_console_wins_the_other_is_told_who_and_when_and_both_show_it_within_two_seconds(
    service: Running, backends: dict[str, Backend]
) -> None:
    rounds, wrong = count("SAFETY_COUNT", 8), list[str]()
    with service.database.read() as tx:
        eva = Caller(people.need_user(tx, "eva"))
    for number in range(rounds):
        alert_id = f"alert-{number}"
        alerts.send(service.platform, eva, "line", alert_id)
        commands = {user: accept(alert_id) for user in sorted(NAMES, reverse=bool(number % 2))}
        for user, command in commands.items():
            backends[user].commands.submit(command)
        tickets = {user: ended(backends[user], command) for user, command in commands.items()}
        winners = [user for user, ticket in tickets.items() if ticket.stage is Stage.DONE]
        told = [ticket.reason for ticket in tickets.values() if ticket.stage is Stage.REFUSED]
        if len(winners) != 1 or len(told) != 1 or f"was accepted by {NAMES[winners[0]]} at 20" not in told[0]:
            wrong.append(f"{winners} {told}")
        for backend in backends.values():
            until(
                lambda backend=backend, key=alert_id: (
                    getattr(backend.records("alerts").get(key), "state", "") == "accepted"
                ),
                2.0,
            )
    record("O2", not wrong, f"{len(wrong)} of {rounds} rounds at the service with another result", "0")
    record("O1", not wrong, f"{len(wrong)} wrong ends of {rounds} races, in both orders", "0")
    assert not wrong
