"""Declare which action a test presses, and check it against the request that the console sent."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec

from console.commands.action import Action, ChoiceAsk
from console.kinds.actions import by_id
from console.live.command import Stage
from tests.behaviour.driver import Seat
from tests.kinds.action_world import MENU, asks_of

P = ParamSpec("P")
Test = Callable[P, Awaitable[None]]


def presses(action: str, *, undone: bool = False) -> Callable[[Test[P]], Test[P]]:
    """Declare that a test presses an action's key and sees the result; with `undone`, that it also undoes it by `u`.

    `tests/static/test_actions_are_pressed.py` compares these declarations with the catalogue.
    """

    def mark(test: Test[P]) -> Test[P]:
        @functools.wraps(test)
        async def checked(*args: P.args, **kwargs: P.kwargs) -> None:
            seats = [each for each in (*args, *kwargs.values()) if isinstance(each, Seat)]
            before = {ticket.command.number for each in seats for ticket in each.backend.commands.tickets()}
            await test(*args, **kwargs)
            done = {
                ticket.command.action
                for each in seats
                for ticket in each.backend.commands.tickets()
                if ticket.command.number not in before and ticket.stage in {Stage.DONE, Stage.TAKEN_BACK}
            }
            wanted = {action, f"undo.{action}"} if undone else {action}
            assert wanted <= done, f"pressed and done: {sorted(done)}"

        return checked

    return mark


async def press_for(who: Seat, action: Action[Any]) -> None:
    """Press an action's key or, if it has none, the key of the menu that offers it, and choose it there."""
    if action.key:
        await who.press(action.key)
        return
    menu = by_id(MENU)
    asks = asks_of(menu, who.context.situation())
    choices = [choice for ask in asks if isinstance(ask, ChoiceAsk) for choice in ask.choices]
    (title,) = [str(each.title) for each in choices if each.leads_to == action.id]
    await who.press(menu.key)
    await who.dialog()
    question = who.app.screen
    await who.type(title.rstrip("…"))
    await who.press("enter")
    await who.until(lambda: who.app.screen is not question)
