"""Register the functions that implement operations.

An operation that only calls one function of the domain is bound to it by declaration:

  bind(CancelAlert, alerts.cancel, alert_id="id", related=owns(ALERTS, "sender"))

The function's parameters are filled by name: `caller`, `platform` and `tx` (the transaction), all others with the
inputs of the same name. An argument of `bind` names another input for a parameter, or computes its value:
`leaver=lambda request, caller: request.target_user_id or caller.id`. An input that is None leaves a parameter at its
default. Loading fails for a parameter without an input, and for an unused input if no value is computed. The function's
result is the answer; None means an acknowledgement. `answer` is a message instead of the result, or a function that
converts it. `bindings.py` has helpers for several operations.

An operation that needs more code has its own handler. Its first parameter is the request, of the operation's type; the
others are filled the same way:

  @handles(ListGroups)
  def list_groups(request: ListGroups, caller: Caller, tx: Transaction) -> Stored:
      return Stored(GROUPS, GROUPS.bodies(tx, caller=caller))

A plain function runs inside one transaction (a read for reads, a write for changes) and must not await. An `async`
function runs without one: it awaits slow steps, and returns a function that makes the change inside a transaction. A
change may return a `Refusal` instead of raising it, to commit its effects. Modules of `service/handlers/` are imported
automatically.

Both forms take the same options. `related` checks the relation of the caller to the records in the request, if the
operation requires one (see `relation_checks.py`); other callers are refused. Its parameters are filled by name as well,
`request` with the request. A list may declare with `follows` that its answer depends on a single kind (see
`response_cache.py`), and with `seen` what else of the caller it depends on.

A change that stores a password declares its location, so that the slow hash is computed before the transaction:

  @handles(CreateMeeting, hashes=lambda request: request.password)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from console.api.request import Request
from console.base.frozen import Frozen
from console.records.responses import Acknowledgement
from console.service.auth.caller import Caller

if TYPE_CHECKING:
    from console.service.platform import Platform
    from console.service.store.documents import Documents
    from console.service.store.transaction import Transaction

Q = TypeVar("Q", bound=Request[Any])
P = ParamSpec("P")
R = TypeVar("R")


class Stored(Frozen):
    """Records answered as stored: an array, or a single one if `many` is False."""

    documents: Documents[Any]
    bodies: Sequence[str]
    many: bool = True


class JoinedRecords(Frozen):
    """Many records answered as stored, already joined; see `Documents.listed`."""

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
    """An encoded answer, for cases in which the model does not match the contract exactly."""

    data: Any
    status: int = 200


DONE = Acknowledgement()
"""The answer of an operation without a result."""

RelationCheck = Callable[..., bool]
"""Return whether the caller has the relation to the records in a request. Refuses unknown records with 404."""

Result = Any

_PROVIDED = ("caller", "platform", "tx")
"""Parameters of a bound function that are not filled with inputs."""


class Handler(Frozen):
    """How an operation is run."""

    run: Callable[[Any, Caller, Platform, Any], Result]
    """Returns the answer for a request, a caller, the platform and a transaction; None for an acknowledgement."""
    is_async: bool = False
    """Whether `run` is a coroutine function, which gets no transaction."""
    related: Callable[[Any, Caller, Platform, Any], bool] | None = None
    """The check for the relation that the operation requires; it has the arguments of `run`."""
    hashes: Callable[[Any], str | None] | None = None
    """Returns the password to hash, for a change that stores one."""
    follows: Documents[Any] | None = None
    """For a list that depends only on the request, on the caller's visibility of one kind, and on its rows."""
    seen: Callable[[Any, Caller], Hashable] | None = None
    """Returns further data of the caller on which such a list depends."""


HANDLERS: dict[type[Request[Any]], Handler] = {}
"""The handlers of all implemented operations."""


def bind(
    request: type[Q],
    function: Callable[..., Result],
    /,
    *,
    related: RelationCheck | None = None,
    follows: Documents[Any] | None = None,
    seen: Callable[[Q, Caller], Hashable] | None = None,
    hashes: Callable[[Q], str | None] | None = None,
    answer: str | Callable[[Platform, Any], Result] | None = None,
    **inputs: str | Callable[[Q, Caller], Any],
) -> None:
    """Bind an operation to a function whose parameters are filled by name; see the module.

    Raise ValueError if the operation is bound already, a relation check is missing or unused, a parameter has no input,
    or an input no parameter.
    """
    operation = request.operation
    if operation.access.value.related is not (related is not None):
        raise ValueError(f"{operation.name} is for {operation.access.words}")
    filled = _filled(request, function, inputs)

    def answered(asked: Q, caller: Caller, platform: Platform, tx: Transaction | None) -> Result:
        result = filled(asked, caller, platform, tx)
        return answer(platform, result) if callable(answer) else Acknowledgement(message=answer)

    check = None if related is None else _filled(request, related, {}, (*_PROVIDED, "request"))
    run = filled if answer is None else answered
    if request in HANDLERS:
        raise ValueError(f"{operation.name} has two handlers")
    HANDLERS[request] = Handler(run, inspect.iscoroutinefunction(function), check, hashes, follows, seen)


def handles(
    *requests: type[Q],
    related: RelationCheck | None = None,
    follows: Documents[Any] | None = None,
    seen: Callable[[Q, Caller], Hashable] | None = None,
    hashes: Callable[[Q], str | None] | None = None,
) -> Callable[[Callable[Concatenate[Q, P], R]], Callable[Concatenate[Q, P], R]]:
    """Bind operations to the decorated function, whose first parameter is `request`. Raise ValueError as `bind`."""

    def register(function: Callable[Concatenate[Q, P], R]) -> Callable[Concatenate[Q, P], R]:
        options: dict[str, Any] = {"related": related, "follows": follows, "seen": seen, "hashes": hashes}
        for each in requests:
            bind(each, function, request=lambda request, _: request, **options)
        return function

    return register


def _filled(
    request: type[Q],
    function: Callable[..., Any],
    inputs: Mapping[str, str | Callable[[Q, Caller], Any]],
    provided: Sequence[str] = _PROVIDED,
) -> Callable[[Q, Caller, Any, Any], Any]:
    """Return a function with the parameters of `Handler.run` that fills the parameters of another, as `bind` says."""
    parameters = inspect.signature(function).parameters
    names = [name for name in provided if name in parameters]
    sources: list[tuple[str, Any, bool, bool]] = [
        (name, source, isinstance(source, str), parameters[name].default is inspect.Parameter.empty)
        for name, source in _sources(request, parameters, inputs, provided).items()
    ]

    def filled(asked: Q, caller: Caller, platform: Any, tx: Any) -> Any:
        known = {"request": asked, "caller": caller, "platform": platform, "tx": tx}
        values: dict[str, Any] = {}
        for name in names:
            values[name] = known[name]
        for name, source, is_input, is_required in sources:
            value = getattr(asked, source) if is_input else source(asked, caller)
            if value is not None or is_required:
                values[name] = value
        return function(**values)

    return filled


def _sources(
    request: type[Q],
    parameters: Mapping[str, inspect.Parameter],
    inputs: Mapping[str, str | Callable[[Q, Caller], Any]],
    provided: Sequence[str],
) -> dict[str, str | Callable[[Q, Caller], Any]]:
    """Return for each parameter its input, or the function that computes its value."""
    name, fields = request.operation.name, request.declared_fields.keys()
    sources = {each: inputs.get(each, each) for each in parameters if each not in provided}
    for each, parameter in parameters.items():
        if sources.get(each) == each and each not in fields:
            if parameter.default is inspect.Parameter.empty:
                raise ValueError(f"{name} has no input for the parameter {each}")
            del sources[each]
    used = {source for source in sources.values() if isinstance(source, str)}
    unknown = (inputs.keys() - sources.keys()) | (used - fields)
    if unknown:
        raise ValueError(f"{name} has no parameter or input {', '.join(sorted(unknown))}")
    sees_all = "request" in provided or any(callable(source) for source in sources.values())
    if fields - used and not sees_all:
        raise ValueError(f"{name} leaves out its input {', '.join(sorted(fields - used))}")
    return sources
