"""Every answer to a change can be shown; its secrets only on request, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, get_args, get_origin
from zoneinfo import ZoneInfo

import pytest

from console.api.annotations import Effect
from console.api.catalogue import catalogue
from console.api.request import Request
from console.api.values import choices
from console.base.secrets import is_secret
from console.base.text import clean
from console.kinds.changes.columns import TABLE as OWN_CHANGES
from console.live.command import Command, Step
from console.live.responses import answered, makes_secret, outcome_entry, unmasked
from console.records.fields import resolved_fields
from console.records.record import Record
from console.records.responses import Acknowledgement
from console.ui.screens.activity import ActivityScreen, changes_of
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.outcome_dialogs import ResponseDialog
from console.views.export import to_csv, to_json
from console.views.render_context import RenderContext
from tests.canary import files_below
from tests.idle.backend import IdleBackend
from tests.idle.console import still_console
from tests.idle.world import NOW_MS, StillWorld, StillWorlds
from tests.snapshots.pictures import Sitter

CANARY = "Canary-4711-never-to-be-written-down"
CHANGES = [each for each in catalogue().values() if each.operation.effect is Effect.CHANGE]


@pytest.fixture(scope="module")
def quiet(still_worlds: StillWorlds) -> StillWorld:
    return still_worlds.of("quiet", "eva")


def sample(annotation: Any, name: str, operation: str, depth: int = 0) -> Any:
    """Return a sample of JSON for a type: texts with the name of their field, and the canary for each secret."""
    if is_secret(name):
        return CANARY
    kind = next(iter(choices(annotation)), None)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        return [sample(inner[0], name, operation, depth)]
    if origin is dict or kind is Any:
        return {"token": CANARY, "kept": f"{operation} {name}"}
    if isinstance(kind, type) and issubclass(kind, Record):
        fields = resolved_fields(kind).items() if depth < 3 else ()
        return {each.wire: sample(each.annotation, field, operation, depth + 1) for field, each in fields}
    if kind is bool:
        return True
    if kind in {int, float}:
        return 7
    return f"{operation} {name}"


def answer_of(request: type[Request[Any]]) -> Any:
    """Return a sample answer with the canary in each of its secrets."""
    name = request.operation.name
    if request.answer_type() is Acknowledgement:
        return Acknowledgement.model_validate({"code": 200, "message": f"{name} message", "id": f"{name} id"})
    wire = sample(request.answer_type(), "", name)
    return request.read_answer(
        json.dumps(wire if request.operation.unwrap is None else {request.operation.unwrap: wire}).encode()
    )


def command_of(request: type[Request[Any]]) -> Command:
    """Return a command that sends an operation with arbitrary inputs."""
    made = request.model_construct(**{each.field: given(each.annotation) for each in request.inputs() if each.required})
    name = request.operation.name
    return Command(f"operations.{name}", "operations", (Step(made, name, clean(f"sent {name}")),), f"send {name}")


def given(annotation: Any) -> Any:
    """Return a sample of a required input."""
    kind = next(iter(choices(annotation)))
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        return ("x",) if inner[0] is str else ()
    if origin is Literal:
        return inner[0]
    if isinstance(kind, type) and issubclass(kind, Record):
        return kind.model_construct()
    if origin is dict:
        return {}
    return True if kind is bool else 1 if kind is int else "x"


def desk_with(world: StillWorld, requests: list[type[Request[Any]]]) -> IdleBackend:
    """Return a backend on which these operations have been executed."""
    backend = IdleBackend(world)
    for request in requests:
        command = command_of(request)
        backend.became(command, answered(command.steps[0], answer_of(request)))
    return backend


MAKING = [each for each in CHANGES if makes_secret(command_of(each).steps[0].request)]


def test_only_secrets_that_are_new_or_cannot_be_read_again_are_shown_in_a_dialog() -> None:
    names = {each.operation.name for each in MAKING}
    assert names >= {"sessions.create", "tokens.issue", "clients.register", "directory-credentials.create"}
    again = {each.operation.name for each in CHANGES if each.operation.answers_secret} - names
    assert again == {"sip-mappings.set", "directory-credentials.update"}


def test_no_secret_is_journaled_listed_or_exported(quiet: StillWorld) -> None:
    backend = desk_with(quiet, CHANGES)
    held = 0
    for ticket in backend.commands.tickets():
        (outcome,), (step,) = ticket.outcomes, ticket.command.steps
        name = step.request.operation.name
        whole = json.dumps(unmasked(step.request, outcome.answer), default=str)
        assert outcome.secret == makes_secret(step.request), name
        assert (CANARY in whole) == outcome.secret, f"{name} keeps a secret that nobody will ask for"
        held += outcome.secret
        assert CANARY not in json.dumps(outcome_entry("c", 0, 0, step, outcome)), name
        assert CANARY not in outcome.says, name
    assert held >= 8
    rows = list(changes_of(backend.commands.tickets(), ()))
    render = RenderContext(now_ms=NOW_MS, zone=ZoneInfo("Europe/Madrid"))
    written = [to_csv(rows, OWN_CHANGES.columns, render), to_json(rows, OWN_CHANGES.columns, render)]
    written += [str(OWN_CHANGES.detail(row, render)) for row in rows] + [row.wire_json() for row in rows]
    assert not any(CANARY in each for each in written)
    assert len(rows) == len(CHANGES)


async def test_every_answer_is_listed_in_own_changes(quiet: StillWorld, tmp_path: Path) -> None:
    plain = [each for each in CHANGES if each not in MAKING]
    backend = desk_with(quiet, plain)
    app = still_console(backend, tmp_path)
    async with app.run_test(size=(160, 50)) as pilot:
        sitter = Sitter(pilot)
        await sitter.settle()
        await sitter.press("ctrl+l")
        screen = app.screen
        assert isinstance(screen, ActivityScreen)
        await sitter.until(lambda: screen.pane.view.matched == len(plain))
        for ticket in backend.commands.tickets():
            name = ticket.command.steps[0].request.operation.name
            screen.pane.live_table.move_to(f"{ticket.command.number:06}-0001")
            screen._shown_detail = ("", "", 0)  # pyright: ignore[reportPrivateUsage] - it is kept for a tenth of a second
            screen.beat(True)
            words = " ".join(screen.detail.words.split())
            assert "Answered" in words, name
            assert f"{name} " in words.partition("Answered")[2], name
            assert CANARY not in words, name


async def test_every_secret_is_masked_until_revealed_and_discarded_afterwards(
    quiet: StillWorld, tmp_path: Path
) -> None:
    once = [each for each in CHANGES if each in MAKING]
    steps = tuple(step for each in once for step in command_of(each).steps)
    backend = IdleBackend(quiet)
    outcomes = [answered(step, answer_of(type(step.request))) for step in steps]
    backend.became(Command("operations.all", "operations", steps, "send all"), *outcomes)
    app = still_console(backend, tmp_path)
    async with app.run_test(size=(120, 60)) as pilot:
        sitter = Sitter(pilot)
        await sitter.until(lambda: isinstance(app.screen, ResponseDialog) and app.screen.listening)
        dialog = app.screen
        assert isinstance(dialog, ResponseDialog)
        pane = dialog._pane  # pyright: ignore[reportPrivateUsage] - to read the lines below its edge
        masked = pane.words
        assert masked.count("(secret)") >= len(once)
        assert CANARY not in masked
        await pilot.press("v")
        assert pane.words.count(CANARY) >= len(once)
        for request in once:
            assert f"{request.operation.name} " in pane.words, request.operation.name
        await pilot.press("v")
        assert pane.words == masked
        await pilot.press("escape")
        await sitter.until(lambda: isinstance(app.screen, ConsoleScreen))
    assert not any(outcome.secret for ticket in backend.commands.tickets() for outcome in ticket.outcomes)
    assert not any(CANARY.encode() in each for each in files_below(tmp_path).values())
