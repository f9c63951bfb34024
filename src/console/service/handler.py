"""Which function answers which operation.

    @handles(ListGroups)
    def list_groups(request: ListGroups, caller: Caller, platform: Platform) -> Stored:
        with platform.read() as tx:
            return Stored(GROUPS, GROUPS.bodies(tx, caller=caller))

A plain function runs inside one transaction (a read for reads, a write for changes) and must not await. An `async`
function runs without: it awaits what takes long, and returns the function that makes the change, which runs inside
one. A change may return a `Refusal` instead of raising it: then what it has done stays. Modules of `service/handlers/`
are found by themselves.

Where an operation is only for callers in a relation to what it names, the handler declares the relation (see
`relation_checks.py`) and is called for nobody else:

    @handles(UpdateGroup, related=owns(GROUPS, "owner", "group_id"))

A list may declare that its answer `follows` one kind (see `response_cache.py`). Where more of the caller decides than
what of that kind they may see, `seen` returns it.

A change that stores a password says where it finds it, so that its hash, which takes long, is made before the
transaction begins:

    @handles(CreateMeeting, hashes=lambda request: request.password)
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from console.api.request import Request
from console.frozen import Frozen
from console.records.responses import Acknowledgement
from console.service.caller import Caller

if TYPE_CHECKING:
    from console.service.database import Transaction
    from console.service.documents import Documents
    from console.service.platform import Platform

Q = TypeVar("Q", bound=Request[Any])


class Stored(Frozen):
    """Records answered as they are stored: an array, or with `many` False the one."""

    documents: Documents[Any]
    bodies: Sequence[str]
    many: bool = True


class Listed(Frozen):
    """Many records answered as they are stored, joined already: see `Documents.listed`."""

    documents: Documents[Any]
    array: bytes


class StoredPage(Frozen):
    """One page of stored records in the contract's pagination envelope (2.1)."""

    documents: Documents[Any]
    bodies: Sequence[str]
    total: int
    max_size: int
    next: str | None
    previous: str | None


class Wire(Frozen):
    """An answer that is laid out already, where the model would not show exactly what the contract does."""

    data: Any
    status: int = 200


DONE = Acknowledgement()
"""The answer of an operation that has nothing to say but that it was done."""

RelationCheck = Callable[["Platform", "Transaction", Caller, Q], bool]
"""Whether the caller stands in the relation to what a request names. Refuses with 404 what is not there."""

Result = Any
Handler = Callable[[Any, Caller, Any], Result]

HANDLERS: dict[type[Request[Any]], Handler] = {}
"""Every operation that this service answers."""
RELATION_CHECKS: dict[type[Request[Any]], RelationCheck[Any]] = {}
"""How a caller stands in the relation that an operation's access asks for."""
HASHES: dict[type[Request[Any]], Callable[[Any], str | None]] = {}
"""Where the changes that store a password find it."""
FOLLOWS: dict[type[Request[Any]], Documents[Any]] = {}
"""The lists whose answer is decided by the request, by what the caller may see of one kind, and by its rows."""
SEEN: dict[type[Request[Any]], Callable[[Any, Caller], Hashable]] = {}
"""What else of the caller decides the answer of some of these lists."""


def handles(
    request: type[Q],
    related: RelationCheck[Q] | None = None,
    follows: Documents[Any] | None = None,
    seen: Callable[[Q, Caller], Hashable] | None = None,
    hashes: Callable[[Q], str | None] | None = None,
) -> Callable[
    [Callable[[Q, Caller, Platform], Result | Awaitable[Result]]],
    Callable[[Q, Caller, Platform], Result | Awaitable[Result]],
]:
    """Make the decorated function the answer to an operation, for who is `related` where its access asks for that.

    Raises ValueError when there is an answer already, or a relation is missing or of no use.
    """
    if request.operation.access.value.related is not (related is not None):
        raise ValueError(f"{request.operation.name} is for {request.operation.access.words}")

    def register(
        function: Callable[[Q, Caller, Platform], Result | Awaitable[Result]],
    ) -> Callable[[Q, Caller, Platform], Result | Awaitable[Result]]:
        if request in HANDLERS:
            raise ValueError(f"{request.operation.name} is answered twice")
        HANDLERS[request] = function
        if related is not None:
            RELATION_CHECKS[request] = related
        if hashes is not None:
            HASHES[request] = hashes
        if follows is not None:
            FOLLOWS[request] = follows
        if seen is not None:
            SEEN[request] = seen
        return function

    return register


def is_async(function: Handler) -> bool:
    """Whether an answer awaits something before it returns what makes the change."""
    return inspect.iscoroutinefunction(function)


def load_handlers() -> None:
    """Import every file of answers, and with them the tables they need."""
    package = importlib.import_module("console.service.handlers")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"console.service.handlers.{module.name}")
