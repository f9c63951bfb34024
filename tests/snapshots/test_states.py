"""Lists, the top line and the notices in unusual states and during commands."""

from __future__ import annotations

import pytest

from console.kinds.catalogue import FEEDS
from console.live.command import Stage
from console.live.delta import Freshness, Health
from console.records.notifications import Notification
from tests.idle.backend import LOADING, IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import IN_LOOKS, SMALL, USUAL, Sitter, Size, named, on_screens

EVERYTHING = frozenset(FEEDS)
STALE = Health(Freshness.STALE, 14.2, "no sign of life on the event channel")
OFFLINE = Health(Freshness.OFFLINE, 42.0, "connection refused", retry_in=8.0)
NEVER = Health(Freshness.OFFLINE, None, "connection refused", retry_in=8.0)
POLLING = Health(Freshness.POLLING, 1.3, "this service has no event channel")
NOT_SHOWN = Health(Freshness.REFUSED, None, "only admins may list conferences", retry_in=55.0)

in_sizes = pytest.mark.parametrize("size", [SMALL, USUAL], ids=named)
ON_LISTS = on_screens("home", "calls")


# -- freshness -----------------------------------------------------------------------------------------------------


def test_loading(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=LOADING, unknown=EVERYTHING), walk=ON_LISTS)


def test_stale(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=STALE), walk=ON_LISTS, themes=["mono"])


def test_offline_with_the_next_attempt(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=OFFLINE), walk=ON_LISTS, themes=["mono"])


def test_offline_at_80x24(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=OFFLINE), "2", size=SMALL)


def test_offline_before_anything_was_loaded(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=NEVER, unknown=EVERYTHING), "2")


def test_polling(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=POLLING), "2", themes=["mono"])


def test_a_refused_kind(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy, healths={"conferences": NOT_SHOWN}, unknown=frozenset({"conferences"}))
    picture(backend, "3", themes=["mono"])


# -- offers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("digit", "size", "theme"),
    [
        ("1", USUAL, "dark"),
        ("1", (60, 16), "dark"),
        ("5", SMALL, "dark"),
        ("5", USUAL, "mono"),
        ("5", (60, 16), "mono"),
    ],
    ids=["home", "home-60x16", "agents-80x24", "agents-120x40-mono", "agents-60x16-mono"],
)
def test_offered_chats(picture: Picture, busy: StillWorld, digit: str, size: Size, theme: str):
    backend = IdleBackend(busy)
    people = [*backend.records("users")][:3]
    backend.change(
        "notifications",
        *(
            Notification(
                id=f"c-{number}",
                kind="chat",
                subject=f"c-{number}",
                title="billing" if number else "português",
                from_user=person,
                created_at=NOW_MS - (200 - number * 61) * 1000,
            )
            for number, person in enumerate(people)
        ),
    )
    picture(backend, digit, size=size, themes=[theme])


# -- empty lists ---------------------------------------------------------------------------------------------------


def test_empty(picture: Picture, empty: StillWorld):
    picture(IdleBackend(empty), walk=on_screens("home", "calls", "alerts", "groups"))


@in_sizes
def test_nothing_matches(picture: Picture, busy: StillWorld, size: Size):
    async def filter_by_nobody(sitter: Sitter) -> None:
        await sitter.press("2", "slash")
        await sitter.type("caller:nobody")
        await sitter.press("enter")

    picture(IdleBackend(busy), steps=filter_by_nobody, size=size)


# -- filter, sort, marks, pause ------------------------------------------------------------------------------------


@in_sizes
def test_a_filter_while_it_is_typed(picture: Picture, busy: StillWorld, size: Size):
    async def type_filter(sitter: Sitter) -> None:
        await sitter.press("2", "slash")
        await sitter.type("state:queued age>1m")

    picture(IdleBackend(busy), steps=type_filter, size=size)


def test_an_invalid_filter(picture: Picture, busy: StillWorld):
    async def type_nonsense(sitter: Sitter) -> None:
        await sitter.press("2", "slash")
        await sitter.type("colour:red")

    picture(IdleBackend(busy), steps=type_nonsense, size=SMALL)


@IN_LOOKS
def test_sorted_and_filtered(picture: Picture, busy: StillWorld, size: Size, theme: str):
    async def narrow(sitter: Sitter) -> None:
        await sitter.press("2", "slash")
        await sitter.type("state:queued,servererror")
        await sitter.press("enter", "less_than_sign", "z", "down", "down")

    picture(IdleBackend(busy), steps=narrow, size=size, themes=[theme])


@IN_LOOKS
def test_selection(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(IdleBackend(busy), "2", "space", "down", "space", "space", size=size, themes=[theme])


def test_paused(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy)

    async def pause_while_calls_end(sitter: Sitter) -> None:
        await sitter.press("2", "p")
        backend.change("calls", removes=[*busy.records["calls"]][:3])
        await sitter.settle()

    picture(backend, steps=pause_while_calls_end, themes=["mono"])


# -- results of commands -------------------------------------------------------------------------------------------


@IN_LOOKS
def test_a_held_action_that_can_be_cancelled(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(IdleBackend(busy), "6", "down", "a", size=size, themes=[theme])


def test_a_refused_action(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy, becomes=(Stage.REFUSED, "the alert was accepted by Ana Ruiz already"))
    picture(backend, "6", "down", "a", themes=["mono"], hold_seconds=0)


def test_a_refused_action_at_80x24(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy, becomes=(Stage.REFUSED, "the alert was accepted by Ana Ruiz already"))
    picture(backend, "6", "down", "a", size=SMALL, hold_seconds=0)


def test_an_action_without_an_answer(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy, becomes=(Stage.UNKNOWN, "no answer within 10 s"))
    picture(backend, "2", "S", "2", themes=["mono"])


def test_an_action_under_way(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, becomes=(Stage.PENDING, "")), "2", "S", "2", size=SMALL)


def test_a_finished_action_that_can_be_undone(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), "2", "S", "2", size=SMALL)


def test_refusals_in_a_read_only_profile(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, read_only=True), "6", "a", size=SMALL)


def test_a_staged_order_of_members(picture: Picture, busy: StillWorld):
    async def move_members(sitter: Sitter) -> None:
        await sitter.press("7", "slash")
        await sitter.type("mine:yes")
        await sitter.press("enter", "tab", "shift+down", "shift+down")

    picture(IdleBackend(busy), steps=move_members, themes=["mono"])


# -- odd terminals, odd texts --------------------------------------------------------------------------------------


def test_a_terminal_that_is_too_small(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), "2", size=(40, 10))


def test_the_smallest_supported_terminal(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), walk=on_screens("home", "calls", "groups"), size=(60, 16))


def test_a_terminal_without_unicode(picture: Picture, busy: StillWorld):
    walk = on_screens("home", "calls", "conferences", "presence", "alerts")
    picture(IdleBackend(busy), walk=walk, size=SMALL, symbols="ascii")


def test_hostile_texts(picture: Picture, hostile: StillWorld):
    picture(IdleBackend(hostile), walk=on_screens("home", "calls", "alerts", "groups", "admin"))
