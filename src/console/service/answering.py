"""Which function answers which operation.

    @answers(ListGroups)
    def list_groups(request: ListGroups, caller: Caller, platform: Platform) -> Stored:
        with platform.read() as tx:
            return Stored(GROUPS, GROUPS.bodies(tx, caller=caller))

A plain function runs inside one transaction (a read for reads, a write for changes) and must not await; an `async`
function runs without, and opens its own around what it does between awaits. Files in `service/answers/` are found by
themselves.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from console.api.request import Request
from console.records.answers import Acknowledgement
from console.service.caller import Caller

if TYPE_CHECKING:
    from console.service.documents import Documents
    from console.service.platform import Platform

Q = TypeVar("Q", bound=Request[Any])


@dataclass(frozen=True, slots=True)
class Stored:
    """Records answered as they are stored: an array, or with `many` False the one."""

    documents: Documents[Any]
    bodies: Sequence[str]
    many: bool = True


@dataclass(frozen=True, slots=True)
class StoredPage:
    """One page of stored records in the contract's pagination envelope (2.1)."""

    documents: Documents[Any]
    bodies: Sequence[str]
    total: int
    max_size: int
    next: str | None
    previous: str | None


@dataclass(frozen=True, slots=True)
class Wire:
    """An answer that is laid out already, where the model would not show exactly what the contract does."""

    data: Any


DONE = Acknowledgement()
"""The answer of an operation that has nothing to say but that it was done."""

Result = Any
Answering = Callable[[Any, Caller, Any], Result]

ANSWERS: dict[type[Request[Any]], Answering] = {}
"""Every operation that this service answers."""


def answers(
    request: type[Q],
) -> Callable[
    [Callable[[Q, Caller, Platform], Result | Awaitable[Result]]],
    Callable[[Q, Caller, Platform], Result | Awaitable[Result]],
]:
    """Make the decorated function the answer to an operation. Raises ValueError when there is one already."""

    def register(
        function: Callable[[Q, Caller, Platform], Result | Awaitable[Result]],
    ) -> Callable[[Q, Caller, Platform], Result | Awaitable[Result]]:
        if request in ANSWERS:
            raise ValueError(f"{request.operation.name} is answered twice")
        ANSWERS[request] = function
        return function

    return register


def is_async(function: Answering) -> bool:
    """Whether an answer runs outside a transaction of the app's making."""
    return inspect.iscoroutinefunction(function)


def load_answers() -> None:
    """Import every file of answers, and with them the tables they need."""
    package = importlib.import_module("console.service.answers")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"console.service.answers.{module.name}")
