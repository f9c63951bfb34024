"""The answer of the service to a change is shown: ids, sentences, and secrets until they have been seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console.api.operations.sessions import CreateSession
from console.base.text import clean
from console.live.command import Command, Stage, Step, Ticket
from console.records.access import OAuthClient
from console.records.people import Session
from console.service.domain.clients import CLIENTS
from console.service.domain.sessions import SESSIONS
from console.ui.dialogs import FormDialog
from console.ui.screens.activity import ActivityScreen
from console.ui.screens.calls import CallsScreen
from console.ui.screens.outcome_dialogs import ResponseDialog
from console.ui.screens.outcomes import pending_words
from console.ui.screens.palette import ConsoleCommands
from console.ui.screens.revealing import REVEALED_SECONDS
from tests.behaviour.driver import Seat
from tests.behaviour.service_base import Base, LaterClock, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def run(eva: Seat, operation: str, **fields: str) -> None:
    """Run an operation from the palette, fill in its form, and send it."""
    await eva.press("ctrl+p")
    await eva.until(lambda: eva.app.screen.__class__.__name__ == "CommandPalette")
    await eva.type(f"run {operation}")
    await eva.sees(f"(run {operation})")
    await eva.press("down", "enter")
    await eva.until(lambda: isinstance(eva.app.screen, FormDialog) and eva.app.screen.listening)
    for label, text in fields.items():
        await eva.focus_field(label.replace("_", " "))
        await eva.type(text)
    await eva.press("ctrl+y")
    await eva.sees("Send")
    await eva.confirm("enter")


async def changes(eva: Seat) -> ActivityScreen:
    """Open the list of own changes."""
    await eva.press("ctrl+l")
    return await eva.until(lambda: eva.app.screen if isinstance(eva.app.screen, ActivityScreen) else None)


async def test_the_secret_of_a_new_client_is_masked_shown_copied_and_discarded(
    eva: Seat, base: Base, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clock = LaterClock()
    monkeypatch.setattr(eva.context, "clock", clock)
    name = fresh("OAuthClient")
    await run(eva, "clients.register", Name=name, Redirect_URI="https://app.example/back")
    dialog = await eva.until(lambda: eva.app.screen if isinstance(eva.app.screen, ResponseDialog) else None)
    await eva.dialog()
    ticket = eva.backend.commands.tickets()[0]
    answer, client = ticket.outcomes[0].answer, ticket.outcomes[0].made[0]
    assert isinstance(answer, OAuthClient)
    secret = answer.client_secret or ""
    assert len(secret) > 12
    await eva.sees(client)
    assert secret[-4:] not in eva.screen_text()
    await eva.press("y")
    assert eva.app.clipboard != secret
    await eva.press("escape")
    await eva.sees("The secret has not been shown yet. Press esc again to close anyway.")
    assert eva.app.screen is dialog
    await eva.press("v")
    await eva.until(lambda: secret in eva.screen_text().replace("\n", ""))
    await eva.press("y")
    assert eva.app.clipboard == secret
    assert "was sent to the terminal's clipboard" in eva.screen_text()
    clock.added = REVEALED_SECONDS
    await eva.until(lambda: secret not in eva.screen_text())
    await eva.press("escape")
    await eva.no_dialog()
    assert secret not in repr(eva.backend.commands.tickets()[0].outcomes[0].answer)
    await changes(eva)
    await eva.press("enter")
    await eva.sees(f"id {client}")
    await eva.press("right_square_bracket", "right_square_bracket")
    await eva.sees("(secret)")
    assert secret not in eva.screen_text()
    await eva.press("escape")
    for key in ("E", "J"):
        await eva.press(key)
        await eva.sees("row in changes-")
    await eva.press("escape")
    written = [each.read_text(encoding="utf-8") for each in eva.context.places.downloads.iterdir()]
    assert written
    assert client in "".join(written)
    assert secret not in "".join((*written, eva.journal.read_text(encoding="utf-8")))
    with base.service.platform.read() as tx:
        assert CLIENTS.get(tx, client) is not None


async def test_a_new_session_shows_its_token_and_id(eva: Seat, base: Base) -> None:
    await eva.look_at("sessions")
    await eva.open_dialog("n")
    await eva.press("ctrl+y")
    await eva.sees("Send")
    await eva.confirm("enter")
    await eva.until(lambda: isinstance(eva.app.screen, ResponseDialog))
    await eva.dialog()
    made = eva.backend.commands.tickets()[0].outcomes[0].made[0]
    answer = eva.backend.commands.tickets()[0].outcomes[0].answer
    assert isinstance(answer, Session)
    token = answer.token or ""
    assert token
    assert token not in eva.screen_text()
    await eva.press("v")
    await eva.until(lambda: token in "".join(line.strip(" │") for line in eva.screen_text().splitlines()))
    await eva.press("escape")
    await eva.no_dialog()
    with base.service.platform.read() as tx:
        assert SESSIONS.get(tx, made) is not None


async def test_quitting_asks_about_a_secret_that_is_shown_once_and_about_changes_of_other_profiles(
    eva: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way = Command("operations.sessions.create", "sessions", (Step(CreateSession(), "s", clean("made s")),), "new")
    waiting = (Ticket(under_way, Stage.PENDING),)
    monkeypatch.setattr(eva.backend.commands, "tickets", lambda: waiting)
    left: list[object] = []
    monkeypatch.setattr(eva.app, "exit", left.append)
    await eva.go_to("home")
    await eva.press("q")
    assert pending_words(eva.backend.commands.tickets())[1:] == [
        "The answer contains a secret that is shown only once."
    ]
    await eva.sees("1 change waits for the service to answer. The answer contains a")
    await eva.sees("secret that is shown only once.")
    await eva.confirm("escape")
    assert not left
    await eva.press("q")
    await eva.confirm("enter")
    assert left == [0]
    monkeypatch.setattr(eva.backend.commands, "tickets", lambda: ())
    assert not eva.app.context.elsewhere()
    monkeypatch.setattr(eva.app.context, "elsewhere", lambda: waiting)
    await eva.press("q")
    await eva.sees("1 change waits for the service to answer.")
    await eva.confirm("escape")
    assert left == [0]


async def test_the_message_of_the_service_is_shown_beside_the_change(eva: Seat, base: Base) -> None:
    chat = fresh("request")
    await run(eva, "support-chats.start", Id=chat)
    await eva.sees(f"√ Asked for {chat}")
    says = eva.backend.commands.tickets()[0].outcomes[0].says
    assert says
    await eva.sees(says[:20])
    await changes(eva)
    await eva.sees(says[:12])
    await eva.press("escape")


async def test_addresses_of_nobody_are_listed(eva: Seat) -> None:
    await run(eva, "addresses.resolve", Addresses="svc-user:ana\nsvc-user:nobody")
    await eva.sees("not found: svc-user:nobody")


async def test_own_changes_are_filtered_exported_and_opened(eva: Seat, base: Base) -> None:
    group = base.group(["ana"])
    await eva.look_at("groups", group.group_id)
    await eva.open_dialog("e")
    await eva.press("ctrl+u")
    await eva.type("Renamed night")
    await eva.press("enter")
    await eva.done("groups.rename")
    screen = await changes(eva)
    await eva.sees("own change")
    await eva.sees("times in Europe/Madrid")
    await eva.press("slash")
    await eva.type("state:done renamed")
    await eva.press("enter")
    await eva.until(lambda: screen.pane.view.matched == 1)
    await eva.press("enter")
    await eva.sees("groups.update")
    await eva.sees("Renamed night")
    await eva.press("escape")
    await eva.press("J")
    await eva.sees("1 row in")
    (written,) = [each for each in eva.context.places.downloads.glob("changes-*.json") if "enamed" in each.read_text()]
    (row,) = json.loads(written.read_text(encoding="utf-8"))
    assert row["state"] == "done"
    await eva.press("escape", "escape")
    await eva.until(lambda: not isinstance(eva.app.screen, ActivityScreen))


async def test_the_palette_offers_the_same_resources_on_every_list(eva: Seat) -> None:
    # A list of the tree, one of several on a screen, and one alone on its screen.
    for kind in ("domains", "agents", "alerts"):
        await eva.look_at(kind)
        offered = [each async for each in ConsoleCommands(eva.app.screen).discover()]
        found = [each async for each in ConsoleCommands(eva.app.screen).search("run support-chats.start")]
        assert len(offered) > 20, kind
        assert found, kind


async def test_opening_another_screen_closes_the_list(eva: Seat) -> None:
    await changes(eva)
    await eva.press("2")
    await eva.until(lambda: isinstance(eva.app.screen, CallsScreen))
    await eva.press("ctrl+l")
    await eva.until(lambda: isinstance(eva.app.screen, ActivityScreen))
    await eva.press("ctrl+l")
    await eva.until(lambda: not isinstance(eva.app.screen, ActivityScreen))
