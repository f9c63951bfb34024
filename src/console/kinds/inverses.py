"""Inverse requests of changes, as far as current data allows. One definition for every way of acting.

Keys, forms, palette and grid all use it, so that a request always has the same guard. An inverse is exact for the state
just before its request; the caller passes the effect of earlier requests of the same change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from console.api.annotations import InputPlace
from console.api.errors import ApiError
from console.api.operations.people import AddParticipant, ReorderParticipants
from console.api.request import Request
from console.base.frozen import Frozen
from console.commands.action import Situation
from console.commands.inputs import build
from console.kinds.catalogue import KINDS
from console.live.command import Basis, Step
from console.records.record import Record

if TYPE_CHECKING:
    from console.views.render_context import RenderContext

Inverse = tuple[Request[Any], ...]
Inverses = Mapping[type[Request[Any]], Callable[[Situation, Any], Inverse]]
"""`INVERSES` of a kind's `actions.py`: functions that return the requests which undo a request."""


Bases = Mapping[type[Request[Any]], Callable[[Situation, Any], Basis | None]]
"""`BASES` of a kind's `actions.py`: functions that return what a request replaces, if its form does not tell.

None if that is not known: there is nothing to compare with.
"""


class InverseRead(Frozen):
    """The inverse of a change whose previous values must be read from the service first."""

    read: Request[Any]
    back: Callable[[Situation, Request[Any], Any], tuple[Inverse, Basis]]
    """Given the answer, returns the requests that undo the change, and the values after the change."""


InversesRead = Mapping[type[Request[Any]], InverseRead]
"""`INVERSES_READ` of a kind's `actions.py`."""


LISTS = "lists"
"""Name of the lists from the service among the answers to an action's prompts."""


def read_first(request: type[Request[Any]]) -> Request[Any] | None:
    """Return the request whose answer the inverse requires, or None."""
    inverse = _merged("INVERSES_READ").get(request)
    return inverse.read if inverse is not None else None


def step_of(
    situation: Situation,
    request: Request[Any],
    key: str,
    text: str,
    basis: Basis | None = None,
    read: object = None,
    record: Record | None = None,
) -> Step:
    """Return the step of a request, with its inverse if known.

    `read` is the answer to `read_first`, or its error; `record` is the changed record, if available.
    """
    asked = _merged("INVERSES_READ").get(type(request))
    if asked is not None and read is not None and not isinstance(read, ApiError):
        inverse, leaves = asked.back(situation, request, read)
        return Step(request, key, text, _offered(situation, inverse), basis, leaves=leaves)
    inverse = inverse_of(situation, request, record)
    based_on = _merged("BASES").get(type(request))
    basis = based_on(situation, request) if basis is None and based_on is not None else basis
    return Step(request, key, text, inverse, basis, shown_by=shown_by(situation.render, request))


def shown_by(render: RenderContext, request: Request[Any]) -> Callable[[Record], bool] | None:
    """Return the function that tells whether a listed record shows a change; None for one without such a sign."""
    entry_shown = _merged("SHOWN").get(type(request))
    return partial(entry_shown, render) if entry_shown is not None else None


def _offered(situation: Situation, inverse: Inverse) -> Inverse:
    """Return an inverse, or nothing if the deployment lacks an operation of it."""
    return () if any(request.operation.name in situation.lacking for request in inverse) else inverse


def inverse_of(situation: Situation, request: Request[Any], record: Record | None = None) -> Inverse:
    """Return the requests that undo a request; empty if unknown or impossible."""
    inverse = _merged("INVERSES").get(type(request))
    if inverse is not None:
        return _offered(situation, inverse(situation, request))
    record = record or record_of(situation, request)
    return _offered(situation, values_back(request, record)) if record is not None else ()


def record_of(situation: Situation, request: Request[Any]) -> Record | None:
    """Return the record of a request, or None."""
    change = request.operation.change
    kind = change.touches[0] if change is not None and change.touches else ""
    return situation.render.find(kind, request.record_key()) if kind else None


def opposite(
    request: type[Request[Any]], member: str, members: str, *, adds: bool
) -> Callable[[Situation, Request[Any]], Inverse]:
    """Return the function that undoes adding to a list in a record, or removing from it, by the opposite request.

    Both requests have the same inputs; `member` is the one that is added to the field `members`. What changes nothing
    is not undone.
    """

    def inverse(situation: Situation, undone: Request[Any]) -> Inverse:
        record = record_of(situation, undone)
        if record is None or (getattr(undone, member) in getattr(record, members)) is adds:
            return ()
        return (request(**undone.model_dump(exclude_unset=True)),)

    return inverse


def back_in(group_id: str, user_id: str, order: Sequence[str]) -> Inverse:
    """Add a user to a group again, at the old position."""
    return (
        AddParticipant(group_id=group_id, target_user_id=user_id),
        ReorderParticipants(group_id=group_id, participants=tuple(order)),
    )


def values_back(request: Request[Any], record: Record, sent: Collection[str] = ()) -> Inverse:
    """Restore the values that an update replaces, if all are known.

    An empty list may be an unknown one, unless its field is in `sent`.
    """
    if request.operation.name.rpartition(".")[2] != "update":
        return ()
    by, named = (change.renames if (change := request.operation.change) is not None else ()) or ("", "")
    values: dict[str, Any] = {}
    changed = False
    for input_ in type(request).inputs():
        if input_.field not in request.model_fields_set:
            continue
        if input_.place is InputPlace.PATH or input_.field in {"id", type(record).key_field}:
            now_named = getattr(request, by) if input_.field == named and by in request.model_fields_set else None
            values[input_.field] = now_named or getattr(request, input_.field)
            continue
        before = getattr(record, named if input_.field == by else input_.field, None)
        if before is None or input_.secret or (before == () and input_.field not in sent):
            return ()
        values[input_.field] = before
        changed = True
    return (build(type(request), values),) if changed else ()


@cache
def _merged(name: str) -> Mapping[type[Request[Any]], Any]:
    return {request: effect for kind in KINDS for request, effect in kind.load_effects(name).items()}
