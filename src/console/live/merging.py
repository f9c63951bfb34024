"""Two people changed the same list or field: what both wanted, where both can have it.

The three sides are as with version control: what stood there when the change was decided (`before`), what it is to be
(`mine`), and what somebody else has made of it since (`theirs`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from console.api.request import Request
from console.live.command import Basis, Clash, Step
from console.records.record import Record


def based_on(step: Step, record: Record) -> Step | Clash:
    """Return the step as it can be sent to a record that is as it is now, or what stands in its way."""
    basis = step.basis
    if basis is None:
        return step
    theirs, mine = getattr(record, basis.field, None), getattr(step.request, basis.field, None)
    if theirs == basis.before or theirs == mine:
        return step
    sides: list[Any] = [basis.before, mine, theirs]
    if all(isinstance(each, tuple) for each in sides):
        members = merged(*sides)
        if members is not None:
            return _with(step, basis, members, theirs)
    return Clash(basis, mine, record)


def insisting(step: Step, clash: Clash) -> Step:
    """Return the step as it can be sent by who has seen what it replaces."""
    theirs, mine = clash.theirs, clash.mine
    if isinstance(theirs, tuple) and isinstance(mine, tuple):
        there = cast("tuple[str, ...]", theirs)
        mine = united(clash.basis.before, cast("tuple[str, ...]", mine), there)
    return _with(step, clash.basis, mine, theirs)


def taking_back(step: Step, request: Request[Any]) -> Basis | None:
    """Return what the one request that takes a step back is decided on: that the field is still as the step left it."""
    basis = step.basis
    if basis is None or len(step.inverse) != 1 or not hasattr(request, basis.field):
        return None
    return replace(basis, before=getattr(step.request, basis.field, None))


def _with(step: Step, basis: Basis, mine: Any, theirs: Any) -> Step:
    """Return the step with another value for the field, decided on what is there now, and taken back to that."""

    def having(request: Request[Any], value: Any) -> Request[Any]:
        return request.model_copy(update={basis.field: value}) if hasattr(request, basis.field) else request

    inverse = tuple(having(each, theirs) for each in step.inverse) if len(step.inverse) == 1 else ()
    return replace(step, request=having(step.request, mine), inverse=inverse, basis=replace(basis, before=theirs))


def merged(before: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...] | None:
    """Return the members that both sides wanted, in the order of the side that moved any; None when both moved some."""
    if not _moved(before, theirs):
        return united(before, mine, theirs)
    return None if _moved(before, mine) else united(before, theirs, mine)


def united(before: Sequence[str], leading: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """Return the members that both sides wanted, in the order of `leading`; those only the other side added last."""
    known, wanted = set(before), set(other)
    kept = [each for each in leading if each in wanted or each not in known]
    added = [each for each in other if each not in known and each not in leading]
    return (*kept, *added)


def _moved(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether those who stayed stand in another order."""
    stayed = set(before) & set(after)
    return [each for each in before if each in stayed] != [each for each in after if each in stayed]
