"""Lists, the top line and the notices in unusual states and during commands."""

from __future__ import annotations

import pytest

from console.kinds.catalogue import FEEDS
from console.live.command import Stage
from console.live.delta import Freshness, Health
from console.records.notifications import Notification
from console.ui.app import ConsoleApp
from tests.idle.backend import LOADING, IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import IN_LOOKS, SMALL, USUAL, Sitter, Size, Steps, apart, on_screens, pressed, typed

EVERYTHING = frozenset(FEEDS)
STALE = Health(Freshness.STALE, 14.2, "no sign of life on the event channel")
OFFLINE = Health(Freshness.OFFLINE, 42.0, "connection refused", retry_in=8.0)
NEVER = Health(Freshness.OFFLINE, None, "connection refused", retry_in=8.0)
POLLING = Health(Freshness.POLLING, 1.3, "this service has no event channel")
NOT_SHOWN = Health(Freshness.REFUSED, None, "only admins may list conferences", retry_in=55.0)


def linked(health: Health, *keys: str) -> Steps:
    """Give the connection a health, and press keys."""

    async def steps(sitter: Sitter) -> None:
        backend_of(sitter).link = health
        await sitter.press(*keys)

    return steps


def backend_of(sitter: Sitter) -> IdleBackend:
    app = sitter.app
    assert isinstance(app, ConsoleApp)
    backend = app.context.backend
    assert isinstance(backend, IdleBackend)
    return backend


# -- freshness -----------------------------------------------------------------------------------------------------


def test_loading(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=LOADING, unknown=EVERYTHING), walk=on_screens("home", "calls"))


def test_not_current(picture: Picture, busy: StillWorld):
    walk = {
        "stale home": linked(STALE, "1"),
        "stale calls": linked(STALE, "2"),
        "offline home": linked(OFFLINE, "1"),
        "offline calls": linked(OFFLINE, "2"),
        "polling calls": linked(POLLING, "2"),
    }
    picture(IdleBackend(busy), walk=walk, themes=["mono"])


def test_offline_at_80x24(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=OFFLINE), "2", size=SMALL)


def test_offline_before_anything_was_loaded(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, link=NEVER, unknown=EVERYTHING), "2")


def test_a_refused_kind(picture: Picture, busy: StillWorld):
    backend = IdleBackend(busy, healths={"conferences": NOT_SHOWN}, unknown=frozenset({"conferences"}))
    picture(backend, "3", themes=["mono"])


# -- offers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "theme"),
    [((60, 16), "dark"), (SMALL, "dark"), (USUAL, "mono")],
    ids=["60x16-dark", "80x24-dark", "120x40-mono"],
)
def test_offered_chats(picture: Picture, busy: StillWorld, size: Size, theme: str):
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
    picture(backend, size=size, themes=[theme], walk=on_screens("home", "agents"))


# -- empty lists ---------------------------------------------------------------------------------------------------


def test_empty(picture: Picture, empty: StillWorld):
    picture(IdleBackend(empty), walk=on_screens("home", "calls", "alerts", "groups"))


# -- filter, sort, selection, pause, results of commands -------------------------------------------------------


async def pause_while_calls_end(sitter: Sitter) -> None:
    """Pause the calls, and end three of them."""
    await sitter.press("2", "p")
    backend = backend_of(sitter)
    backend.change("calls", removes=[*backend.records("calls")][:3])
    await sitter.settle()


def becoming(stage: Stage, reason: str, *keys: str) -> Steps:
    """Let commands reach a stage, forget those before, and press keys."""

    async def steps(sitter: Sitter) -> None:
        backend = backend_of(sitter)
        backend.restore()
        backend.becomes = stage, reason
        await sitter.press(*keys)

    return steps


@IN_LOOKS
def test_a_list(picture: Picture, busy: StillWorld, size: Size, theme: str):
    walk = {
        "typed filter": typed("2", "slash", text="state:queued age>1m"),
        "offered values": typed("2", "slash", text="state:"),
        "invalid filter": typed("2", "slash", text="colour:red"),
        "nothing matches": typed("2", "slash", text="caller:nobody", then=["enter"]),
        "selection": pressed("2", "home", "space", "down", "space", "space"),
        "staged order": typed("7", "slash", text="mine:yes", then=["enter", "tab", "shift+down", "shift+down"]),
        "narrowed": typed("2", "slash", text="state:queued,servererror", then=["enter", "less_than_sign", "z", "home"]),
        "paused": pause_while_calls_end,
    }
    picture(IdleBackend(busy), size=size, themes=[theme], walk=apart(walk))


def test_a_result(picture: Picture, busy: StillWorld):
    refused = "the alert was accepted by Ana Ruiz already"
    walk = {
        "refused": becoming(Stage.REFUSED, refused, "6", "down", "a"),
        "unknown": becoming(Stage.UNKNOWN, "no answer within 10 s", "2", "S", "2"),
        "under way": becoming(Stage.PENDING, "", "2", "S", "2"),
        "done": becoming(Stage.DONE, "", "2", "S", "2"),
    }
    picture(IdleBackend(busy), size=SMALL, themes=["mono"], walk=apart(walk), hold_seconds=0)


@IN_LOOKS
def test_a_held_action_that_can_be_cancelled(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(IdleBackend(busy), "6", "down", "a", size=size, themes=[theme])


def test_refusals_in_a_read_only_profile(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy, read_only=True), "6", "a", size=SMALL)


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
