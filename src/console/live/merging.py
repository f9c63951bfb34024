"""Merge concurrent changes of the same list or field.

Three-way merge as in version control: the value at the time of the decision (`before`), the new value (`mine`), and the
current value after a change by somebody else (`theirs`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar, cast

from console.api.errors import ApiError, Forbidden, NotFound, NotOffered
from console.api.request import Request
from console.base.frozen import replace
from console.base.secrets import is_secret
from console.live.command import TAKES_BACK, Basis, Clash, Command, Disputed, Outcome, Replaced, Stage, Step, Ticket
from console.live.responses import unsent
from console.records.record import Record
from console.records.state_words import CANCELLED_ALERT, normalized
from console.records.structured import Structured

R = TypeVar("R", bound=Request[Any])


async def rebased(
    step: Step,
    basis: Basis,
    read: Callable[[Basis], Awaitable[Record | None]],
    own: Callable[[Basis], Mapping[str, Replaced]],
) -> Step | Outcome:
    """Return the step with this basis rebased on the current record, or why it is not sent. `read` returns the record.

    `own` returns the latest values that this console sent for the record, by field.
    """
    try:
        record = await read(basis)
    except (NotOffered, Forbidden):
        # A record that cannot be read alone cannot be compared.
        return step
    except ApiError as error:
        if not (isinstance(error, NotFound) and basis.names_one):
            return unsent(step, f"cannot check for changes by others: {error.in_full}")
        record = None
    if record is None and basis.field and not any(basis.before.values()):
        return step  # there was none before either
    if record is None:
        # A service may create a record that it does not have.
        return unsent(step, "it was deleted or renamed in the meantime", without_record(step))
    try:
        based = based_on(step, record, own(basis))
    except ValueError:
        return unsent(step, "the change made by somebody else cannot be merged")
    if isinstance(based, Clash):
        return unsent(step, "somebody else changed it in the meantime", based)
    return based


def based_on(step: Step, record: Record, own: Mapping[str, Replaced] = MappingProxyType({})) -> Step | Clash:
    """Return the step rebased on the current record, or the conflict.

    `own` are the latest values that this console sent for the record, by field: a value of one's own that the list
    did not show yet does not conflict. Raise ValueError if the current values cannot be sent with it.
    """
    return _on(step, record, own, insist=False)


def without_record(step: Step) -> Clash:
    """Return the conflict of a step whose record no longer exists, with the values that the step changes."""
    before: Mapping[str, Any] = step.basis.before if step.basis is not None else {}
    sent = ((name, getattr(step.request, name)) for name in before if name in step.request.model_fields_set)
    return Clash(tuple(Disputed(name, before[name], mine, None) for name, mine in sent if mine != before[name]), None)


def shows(step: Step, record: Record) -> bool:
    """Return whether a record has the values that a step replaces others with."""
    names = step.basis.before if step.basis is not None else ()
    wanted = [name for name in names if name in step.request.model_fields_set]
    return bool(wanted) and all(_same(getattr(step.request, name), getattr(record, name, None)) for name in wanted)


def removes(step: Step, kind: str) -> bool:
    """Return whether a step removes its record from the list of this kind."""
    operation = step.request.operation
    change, path = operation.change, operation.route.template
    if operation.route.method != "DELETE" or change is None or change.touches[:1] != (kind,):
        return False
    last = path.rpartition("/")[2]
    return any(
        last == f"{{{input_.wire}}}" and getattr(step.request, input_.field) == step.key
        for input_ in step.request.inputs()
    )


def shows_removal(before: Record | None, now: Record | None) -> bool:
    """Return whether a listed record was removed.

    One with a state may also end by itself, or by somebody else: only the state of a cancelled one says so.
    """
    if getattr(before, "state", None):
        return normalized(str(getattr(now, "state", None) or "")) in CANCELLED_ALERT
    return now is None


def insisting(step: Step, clash: Clash) -> Step:
    """Return the step for a user who has seen the values that it replaces. Raise ValueError as `based_on`."""
    return step if clash.record is None else cast("Step", _on(step, clash.record, {}, insist=True))


def taking_back(step: Step, request: Request[Any]) -> Basis | None:
    """Return the basis of the request that undoes a step: the values after the step."""
    if len(step.inverse) != 1:
        return None
    if step.leaves is not None or step.basis is None:
        return step.leaves
    left = {
        name: getattr(step.request, name, None)
        for name in step.basis.before
        if hasattr(request, name) or name == step.basis.field
    }
    return replace(_renamed(step.basis, step.request), before=left) if left else None


def _renamed(basis: Basis, request: Request[Any]) -> Basis:
    """Return the basis under the key that its record has after a request."""
    by, key = (change.renames if (change := request.operation.change) is not None else None) or ("", "")
    new = getattr(request, by, None) if by in request.model_fields_set else None
    if not new or new == getattr(request, key):
        return basis
    named = key in basis.read.declared_fields
    return replace(basis, read=_having(basis.read, {key: new}) if named else basis.read, key=new if basis.key else "")


def _on(step: Step, record: Record, own: Mapping[str, Replaced], *, insist: bool) -> Step | Clash:
    if step.basis is None:
        return step
    values: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    disputed: list[Disputed] = []
    for name, before in step.basis.before.items():
        mine = getattr(step.request, name, None)
        now = _as_input(record, mine or before) if name == step.basis.field else getattr(record, name, None)
        dispute = Disputed(name, before, mine, now)
        if _alike(dispute.theirs, dispute.before) or _alike(dispute.theirs, dispute.mine):
            continue
        theirs[name] = dispute.theirs
        if _same(dispute.mine, dispute.before):
            values[name] = dispute.theirs
        elif (members := _members(dispute, insist=insist)) is not None:
            values[name] = members
        else:
            values[name] = dispute.mine
            if name not in own or not _is_own(dispute, own[name]):
                disputed.append(dispute)
    if disputed and not insist:
        return Clash(tuple(disputed), record)
    return _with(step, step.basis, values, theirs) if theirs else step


def _is_own(dispute: Disputed, own: Replaced) -> bool:
    """Return whether the current value is one's own, and replaced the value that this step was to replace."""
    return _same(own.before, dispute.before) and _same(own.after, dispute.theirs)


def _members(disputed: Disputed, *, insist: bool) -> tuple[str, ...] | None:
    """Return the merged members of a list that both changed, or None for a conflict."""
    sides: list[tuple[str, ...]] = []
    for side in (disputed.before, disputed.mine, disputed.theirs):
        if not isinstance(side, tuple) or not all(isinstance(one, str) for one in cast("tuple[Any, ...]", side)):
            return None
        sides.append(cast("tuple[str, ...]", side))
    before, mine, theirs = sides
    both = merged(before, mine, theirs)
    return united(before, mine, theirs) if both is None and insist else both


def _with(step: Step, basis: Basis, values: Mapping[str, Any], theirs: Mapping[str, Any]) -> Step:
    """Return the step with other values, based on the current ones, and with an inverse that restores these."""
    inverse = tuple(_having(request, theirs) for request in step.inverse) if len(step.inverse) == 1 else ()
    if inverse and basis.field in theirs and basis.field not in inverse[0].declared_fields:
        # There was no record before: taking it back removes it. Now somebody else's is put back.
        inverse = (_having(step.request, theirs),)
    return replace(
        step,
        request=_having(step.request, values),
        inverse=inverse,
        basis=replace(basis, before={**basis.before, **theirs}),
    )


def _having(request: R, values: Mapping[str, Any]) -> R:
    """Return the request with other values for the fields that it has. Raise ValueError for invalid ones."""
    known = {name: value for name, value in values.items() if name in request.declared_fields}
    said = {name: getattr(request, name) for name in request.model_fields_set}
    return type(request)(**{**said, **known}) if known else request


def _same(one: Any, other: Any) -> bool:
    """Return whether two values are equal, also if request and record use different types."""
    return one == other or _comparable(one) == _comparable(other)


def _alike(one: Any, other: Any) -> bool:
    """Return whether two values are equal as far as both are known: a list may leave secrets out."""
    sides = _comparable(one), _comparable(other)
    if all(isinstance(side, dict) for side in sides):
        first, second = cast("tuple[dict[str, Any], dict[str, Any]]", sides)
        hidden = {name for name in first.keys() ^ second.keys() if is_secret(name)}
        sides = [{name: value for name, value in side.items() if name not in hidden} for side in (first, second)]
    return sides[0] == sides[1]


def _as_input(record: Record, like: Any) -> Any:
    """Return a record as a value of the same type as an input. Raise ValueError if it is none."""
    return type(like).model_validate(record.model_dump(exclude_none=True)) if isinstance(like, Record) else record


def _comparable(value: Any) -> Any:
    """Return a value as JSON without nulls, and an empty list as None."""
    if isinstance(value, Structured):
        return _comparable(value.model_dump(by_alias=True, exclude_none=True))
    if isinstance(value, tuple | list):
        return [_comparable(item) for item in cast("Sequence[Any]", value)] or None
    if isinstance(value, Mapping):
        every = cast("Mapping[str, Any]", value)
        return {name: _comparable(item) for name, item in every.items() if item is not None}
    return value


def merged(before: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...] | None:
    """Return the merged members, in the order of the side that moved any; None if both did."""
    if not _moved(before, theirs):
        return united(before, mine, theirs)
    return None if _moved(before, mine) else united(before, theirs, mine)


def united(before: Sequence[str], leading: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """Return the members that both sides want, in the order of `leading`; those that only the other added are last."""
    known, wanted = set(before), set(other)
    kept = [value for value in leading if value in wanted or value not in known]
    added = [value for value in other if value not in known and value not in leading]
    return (*kept, *added)


def _moved(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether remaining members are in another order."""
    stayed = set(before) & set(after)
    return [value for value in before if value in stayed] != [value for value in after if value in stayed]


def inverse_of(ticket: Ticket) -> Command:
    """Return the command that undoes a finished one, in reverse order; simple steps can be undone again."""
    steps: list[Step] = []
    for outcome in reversed(ticket.outcomes):
        step = outcome.step
        if outcome.stage is not Stage.DONE:
            continue
        again = (step.request,) if len(step.inverse) == 1 else ()
        steps.extend(
            Step(
                request,
                step.key,
                f"undid: {step.words}",
                again,
                taking_back(step, request),
                follows=step.follows or number > 0,
            )
            for number, request in enumerate(step.inverse)
        )
    command = ticket.command
    return Command(
        action=f"{TAKES_BACK}{command.action}",
        kind=command.kind,
        steps=tuple(steps),
        title=f"Undo: {command.title}",
        noun=command.noun,
    )
