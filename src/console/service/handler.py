"""Which function answers which operation.

An operation that only calls one function of the domain is bound to it by declaration:

    bind(CancelAlert, alerts.cancel, alert_id="id", related=owns(ALERTS, "sender"))

The function's parameters are filled by name: `request`, `caller`, `platform` and `tx` (the transaction), every other
from the input of its name. An argument names another input for a parameter, or computes its value:
`leaver=lambda request, caller: request.target_user_id or caller.id`. An input that is None leaves a parameter at its
default. A parameter without an input fails when the module is loaded, and so does an input without a parameter where
nothing is computed. The function's result is the answer, None says that it is done; `answer` is a message instead of
the result, or makes the answer from it. `bindings.py` has the parts that several operations use.

An operation with more to say has a handler of its own, whose parameters are filled the same way:

    @handles(ListGroups)
    def list_groups(request: ListGroups, caller: Caller, tx: Transaction) -> Stored:
        return Stored(GROUPS, GROUPS.bodies(tx, caller=caller))

A plain function runs inside one transaction (a read for reads, a write for changes) and must not await. An `async`
function runs without: it awaits what takes long, and returns the function that makes the change, which runs inside
one. A change may return a `Refusal` instead of raising it: then what it has done stays. Modules of `service/handlers/`
are found by themselves.

Both forms take the same options. Where an operation is only for callers in a relation to what it names, `related`
says how it is looked up (see `relation_checks.py`), and nobody else is answered. A list may declare that its answer
`follows` one kind (see `response_cache.py`). Where more of the caller decides than what of that kind they may see,
`seen` returns it.

A change that stores a password says where it finds it, so that its hash, which takes long, is made before the
transaction begins:

    @handles(CreateMeeting, hashes=lambda request: request.password)
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Hashable, Mapping, Sequence
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
F = TypeVar("F", bound=Callable[..., Any])


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

_PROVIDED = frozenset({"platform", "caller", "request", "tx"})
"""The parameters of a bound function that no input fills."""

HANDLERS: dict[type[Request[Any]], Callable[[Any, Caller, Any, Any], Result]] = {}
"""Every operation that this service answers: what is called with request, caller, platform and transaction."""
ASYNC: set[type[Request[Any]]] = set()
"""The operations whose handler awaits something; it gets no transaction."""
RELATION_CHECKS: dict[type[Request[Any]], RelationCheck[Any]] = {}
"""How a caller stands in the relation that an operation's access asks for."""
HASHES: dict[type[Request[Any]], Callable[[Any], str | None]] = {}
"""Where the changes that store a password find it."""
FOLLOWS: dict[type[Request[Any]], Documents[Any]] = {}
"""The lists whose answer is decided by the request, by what the caller may see of one kind, and by its rows."""
SEEN: dict[type[Request[Any]], Callable[[Any, Caller], Hashable]] = {}
"""What else of the caller decides the answer of some of these lists."""


def bind(
    request: type[Q],
    function: Callable[..., Result],
    *,
    related: RelationCheck[Q] | None = None,
    follows: Documents[Any] | None = None,
    seen: Callable[[Q, Caller], Hashable] | None = None,
    hashes: Callable[[Q], str | None] | None = None,
    answer: str | Callable[[Platform, Any], Result] | None = None,
    **inputs: str | Callable[[Q, Caller], Any],
) -> None:
    """Answer an operation with a function whose parameters are filled by name; see the module.

    Raises ValueError when there is an answer already, a relation is missing or of no use, a parameter has no input, or
    an input no parameter.
    """
    operation = request.operation
    if operation.access.value.related is not (related is not None):
        raise ValueError(f"{operation.name} is for {operation.access.words}")
    parameters = inspect.signature(function).parameters
    sources = _sources(request, parameters, inputs)

    def handler(asked: Q, caller: Caller, platform: Platform, tx: Transaction | None) -> Result:
        values: dict[str, Any] = {"platform": platform, "caller": caller, "request": asked, "tx": tx}
        values = {name: value for name, value in values.items() if name in parameters}
        for name, source in sources.items():
            value = getattr(asked, source) if isinstance(source, str) else source(asked, caller)
            if value is not None or parameters[name].default is inspect.Parameter.empty:
                values[name] = value
        result = function(**values)
        if isinstance(answer, str):
            return Acknowledgement(message=answer)
        if answer is not None:
            return answer(platform, result)
        return DONE if result is None else result

    if request in HANDLERS:
        raise ValueError(f"{operation.name} has two handlers")
    HANDLERS[request] = handler
    if inspect.iscoroutinefunction(function):
        ASYNC.add(request)
    if related is not None:
        RELATION_CHECKS[request] = related
    if hashes is not None:
        HASHES[request] = hashes
    if follows is not None:
        FOLLOWS[request] = follows
    if seen is not None:
        SEEN[request] = seen


def handles(
    request: type[Q],
    *,
    related: RelationCheck[Q] | None = None,
    follows: Documents[Any] | None = None,
    seen: Callable[[Q, Caller], Hashable] | None = None,
    hashes: Callable[[Q], str | None] | None = None,
) -> Callable[[F], F]:
    """Bind an operation to the decorated function. Raises ValueError where `bind` does."""

    def register(function: F) -> F:
        bind(request, function, related=related, follows=follows, seen=seen, hashes=hashes)
        return function

    return register


def _sources(
    request: type[Q],
    parameters: Mapping[str, inspect.Parameter],
    inputs: Mapping[str, str | Callable[[Q, Caller], Any]],
) -> dict[str, str | Callable[[Q, Caller], Any]]:
    """Return for each parameter the input that fills it, or the function that computes it."""
    name, fields = request.operation.name, request.model_fields.keys()
    if "request" in parameters and request.__name__ not in parameters["request"].annotation.split(" | "):
        raise ValueError(f"{name} is no {parameters['request'].annotation}")
    sources = {each: inputs.get(each, each) for each in parameters if each not in _PROVIDED}
    for each, parameter in parameters.items():
        if sources.get(each) == each and each not in fields:
            if parameter.default is inspect.Parameter.empty:
                raise ValueError(f"{name} has no input for the parameter {each}")
            del sources[each]
    used = {source for source in sources.values() if isinstance(source, str)}
    unknown = (inputs.keys() - sources.keys()) | (used - fields)
    if unknown:
        raise ValueError(f"{name} has no parameter or input {', '.join(sorted(unknown))}")
    sees_all = "request" in parameters or any(callable(source) for source in sources.values())
    if fields - used and not sees_all:
        raise ValueError(f"{name} leaves out its input {', '.join(sorted(fields - used))}")
    return sources


def load_handlers() -> None:
    """Import every file of answers, and with them the tables they need."""
    package = importlib.import_module("console.service.handlers")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"console.service.handlers.{module.name}")
