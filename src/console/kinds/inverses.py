"""The requests that take a change back, as far as what is known now tells them. One definition for every way of acting.

A key, a form, the palette and a grid all get the inverse of a request here, so that one request is guarded alike
however it came about. An inverse is exact for the moment before its own request; where earlier requests of the same
change matter, the caller passes what they leave.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any

from console.api.annotations import InputPlace
from console.api.request import Request
from console.commands.action import Situation
from console.commands.inputs import build
from console.frozen import Frozen
from console.kinds.catalogue import KINDS
from console.live.command import Basis, Step
from console.records.record import Record

Inverse = tuple[Request[Any], ...]
Inverses = Mapping[type[Request[Any]], Callable[[Situation, Any], Inverse]]
"""`INVERSES` of the `effects.py` of a kind: what puts back what a request changes."""


class InverseRead(Frozen):
    """How a change is undone of which that must be asked of the service first."""

    read: Request[Any]
    back: Callable[[Request[Any], Any], tuple[Inverse, Basis]]
    """Returns, by the answer, what puts it back, and what the change leaves."""


InversesRead = Mapping[type[Request[Any]], InverseRead]
"""`INVERSES_READ` of the `effects.py` of a kind."""


LISTS = "lists"
"""Names, among the answers to an action's asks, the lists that the service was asked for."""


def read_first(request: type[Request[Any]]) -> Request[Any] | None:
    """Return what the service must be asked for before a request can be taken back, if anything."""
    found = _merged("INVERSES_READ").get(request)
    return found.read if found is not None else None


def step_of(
    situation: Situation,
    request: Request[Any],
    key: str,
    words: str,
    basis: Basis | None = None,
    read: object = None,
    record: Record | None = None,
) -> Step:
    """Return the step that sends a request, with its inverse as far as that is known.

    `read` is what the service answered to `read_first`; `record` is what is changed, where it is at hand.
    """
    asked = _merged("INVERSES_READ").get(type(request))
    if asked is not None and read is not None:
        inverse, leaves = asked.back(request, read)
        return Step(request, key, words, inverse, basis, leaves=leaves)
    return Step(request, key, words, inverse_of(situation, request, record), basis)


def inverse_of(situation: Situation, request: Request[Any], record: Record | None = None) -> Inverse:
    """Return the requests that put back what a request changes; empty when that is not known or cannot be done."""
    found = _merged("INVERSES").get(type(request))
    if found is not None:
        return found(situation, request)
    record = record or record_of(situation, request)
    return values_back(request, record) if record is not None else ()


def record_of(situation: Situation, request: Request[Any]) -> Record | None:
    """Return the record that a request is about, if it is known."""
    change = request.operation.change
    kind = change.touches[0] if change is not None and change.touches else ""
    return situation.render.find(kind, request.record_key()) if kind else None


def values_back(request: Request[Any], record: Record, told: Collection[str] = ()) -> Inverse:
    """Put back every value that an update replaces, if all of them were known before.

    A list that is empty may be one that was not told, unless its field is named in `told`.
    """
    if request.operation.name.rpartition(".")[2] != "update":
        return ()
    by, named = (change.renames if (change := request.operation.change) is not None else ()) or ("", "")
    values: dict[str, Any] = {}
    changed = False
    for each in type(request).inputs():
        if each.field not in request.model_fields_set:
            continue
        if each.place is InputPlace.PATH or each.field in {"id", type(record).key_field}:
            now_named = getattr(request, by) if each.field == named and by in request.model_fields_set else None
            values[each.field] = now_named or getattr(request, each.field)
            continue
        before = getattr(record, named if each.field == by else each.field, None)
        if before is None or each.secret or (before == () and each.field not in told):
            return ()
        values[each.field] = before
        changed = True
    return (build(type(request), values),) if changed else ()


@cache
def _merged(name: str) -> Mapping[type[Request[Any]], Any]:
    return {request: found for kind in KINDS for request, found in kind.load_effects(name).items()}
