"""Each number says how much is known of the lists that it needs: nothing, a part, or all."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from console.base.frozen import replace
from console.base.text import cells
from console.kinds.agents.facts import free
from console.kinds.alerts import facts as alerts
from console.kinds.calls import WAIT
from console.kinds.calls.facts import Waits, waits, waits_exact
from console.kinds.queues.columns import TABLE as QUEUES
from console.kinds.scope import count_words, counted, nobody_waits, none_listed
from console.kinds.skills.facts import staffing
from console.kinds.status.own import own_numbers
from console.kinds.status.summary import numbers
from console.kinds.tables import TABLES
from console.live.collection import Collection
from console.live.delta import Freshness, Health
from console.records.extent import Extent
from console.records.queues import Queue
from console.records.record import Record
from console.records.state_words import CALL, SERVER_ERROR, WAITING
from console.records.support import Agent, Alert, Skill, SupportChat
from console.records.traffic import Call
from console.ui.screens.wall_boards import BoardLook, figures, named_queues, queues
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold

NOW = 1_800_000_000_000
WAITS = Call(id="w", state="queued", date=NOW - 60_000, target="sales")
TALKS = Call(id="t", state="connected", date=NOW - 60_000)
ODD = Call(id="o", state="hyperspace", date=NOW - 60_000)
WAITING_QUEUES = (("late", 300), ("now", 120), ("later", 60))
"""Queues with the seconds of their longest wait: the second one breaches now."""
OPEN, STRANGE = Alert(alert_id="a", state="active"), Alert(alert_id="s", state="pondered")


def context(*records: Record, extent: Extent = Extent.WHOLE, of: str = "") -> RenderContext:
    """Return a context in which one list, or all, is known to an extent."""
    known: dict[str, dict[str, Record]] = {}
    for each in records:
        known.setdefault(f"{type(each).__name__.lower()}s", {})[each.key] = each
    return RenderContext(
        NOW,
        ZoneInfo("UTC"),
        role="admin",
        lookup=lambda kind: known.get(kind, {}),
        extent=lambda kind: extent if of in {"", kind} else Extent.WHOLE,
    )


def wall(render: RenderContext) -> dict[str, str]:
    return {str(title.text): str(value.text) for title, value in figures(render, BoardLook())}


@pytest.mark.parametrize(
    ("health", "expected"),
    [
        (Health(Freshness.LIVE, 0.0), Extent.WHOLE),
        (Health(Freshness.OFFLINE, 60.0), Extent.WHOLE),
        (Health(Freshness.LIVE, 0.0, cut="first 100 of more rows shown"), Extent.PART),
        (Health(Freshness.POLLING, 0.0, more=True), Extent.PART),
        (Health(Freshness.LOADING), Extent.UNKNOWN),
        (Health(Freshness.OFFLINE, None, "not found"), Extent.UNKNOWN),
        (Health(Freshness.REFUSED, None, "forbidden"), Extent.UNKNOWN),
        (Health(Freshness.REFUSED, 3.0, "forbidden"), Extent.UNKNOWN),
    ],
)
def test_the_freshness_of_a_list_tells_its_extent(health: Health, expected: Extent) -> None:
    assert health.extent is expected


@pytest.mark.parametrize(
    ("calls", "extent", "expected"),
    [
        ((), Extent.WHOLE, ("0", "-", ("0", ""), "Nobody is waiting.")),
        ((TALKS,), Extent.WHOLE, ("0", "-", ("0", ""), "Nobody is waiting.")),
        ((WAITS, TALKS), Extent.WHOLE, ("1", "1:00", ("1", "1:00"), "")),
        ((WAITS, TALKS), Extent.PART, ("≥1", "≥1:00", ("≥ 1", "≥1:00"), "")),
        ((WAITS, ODD), Extent.WHOLE, ("≥1", "≥1:00", ("≥ 1", "≥1:00"), "")),
        ((TALKS, ODD), Extent.WHOLE, ("-", "-", ("–", ""), "It is not known who waits")),
        ((Call(id="n"),), Extent.WHOLE, ("-", "-", ("–", ""), "It is not known who waits")),
        ((), Extent.PART, ("-", "-", ("–", ""), "It is not known who waits")),
        ((), Extent.UNKNOWN, ("-", "-", ("–", ""), "It is not known who waits")),
        ((WAITS,), Extent.UNKNOWN, ("-", "-", ("–", ""), "It is not known who waits")),
        ((Call(id="e", state="hyperspace", to=NOW),), Extent.WHOLE, ("0", "-", ("0", ""), "Nobody is waiting.")),
    ],
)
def test_who_waits_is_exact_only_if_all_calls_and_their_states_are_known(
    calls: tuple[Call, ...], extent: Extent, expected: tuple[str, str, tuple[str, str], str]
) -> None:
    render = context(*calls, extent=extent, of="calls")
    number, longest, *_ = wall(render).values()
    tile = numbers(waits(render), render)["wait"]
    assert (number, longest, (tile.value, tile.second)) == expected[:3]
    if expected[3]:
        assert nobody_waits(render).startswith(expected[3])
    if expected[0] != "0":
        assert "nobody" not in tile.note


@pytest.mark.parametrize(
    ("known", "extent", "number", "total"),
    [
        ((), Extent.WHOLE, "0", "0 open alerts"),
        ((OPEN,), Extent.WHOLE, "1", "1 open alert"),
        ((OPEN, STRANGE), Extent.WHOLE, "≥1", "≥ 1 open alert"),
        ((STRANGE,), Extent.WHOLE, "-", "– open alerts"),
        ((OPEN,), Extent.PART, "≥1", "≥ 1 open alert"),
        ((), Extent.PART, "-", "– open alerts"),
        ((OPEN,), Extent.UNKNOWN, "-", "– open alerts"),
        ((), Extent.UNKNOWN, "-", "– open alerts"),
        ((Alert(alert_id="d", state="pondered", resolved_at=NOW),), Extent.WHOLE, "0", "0 open alerts"),
    ],
)
def test_the_number_of_open_alerts_is_exact_only_if_all_and_their_states_are_known(
    known: tuple[Alert, ...], extent: Extent, number: str, total: str
) -> None:
    render = context(*known, extent=extent, of="alerts")
    assert wall(render)["alerts"] == number
    assert TABLES["alerts"].totals(known, render)[0].text == total
    assert not (alerts.active(render) and extent is Extent.UNKNOWN)


ANA = Agent(id="ana", online=True, activity="available")
BOB = Agent(id="bob", online=True, activity="pondering")


@pytest.mark.parametrize(
    ("agents", "extent", "number"),
    [
        ((ANA,), Extent.WHOLE, "1"),
        ((Agent(id="eva", online=False),), Extent.WHOLE, "0"),
        ((), Extent.WHOLE, "0"),
        ((ANA, BOB), Extent.WHOLE, "≥1"),
        ((BOB,), Extent.WHOLE, "-"),
        ((ANA,), Extent.PART, "≥1"),
        ((ANA,), Extent.UNKNOWN, "-"),
        ((), Extent.UNKNOWN, "-"),
    ],
)
def test_the_number_of_free_agents_is_exact_only_if_all_are_known(
    agents: tuple[Agent, ...], extent: Extent, number: str
) -> None:
    render = context(*agents, extent=extent, of="agents")
    assert wall(render)["free"] == number
    assert free(render)[1] is number.isdigit()


def test_a_skill_is_known_if_each_of_its_agents_is() -> None:
    ours, theirs = Skill(skill="ours", agents=("ana",)), Skill(skill="theirs", agents=("ana", "eva"))
    part = context(ANA, ours, theirs, extent=Extent.PART, of="agents")
    assert staffing(ours, part).is_known
    assert not staffing(theirs, part).is_known
    assert not staffing(ours, context(ANA, ours, extent=Extent.UNKNOWN, of="agents")).is_known


@pytest.mark.parametrize(
    ("extent", "count", "number", "none"),
    [
        (Extent.WHOLE, "100 users", "100", "There are no users."),
        (Extent.PART, "first 100 users", "first 100", "It is not known whether there are users."),
        (Extent.UNKNOWN, "– users", None, "It is not known whether there are users."),
    ],
)
def test_counts_tell_how_much_is_known(extent: Extent, count: str, number: str | None, none: str) -> None:
    render = context(extent=extent)
    assert counted("users", 100, "user", render) == count
    assert count_words(100, extent) == number
    assert none_listed("users", "Users", render) == none


def test_a_part_of_a_list_names_the_total_if_the_service_tells_it() -> None:

    def total(_kind: str) -> int:
        return 1250

    render = replace(context(extent=Extent.PART), total=total)
    assert counted("users", 100, "user", render) == "100 of 1 250 users"
    assert count_words(100, Extent.PART, 1250) == "100 of 1 250"
    assert count_words(100, Extent.PART, 100) == "first 100"


def test_queues_have_no_zeros_of_calls_in_unknown_states() -> None:
    queue = Queue(queue="sales", waiting=0)
    waiting = QUEUES.column("waiting")
    exact, odd = context(TALKS, queue), context(ODD, queue)
    assert (waiting.value(queue, exact), waiting.cell(queue, exact).text) == (0, "0")
    assert (waiting.value(queue, odd), waiting.cell(queue, odd).text) == (None, "–")
    assert "– waiting" in "".join(each.text for each in QUEUES.totals([queue], odd))
    assert none_listed("queues", "Queues", odd) != "There are no queues."


def test_records_in_other_states_are_indexed_as_they_change() -> None:
    indexed: Collection[Call] = Collection(WAITING | SERVER_ERROR, CALL)
    plain: Collection[Call] = Collection()
    steps: list[tuple[dict[str, Call], tuple[str, ...]]] = [
        ({each.key: each for each in (WAITS, TALKS, ODD)}, ()),
        ({"t": Call(id="t", state="hyperspace"), "o": Call(id="o", state="ended")}, ()),
        ({"n": Call(id="n")}, ("t",)),
        ({"n": Call(id="n", state="queued")}, ()),
    ]
    seen: list[set[str]] = []
    for upserts, removes in steps:
        indexed.change(upserts, removes)
        plain.change(upserts, removes)
        others = {each.key for each in indexed.snapshot().in_other_state(CALL)}
        assert others == {each.key for each in plain.snapshot().in_other_state(CALL)}
        seen.append(others)
    assert seen == [{"o"}, {"t"}, {"n"}, set()]


def test_no_wait_is_shown_of_calls_that_are_refused_later() -> None:
    calls: Collection[Call] = Collection(WAITING, CALL)
    calls.change({"w": WAITS})
    extent = Extent.WHOLE
    render = RenderContext(NOW, ZoneInfo("UTC"), lookup=lambda _: calls.snapshot(), extent=lambda _: extent)
    known = Waits(lambda since: calls.delta(since))
    assert known.longest(render) is not None
    assert waits_exact(render)
    extent = Extent.UNKNOWN
    assert known.longest(render) is None
    assert known.all(render) == []


def test_the_longest_known_wait_is_a_least_one_beside_a_wait_of_unknown_time() -> None:
    untimed = Call(id="u", state="queued", target="sales")
    alone, beside = context(WAITS), context(WAITS, untimed)
    tiles = [numbers(waits(render), render)["wait"].second for render in (alone, beside)]
    assert tiles == ["1:00", "≥1:00"]
    own = [tile.second for render in (alone, beside) for tile in own_numbers(render) if tile and tile.short == "Calls"]
    assert own == ["1:00", "≥1:00"]
    assert (wall(alone)["soon late"], wall(beside)["soon late"]) == ("1:00", "≥1:00")
    assert wall(context(untimed))["longest"] == "-"


@pytest.mark.parametrize(
    ("queue", "others", "row", "late", "on_the_wall"),
    [
        (Queue(queue="sales", waiting=1, longest_at=NOW - 60_000, untimed=0), (), "1:00", "in 1:00", "1:00"),
        (Queue(queue="sales", waiting=2, longest_at=NOW - 60_000, untimed=1), (), "≥ 1:00", "in ≤1:00", "≥1:00"),
        (Queue(queue="sales", waiting=2, longest_at=NOW - 180_000, untimed=1), (), "≥ 3:00", "≥ 1:00", "≥3:00"),
        (Queue(queue="sales", waiting=1, longest_at=NOW - 60_000, untimed=0), (ODD,), "≥ 1:00", "in ≤1:00", "≥1:00"),
        (Queue(queue="sales", waiting=1, longest_at=None, untimed=1), (), "–", "–", "-"),
    ],
    ids=["exact", "untimed", "late", "odd state", "only untimed"],
)
def test_the_longest_wait_of_a_queue_is_a_least_one_if_another_call_may_wait_longer(
    queue: Queue, others: tuple[Call, ...], row: str, late: str, on_the_wall: str
) -> None:
    render = context(queue, *others)
    shown = [QUEUES.column(name).cell(queue, render).text for name in ("longest", "breach")]
    assert shown == [row, late]
    assert str(queues(render, BoardLook())[-1][-1].text) == on_the_wall
    foot = str(named_queues(render, BoardLook(), 200, 1)[0].text)
    assert foot == ("sales" if on_the_wall == "-" else f"sales {on_the_wall}")
    totals = "".join(each.text for each in QUEUES.totals([queue], render))
    assert (f", longest {row} " in totals) is (row != "–")
    lines = ["".join(cell.text for cell in line) for part in QUEUES.detail(queue, render) for line in part.lines]
    assert f"Longest      {row}" in lines


def test_the_time_to_a_breach_fits_its_column() -> None:
    width = QUEUES.column("breach").width
    for breach, untimed, shown in (
        (3_599_000, 1, "in ≤59:59"),
        (3_900_000, 0, "in 1h 05m"),
        (3_900_000, 1, "in ≤2h"),
        (86_000_000, 1, "in ≤24h"),
    ):
        queue = Queue(queue="sales", waiting=2, longest_at=NOW, untimed=untimed)
        render = replace(context(queue), thresholds={WAIT.name: Threshold(1, breach)})
        text = QUEUES.column("breach").cell(queue, render).text
        assert text == shown
        assert cells(text) <= width


def test_the_tile_of_own_chats_does_not_say_since_when_beside_one_without_a_time() -> None:
    dated, undated = (
        SupportChat.model_validate({"chatId": key, "agent": {"id": "ana"}, **more})
        for key, more in (("k1", {"timestamp": NOW - 60_000}), ("k2", {}))
    )
    for chats, note, second in (((dated,), "since", "1:00"), ((dated, undated), "", "≥1:00")):
        listed = {"chats": {chat.key: chat for chat in chats}}
        tile = own_numbers(RenderContext(NOW, ZoneInfo("UTC"), "ana", lambda kind, of=listed: of.get(kind, {})))[0]
        assert tile is not None
        assert (tile.note[:5], tile.second) == (note, second)


@pytest.mark.parametrize("others", [(), (Call(id="u", state="queued"),), (ODD,)], ids=["exact", "untimed", "odd"])
def test_the_longest_wait_below_calls_is_a_least_one_if_another_may_wait_longer(others: tuple[Call, ...]) -> None:
    calls = (WAITS, *others)
    text = "".join(each.text for each in TABLES["calls"].totals(calls, context(*calls)))
    assert (", longest ≥ 1:00" in text) is bool(others)
    assert (", longest 1:00" in text) is not bool(others)
    assert text.count("queued") == 1


@pytest.mark.parametrize("other", [(), (OPEN,), (STRANGE,)], ids=["exact", "undated", "odd"])
def test_the_oldest_alert_is_at_least_as_old_if_another_may_be_older(other: tuple[Alert, ...]) -> None:
    known = (Alert(alert_id="b", state="active", created_at=NOW - 60_000), *other)
    render = context(*known)
    text = "".join(each.text for each in TABLES["alerts"].totals(known, render))
    assert (", oldest ≥ 1:00" in text) is bool(other)
    assert (", oldest 1:00" in text) is not bool(other)
    assert alerts.oldest_exact(alerts.active(render), exact=alerts.active_exact(render)) is not bool(other)


def test_waits_that_follow_changes_count_those_of_unknown_time() -> None:
    calls: Collection[Call] = Collection(WAITING, CALL)
    render = RenderContext(NOW, ZoneInfo("UTC"), lookup=lambda _: calls.snapshot(), extent=lambda _: Extent.WHOLE)
    known, untimed = Waits(lambda since: calls.delta(since)), Call(id="u", state="queued")
    seen: list[int] = []
    for upserts, removes in (({"w": WAITS, "u": untimed}, ()), ({"u": ODD}, ()), ({"u": untimed}, ()), ({}, ("u",))):
        calls.change(upserts, removes)
        assert known.longest(render) is not None
        seen.append(known.untimed)
    assert seen == [1, 0, 1, 0]


def test_queues_of_the_wall_are_in_the_order_of_their_breaches() -> None:
    late, now, later = (Queue(queue=name, waiting=1, longest_at=NOW - 1000 * age) for name, age in WAITING_QUEUES)
    rows = queues(context(later, Queue(queue="idle", waiting=0), now, late), BoardLook())
    assert [str(row[0].text) for row in rows if not row[0].heading] == ["late", "now", "later", "idle"]
