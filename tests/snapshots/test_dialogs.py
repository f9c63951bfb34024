"""Dialogs over a screen."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from console.api.operations.clients import RegisterClient
from console.api.operations.people import ReorderParticipants
from console.app import ConsoleApp
from console.config import Profile
from console.live.command import Clash, Command, Disputed, Outcome, Stage, Step
from console.live.responses import answered
from console.records.access import OAuthClient
from console.records.people import Group
from console.text import clean
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import IN_LOOKS, SMALL, USUAL, Sitter, Size, named

in_sizes = pytest.mark.parametrize("size", [SMALL, USUAL], ids=named)


@IN_LOOKS
def test_help(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(IdleBackend(busy), "2", "question_mark", size=size, themes=[theme])


def offered(sitter: Sitter) -> list[str]:
    """Return the current entries of the palette."""
    lists = sitter.app.screen.query(OptionList)
    return [str(option.prompt) for each in lists for option in each.options]


def has_looked(sitter: Sitter) -> bool:
    """Return whether the palette has listed everything."""
    return all(worker.is_finished for worker in sitter.app.workers)


@IN_LOOKS
def test_palette(picture: Picture, busy: StillWorld, size: Size, theme: str):
    async def look_for_recordings(sitter: Sitter) -> None:
        await sitter.press("2", "ctrl+p")
        await sitter.until(lambda: bool(offered(sitter)))
        everything = offered(sitter)
        await sitter.type("rec")
        await sitter.until(lambda: offered(sitter) not in ([], everything) and has_looked(sitter))

    picture(IdleBackend(busy), steps=look_for_recordings, size=size, themes=[theme])


@IN_LOOKS
def test_picking_the_agent_of_a_transfer(picture: Picture, at_anas: StillWorld, size: Size, theme: str):
    picture(IdleBackend(at_anas), "5", "tab", "tab", "c", "t", "down", size=size, themes=[theme])


def test_a_filtered_picker(picture: Picture, at_anas: StillWorld):
    async def type_name(sitter: Sitter) -> None:
        await sitter.press("5", "tab", "tab", "c", "t")
        await sitter.type("ma")

    picture(IdleBackend(at_anas), steps=type_name, size=SMALL)


@in_sizes
def test_selecting_several_in_a_picker(picture: Picture, busy: StillWorld, size: Size):
    picture(IdleBackend(busy), "5", "tab", "a", "space", "space", size=size)


@IN_LOOKS
def test_confirming_the_cancellation_of_an_alert(picture: Picture, busy: StillWorld, size: Size, theme: str):
    async def cancel_own(sitter: Sitter) -> None:
        await sitter.press("6", "slash")
        await sitter.type("state:active mine:yes")
        await sitter.press("enter", "x")

    picture(IdleBackend(busy), steps=cancel_own, size=size, themes=[theme])


@IN_LOOKS
def test_typing_the_number_of_sessions_to_revoke(picture: Picture, busy: StillWorld, size: Size, theme: str):
    async def revoke_three(sitter: Sitter) -> None:
        await sitter.goto("access sessions")
        await sitter.press("down", "space", "space", "space", "d")
        await sitter.type("2")
        await sitter.press("enter")

    picture(IdleBackend(busy), steps=revoke_three, size=size, themes=[theme])


@in_sizes
def test_confirming_the_clearing_of_a_group(picture: Picture, busy: StillWorld, size: Size):
    async def clear_own(sitter: Sitter) -> None:
        await sitter.press("7", "slash")
        await sitter.type("mine:yes")
        await sitter.press("enter", "X")

    picture(IdleBackend(busy), steps=clear_own, size=size)


@IN_LOOKS
def test_editing_a_template(picture: Picture, busy: StillWorld, size: Size, theme: str):
    async def edit(sitter: Sitter) -> None:
        await sitter.press("6", "tab", "e")
        await sitter.type(" and more")

    picture(IdleBackend(busy), steps=edit, size=size, themes=[theme])


@in_sizes
def test_the_difference_before_a_form_is_sent(picture: Picture, busy: StillWorld, size: Size):
    async def edit(sitter: Sitter) -> None:
        await sitter.press("6", "tab", "e")
        await sitter.type(" today")
        await sitter.press("ctrl+y")

    picture(IdleBackend(busy), steps=edit, size=size)


@in_sizes
def test_pasting_a_list_of_members(picture: Picture, busy: StillWorld, size: Size):
    async def name_members(sitter: Sitter) -> None:
        await sitter.press("7", "slash")
        await sitter.type("mine:yes")
        await sitter.press("enter", "A")
        await sitter.type("ana, bob, nobody")

    picture(IdleBackend(busy), steps=name_members, size=size)


@IN_LOOKS
def test_choosing_columns(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(IdleBackend(busy), "2", "ctrl+o", "down", size=size, themes=[theme])


@IN_LOOKS
def test_choosing_a_theme(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(IdleBackend(busy), "2", "ctrl+t", size=size, themes=[theme])


def test_choosing_a_screen(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), "2", "colon", size=SMALL)


@in_sizes
def test_setting_own_presence(picture: Picture, busy: StillWorld, size: Size):
    picture(IdleBackend(busy), "m", size=size)


def test_filtering_presences_by_state(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), "4", "b", size=SMALL)


def test_opening_a_related_record(picture: Picture, busy: StillWorld):
    picture(IdleBackend(busy), "2", "g", size=SMALL)


@IN_LOOKS
def test_own_changes(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(IdleBackend(busy), "2", "S", "2", "6", "a", "ctrl+l", size=size, themes=[theme])


def registered(backend: IdleBackend) -> IdleBackend:
    """Add a registered client whose secret nobody has seen."""
    request = RegisterClient(name="Wallboard")
    client = OAuthClient(id="c-4711", name="Wallboard", client_id="a5539ea3df72b45e", client_secret="Tq7-" + "k3X9" * 9)
    step = Step(request, "Wallboard", clean("registered client Wallboard"))
    backend.became(
        Command("operations.clients.register", "clients", (step,), "register client"), answered(step, client)
    )
    return backend


@IN_LOOKS
def test_a_secret_that_is_shown_once(picture: Picture, busy: StillWorld, size: Size, theme: str):
    picture(registered(IdleBackend(busy)), "2", size=size, themes=[theme])


def test_a_revealed_secret(picture: Picture, busy: StillWorld):
    picture(registered(IdleBackend(busy)), "2", "v", size=SMALL)


@IN_LOOKS
def test_null_and_empty_in_a_form(picture: Picture, busy: StillWorld, size: Size, theme: str):
    async def edit(sitter: Sitter) -> None:
        await sitter.press("8")
        await sitter.goto("calls meetings")
        await sitter.press("e", "ctrl+n", "tab", "ctrl+n", "tab", "ctrl+n", "ctrl+n")

    picture(IdleBackend(busy), steps=edit, size=size, themes=[theme])


@IN_LOOKS
def test_a_conflict_with_the_change_of_somebody_else(picture: Picture, busy: StillWorld, size: Size, theme: str):
    backend = IdleBackend(busy)
    group = next(each for each in backend.records("groups").values() if isinstance(each, Group))
    before, theirs = group.participants[:4], (*group.participants[1:4], group.participants[0], "pat")
    wanted = ReorderParticipants(group_id=group.group_id, participants=before[::-1])
    step = Step(wanted, group.key, f"reordered {group.name}")
    disputed = Disputed("participants", before, before[::-1], theirs)
    clash = Clash((disputed,), group.model_copy(update={"participants": theirs}))
    reason = "somebody else changed it meanwhile"
    outcome = Outcome(step, Stage.REFUSED, reason, clash=clash, sent=False)
    backend.became(Command("groups.reorder", "groups", (step,), "Reorder"), outcome)
    picture(backend, "7", size=size, themes=[theme])


def test_unresolved_changes_of_an_earlier_run(picture: Picture, busy: StillWorld):
    step = {"words": "accepted Line down", "operation": "alerts.accept", "key": "a1"}
    intent = {"what": "intent", "command": "c1", "at": NOW_MS - 65_000, "title": "Accept", "steps": [step]}

    async def told_then_listed(sitter: Sitter) -> None:
        app = sitter.app
        assert isinstance(app, ConsoleApp)
        await sitter.until(lambda: app.told_of_unresolved)
        await sitter.press("2", "ctrl+l")

    picture(IdleBackend(busy, unresolved=(intent,)), size=SMALL, steps=told_then_listed)


@IN_LOOKS
def test_a_form_restricted_to_some_users(picture: Picture, busy: StillWorld, size: Size, theme: str):
    async def run(sitter: Sitter) -> None:
        await sitter.press("ctrl+p")
        await sitter.type("run groups.update")
        await sitter.press("down", "enter")

    picture(IdleBackend(busy), steps=run, size=size, themes=[theme])


def test_several_profiles(busy: StillWorld, picture: Picture) -> None:
    profiles = {
        "busy": Profile("https://voice.desk.example/core", production=True),
        "night": Profile("https://night.desk.example/core"),
        "lab": Profile("https://lab.desk.example/core"),
    }

    async def calls(sitter: Sitter) -> None:
        await sitter.press("2")

    async def listed(sitter: Sitter) -> None:
        await sitter.press("P")

    walk = {"top line": calls, "list": listed}
    picture(IdleBackend(busy), size=SMALL, themes=["mono"], walk=walk, profiles=profiles)
