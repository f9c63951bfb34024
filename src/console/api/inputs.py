"""Inputs of operations, and their places in a request."""

from __future__ import annotations

import types
from typing import Any, get_args

from console.api.annotations import (
    Deprecated,
    Duration,
    Hidden,
    InputPlace,
    NeededMembers,
    OnlyIn,
    OrInPath,
    RequiredIn,
    Travels,
    Variant,
)
from console.api.route import Route
from console.api.values import allows_null, least_of
from console.base.frozen import Frozen
from console.records.fields import ResolvedField
from console.records.record import Record


class Input(Frozen):
    """One input of an operation, according to its annotations."""

    field: str
    wire: str
    """Its name on the command line, in forms and in routes files."""
    place: InputPlace
    annotation: Any
    required: bool
    """Whether both variants require it; see `required_in`."""
    variant: Variant | None
    secret: bool
    about: str
    least: int = 0
    """Minimum number of characters or entries."""
    most: int = 0
    """Maximum number of them, if it has a limit of its own."""
    travels: str = ""
    """Its name in the request. It differs from `wire` if another input has that name in another place."""
    needed_in: Variant | None = None
    """The only variant that requires it."""
    title: str = ""
    """Its label in forms, if that differs from its name."""
    duration: Duration | None = None
    """The unit, if it is a duration."""
    or_in_path: bool = False
    """Whether a route may have it in the path although it is optional."""
    members: NeededMembers | None = None
    """For an object: the names that it must contain, if any."""
    deprecated: bool = False
    """Whether the contract calls it deprecated: forms do not offer it."""

    @property
    def nullable(self) -> bool:
        """Whether null can be sent: only a body distinguishes null from omission."""
        return self.place in {InputPlace.BODY, InputPlace.WHOLE_BODY} and allows_null(self.annotation)

    def required_in(self, variant: Variant) -> bool:
        """Return whether this variant requires it."""
        return self.required or self.needed_in is variant

    def place_by(self, route: Route) -> InputPlace:
        """Return the place of the input in a route: as in the route, otherwise as declared, otherwise a possible
        one.
        """
        if self.wire in route.fields or self.field in route.fields:
            return InputPlace.PATH
        if self.wire in route.query:
            return InputPlace.QUERY
        if self.wire in route.body:
            return InputPlace.BODY
        if route.method == "GET" or self.place is InputPlace.QUERY:
            return InputPlace.QUERY
        if self.place is InputPlace.PATH:
            return InputPlace.QUERY if route.method == "DELETE" else InputPlace.BODY
        return self.place

    def is_many(self, number: int) -> bool:
        """Return whether a query parameter is an array: declared only as one, or as one alternative and given twice."""
        choices = [argument for argument in get_args(self.annotation) if argument is not types.NoneType] or [
            self.annotation
        ]
        many = [str(choice).startswith(("tuple", "list")) for choice in (*choices, self.annotation)]
        return any(many) and (number > 1 or all(many[:-1]) or many[-1])


def input_of(field: ResolvedField) -> Input:
    """Return the input of a field of an operation."""
    marks: dict[type, Any] = {type(item): item for item in reversed(field.metadata)}
    only, needed, travels, declared = marks.get(OnlyIn), marks.get(RequiredIn), marks.get(Travels), field.declared
    return Input(
        field=field.name,
        wire=field.wire,
        place=marks.get(InputPlace) or InputPlace.BODY,
        annotation=field.annotation,
        required=field.required,
        variant=only.variant if only else None,
        secret=Hidden in marks,
        about=declared.description or "",
        least=least_of(field.metadata),
        most=(declared.limits and declared.limits.max_length) or 0,
        travels=travels.name if travels else field.wire,
        needed_in=needed.variant if needed else None,
        title=declared.title or "",
        duration=marks.get(Duration),
        members=marks.get(NeededMembers),
        or_in_path=OrInPath in marks,
        deprecated=Deprecated in marks,
    )


def is_record(annotation: Any) -> bool:
    """Return whether an annotation is a record class, for forms with nested fields."""
    return isinstance(annotation, type) and issubclass(annotation, Record)
