"""Dialogs over a screen."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widgets import OptionList

from console.api.operations.people import ReorderParticipants
from console.api.operations.sessions import RegisterClient
from console.api.operations.support import UpdateTemplate
from console.base.text import clean
from console.config.schema import Profile
from console.live.command import Clash, Command, Disputed, Outcome, Stage, Step
from console.live.responses import answered
from console.records.access import OAuthClient
from console.records.people import Group
from console.records.support import AlertTemplate
from console.ui.app import ConsoleApp
from tests.idle.backend import IdleBackend
from tests.idle.world import NOW_MS, StillWorld
from tests.snapshots.conftest import Picture
from tests.snapshots.pictures import IN_LOOKS, SMALL, Sitter, Size, Steps, apart, pressed, typed


def after(name: str, *keys: str, then: Sequence[str] = ()) -> Steps:
    """Go to a list by its name, press keys that open a dialog, and press further keys in it."""

    async def steps(sitter: Sitter) -> None:
        await sitter.goto(name)
        await sitter.press(*keys)
        await sitter.dialog()
        await sitter.press(*then)

    return steps


def opened(steps: Steps) -> Steps:
    """Take these steps, and wait for the dialog that they open."""

    async def both(sitter: Sitter) -> None:
        await steps(sitter)
        await sitter.dialog()

    return both


def offered(sitter: Sitter) -> list[str]:
    """Return the current entries of the palette."""
    lists = sitter.app.screen.query(OptionList)
    return [str(option.prompt) for each in lists for option in each.options]


def has_looked(sitter: Sitter) -> bool:
    """Return whether the palette has listed everything."""
    return all(worker.is_finished for worker in sitter.app.workers)


async def look_for_recordings(sitter: Sitter) -> None:
    """Search the palette for what begins with `rec`."""
    await sitter.press("2", "ctrl+p")
    await sitter.dialog()
    await sitter.until(lambda: bool(offered(sitter)))
    everything = offered(sitter)
    await sitter.type("rec")
    await sitter.until(lambda: offered(sitter) not in ([], everything) and has_looked(sitter))


async def revoke_three(sitter: Sitter) -> None:
    """Select three sessions to end, and type another number."""
    await sitter.goto("access sessions")
    await sitter.press("down", "space", "space", "space", "d")
    await sitter.dialog()
    await sitter.type("2")
    await sitter.press("enter")


async def paste_members(sitter: Sitter) -> None:
    """Paste three names, one of them unknown, as members of an own group."""
    await sitter.press("7", "slash")
    await sitter.type("mine:yes")
    await sitter.press("enter", "A")
    await sitter.dialog()
    await sitter.type("ana, bob, nobody")


async def change_and_accept(sitter: Sitter) -> None:
    """Stop the statistics of a call, accept an alert, and look at the own changes."""
    await sitter.press("2", "S")
    await sitter.dialog()
    await sitter.press("2", "6", "a", "ctrl+l")


IN_BOTH_LOOKS: dict[str, Steps] = {
    "help": pressed("2", "question_mark"),
    "palette": look_for_recordings,
    "difference": after("templates", "home", "e", then=[*" today", "ctrl+y"]),
    "null and empty": after("calls meetings", "e", then=["ctrl+n", "tab", "ctrl+n", "tab", "ctrl+n", "ctrl+n"]),
}
"""What opens each dialog, from whatever screen the dialog before was opened."""
IN_LITTLE_ROOM: dict[str, Steps] = {
    "several picked": pressed("5", "tab", "plus", "space", "space"),
    "cancel an alert": typed("6", "slash", text="state:active mine:yes", then=["enter", "x"]),
    "clear a group": typed("7", "slash", text="mine:yes", then=["enter", "X"]),
    "number of sessions": revoke_three,
    "edit a template": after("templates", "home", "e"),
    "columns": pressed("2", "ctrl+o", "down"),
    "themes": pressed("2", "ctrl+t"),
    "pasted members": paste_members,
    "own presence": pressed("1", "m"),
    "restricted form": typed("1", "ctrl+p", text="run groups.update", then=["down", "enter"]),
    "screens": pressed("2", "colon"),
    "states of presences": pressed("4", "b"),
    "related records": pressed("2", "end", "g"),
}
"""Dialogs that look alike in more room."""


@IN_LOOKS
def test_dialog(picture: Picture, busy: StillWorld, size: Size, theme: str):
    walk = IN_LITTLE_ROOM | IN_BOTH_LOOKS if size == SMALL else IN_BOTH_LOOKS
    dialogs = {name: opened(steps) for name, steps in walk.items()}
    own_changes: dict[str, Steps] = {"own changes": change_and_accept}
    picture(IdleBackend(busy), size=size, themes=[theme], walk=apart(dialogs | own_changes))


@IN_LOOKS
def test_picking_the_agent_of_a_transfer(picture: Picture, at_anas: StillWorld, size: Size, theme: str):
    walk = {"picker": pressed("5", "tab", "tab", "c", "t", "down"), "filtered": typed(text="ma")}
    picture(IdleBackend(at_anas), size=size, themes=[theme], walk=walk)


def registered(backend: IdleBackend) -> IdleBackend:
    """Add a registered client whose secret nobody has seen."""
    request = RegisterClient(name="Wallboard")
    client = OAuthClient(id="c-4711", name="Wallboard", client_id="a5539ea3df72b45e", client_secret="Tq7-" + "k3X9" * 9)
    step = Step(request, "Wallboard", clean("registered client Wallboard"))
    backend.became(
        Command("operations.clients.register", "clients", (step,), "register client"), answered(step, client)
    )
    return backend


def test_a_secret_that_is_shown_once(picture: Picture, busy: StillWorld):
    walk = {"masked": pressed("2"), "revealed": pressed("v")}
    picture(registered(IdleBackend(busy)), size=SMALL, themes=["mono"], walk=walk)


def test_a_conflict_with_the_change_of_somebody_else(picture: Picture, busy: StillWorld):
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
    picture(backend, size=SMALL, themes=["mono"], steps=Sitter.dialog)


@IN_LOOKS
def test_values_whose_record_was_deleted(picture: Picture, busy: StillWorld, size: Size, theme: str):
    backend = IdleBackend(busy)
    template = next(each for each in backend.records("templates").values() if isinstance(each, AlertTemplate))
    message = "The trunk to the carrier is down. Call the operator on duty, then the carrier, and write both down."
    wanted = UpdateTemplate(id=template.key, title="Trunk down", payload=message)
    step = Step(wanted, template.key, f"changed {template.title}")
    disputed = (
        Disputed("title", template.title, wanted.title, None),
        Disputed("payload", template.payload, message, None),
    )
    reason = "it was deleted or renamed in the meantime"
    outcome = Outcome(step, Stage.REFUSED, reason, clash=Clash(disputed, None), sent=False)

    async def told(sitter: Sitter) -> None:
        # The dialog covers Home, whose layout is stable only after some beats.
        await sitter.hold_still()
        backend.became(Command("templates.edit", "templates", (step,), "Edit template"), outcome)
        await sitter.settle()
        await sitter.dialog()

    picture(backend, size=size, themes=[theme], walk={"values": told, "copied": pressed("y")})


def test_unresolved_changes_of_an_earlier_run(picture: Picture, busy: StillWorld):
    step = {"words": "accepted Line down", "operation": "alerts.accept", "key": "a1"}
    intent = {"what": "intent", "command": "c1", "at": NOW_MS - 65_000, "title": "Accept", "steps": [step]}

    async def told_then_listed(sitter: Sitter) -> None:
        app = sitter.app
        assert isinstance(app, ConsoleApp)
        await sitter.until(lambda: app.told_of_unresolved)
        await sitter.press("2", "ctrl+l")

    picture(IdleBackend(busy, unresolved=(intent,)), size=SMALL, steps=told_then_listed)


def test_several_profiles(busy: StillWorld, picture: Picture) -> None:
    profiles = {
        "busy": Profile("https://voice.desk.example/core", production=True),
        "night": Profile("https://night.desk.example/core"),
        "lab": Profile("https://lab.desk.example/core"),
    }

    walk = {"top line": pressed("2"), "list": pressed("P")}
    picture(IdleBackend(busy), size=SMALL, themes=["mono"], walk=walk, profiles=profiles)
