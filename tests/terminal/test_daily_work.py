"""A day's work at two terminals: changes at one are in the database, and on the other as their events arrive."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import pytest

from console.records.traffic import Call
from console.service.domain import calls
from console.service.domain.alerts import ALERTS
from console.service.domain.chats import CHATS
from console.service.domain.groups import GROUPS
from console.service.domain.people import USERS
from tests.background import Running
from tests.services import Services, world
from tests.terminal.home import LARGE, SMALL, Home, active_alerts, stored
from tests.terminal.terminal import Terminal


@dataclass(frozen=True)
class Desks:
    """Two consoles on one service: changes on a small terminal are seen on a large one too."""

    service: Running
    eva: Terminal
    other: Terminal

    def seen(self, words: str) -> None:
        """Expect words on the first console, then on the other, without a key."""
        self.eva.until(words)
        self.other.until(words)

    def kept(self, condition: Callable[[], Any]) -> None:
        """Expect a condition on the service's database."""
        self.eva.until(condition)


@pytest.fixture(scope="module")
def backends(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Generator[Desks]:
    first, second = (Home(tmp_path_factory.mktemp(name)) for name in ("eva", "other"))
    with services.anew(world("busy")) as service:
        for home in (first, second):
            home.configure(service.core_url)
        with first.seat(size=SMALL) as eva, second.seat(size=LARGE) as other:
            yield Desks(service, eva, other)


def test_calls_are_watched_filtered_and_opened(backends: Desks):
    eva, other, platform = backends.eva, backends.other, backends.service.platform
    for each in (eva, other):
        each.press("2")
        each.until("120 calls")
    calls.begin(platform, Call(id="c-new", caller="+34600000001", callee="+34900100300", target="support"))
    backends.seen("121 calls")
    eva.type("/600000001\r")
    eva.until("1 of 121")
    eva.until(lambda: "◊ ringing" in eva.row)
    calls.enqueue(platform, "c-new", "support")
    eva.until(lambda: "≡ queued" in eva.row)
    backends.seen("17 queued")
    eva.press("enter")
    eva.until(re.compile(r"State\s+≡ queued"))
    calls.connect(platform, "c-new", "svc-user:ana")
    eva.until(re.compile(r"State\s+● connected"))
    calls.end(platform, "c-new", "ended")
    eva.until(re.compile(r"State\s+√ ended"))
    eva.press("escape")
    eva.until(lambda: "√ ended" in eva.row)
    backends.seen("16 queued")


def test_alerts_are_accepted_one_by_one_cancelled_and_accepted_all_at_once(backends: Desks):
    eva, other, service = backends.eva, backends.other, backends.service
    for each in (eva, other):
        each.press("6")
        each.until("6 open")
        each.until("Trunk down")
    before = active_alerts(service)
    eva.press("a")
    backends.kept(lambda: len(active_alerts(service)) == 5)
    (accepted,) = before - active_alerts(service)
    assert stored(service, ALERTS, accepted)["acceptedBy"] == "eva"
    backends.seen("5 open")

    eva.type("/state:active from:eva\r")
    eva.until("3 of 21")
    before = active_alerts(service)
    eva.press("x")
    eva.answer("ctrl+y", "^y")
    backends.kept(lambda: len(active_alerts(service)) == 4)
    (cancelled,) = before - active_alerts(service)
    assert stored(service, ALERTS, cancelled)["state"] == "canceled"
    backends.seen("4 open")

    before = active_alerts(service)
    eva.press("escape")
    eva.until_gone("of 21")
    eva.type("/state:active\r")
    eva.until("4 of 21")
    eva.press("*", "a")
    eva.answer("enter", "Accept: 4 alerts")
    backends.kept(lambda: not active_alerts(service))
    assert {stored(service, ALERTS, each)["acceptedBy"] for each in before} == {"eva"}
    backends.seen("0 open")


def test_members_are_added_reordered_removed_and_restored(backends: Desks):
    eva, other, service = backends.eva, backends.other, backends.service
    for each in (eva, other):
        each.type("7/mine:yes\r")
        each.until("6 of 30")
        each.until(re.compile(r"Deliveries Milano .* 7/8"))
    group = group_id(service, "Deliveries Milano")
    before = participants(service, group)

    def expect(order: list[str]) -> None:
        backends.kept(lambda: participants(service, group) == order)
        names = [name_of(service, each) for each in order]
        eva.until(lambda: shown_members(eva, names))
        other.until(lambda: shown_members(other, names))

    expect(before)
    eva.type("+paula cast")
    eva.until("1 of 242")
    eva.answer("enter", "Select")
    eva.until("√ Added Paula Castillo")
    added = participants(service, group)
    assert added[:-1] == before
    expect(added)
    eva.until("√ Added")
    eva.press("u")
    expect(before)

    eva.press("tab", "shift+down")
    eva.until("new order")
    assert participants(service, group) == before
    eva.press("enter")
    expect([before[1], before[0], *before[2:]])
    eva.until("√ Reordered")
    eva.press("u")
    expect(before)

    eva.press("-")
    expect(before[1:])
    eva.until("√ Removed")
    eva.press("u")
    expect(before)


def group_id(service: Running, name: str) -> str:
    with service.database.read() as tx:
        return next(group.group_id for group in GROUPS.records(tx) if group.name == name)


def participants(service: Running, group: str) -> list[str]:
    return list(stored(service, GROUPS, group)["participants"])


def name_of(service: Running, user_id: str) -> str:
    """Return the name as eva reads it: people of other domains than hers are shown with theirs."""
    user, eva = stored(service, USERS, user_id), stored(service, USERS, "eva")
    return f"{user['alias']}" + ("" if user["domain"] == eva["domain"] else f" @{user['domain'].partition('.')[0]}")


def shown_members(terminal: Terminal, names: list[str]) -> bool:
    """Return whether the screen shows these members in this order; long names may be cut."""
    found = re.findall(r"│[►› ] +\d+  \S (.+?)(?: {2,}.*)?$", terminal.screen, re.MULTILINE)
    return len(found) == len(names) and all(
        name.startswith(each.rstrip("…")) for each, name in zip(found, names, strict=True)
    )


def test_a_chat_is_transferred_to_another_agent(service: Running, tmp_path_factory: pytest.TempPathFactory):
    first, second = (Home(tmp_path_factory.mktemp(name)) for name in ("ana", "bob"))
    for home in (first, second):
        home.configure(service.core_url)
    with first.seat("ana", size=SMALL) as ana, second.seat("bob", size=LARGE) as bob:
        for each in (ana, bob):
            each.press("5", "tab", "tab")
            each.until("24 chats")
        bob.type("/andreu rossi\r")
        bob.until("1 of 24")
        bob.until("Ana Belmonte")
        ana.press("c")
        ana.until(lambda: "Andreu Rossi" in ana.row)
        ana.type("twhi")
        ana.until("1 of 39")
        ana.answer("enter", "Select")
        ana.until("√ Transferred")
        bob.until("Bob Whitaker")
        with service.database.read() as tx:
            (chat,) = [each for each in CHATS.records(tx) if "andreu.rossi" in str(each.participants)]
        assert chat.agent is not None
        assert chat.agent.id == "bob"
