"""One class is one operation: name, route, inputs, answer, who may ask, how it is guarded and what it changes.

A subclass declares the whole operation:

    class TransferSupportChat(
        Request[Acknowledgement], name="support-chats.transfer", section="4.7",
        row="Transfer support chat to another agent", route="POST /support-chats/transfer", access=Access.AGENT_OF_CHAT,
        change=Change(Guard.SMALL, done="transferred", touches=("chats", "agents")),
    ):
        '''Hand a support chat over to another agent.'''

        id: InBody[str]
        destination: InBody[ChatParticipant]

The client, the service, the command line, the palette, the OpenAPI document and the tests all read it from here.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo
from pydantic_core import ValidationError

from console.api.annotations import (
    SECRET,
    Access,
    Change,
    Effect,
    Guard,
    Hidden,
    OnlyIn,
    Place,
    RequiredIn,
    Service,
    Travels,
    Variant,
)
from console.api.answer_check import Form, form_of, is_foreign, read_answer
from console.api.bodies import load
from console.api.operation import Operation
from console.api.route import Route
from console.api.values import allows_null, least_of
from console.frozen import Frozen
from console.records.raw import parse_text
from console.records.record import STRICT, Record

Answer = TypeVar("Answer")


class Input(Frozen):
    """One input of an operation, as its annotations describe it."""

    field: str
    wire: str
    """Its name among the operation's inputs: on the command line, in forms and in routes files."""
    place: Place
    annotation: Any
    required: bool
    """Whether it must be given in both variants; see `required_in`."""
    variant: Variant | None
    secret: bool
    about: str
    least: int = 0
    """How many characters or entries it must have."""
    travels: str = ""
    """Its name in the request. It differs from `wire` where another input has that name in another place."""
    needed_in: Variant | None = None
    """The one variant that requires it."""

    @property
    def nullable(self) -> bool:
        """Whether null can be sent, as something else than nothing: only a body tells them apart."""
        return self.place in {Place.BODY, Place.WHOLE_BODY} and allows_null(self.annotation)

    def required_in(self, variant: Variant) -> bool:
        """Return whether it must be given to a service of that variant."""
        return self.required or self.needed_in is variant

    def place_by(self, route: Route) -> Place:
        """Return where the input travels by a route: where the route says, else as marked, else where it can."""
        if self.wire in route.fields or self.field in route.fields:
            return Place.PATH
        if self.wire in route.query:
            return Place.QUERY
        if self.wire in route.body:
            return Place.BODY
        if route.method == "GET" or self.place is Place.QUERY:
            return Place.QUERY
        if self.place is Place.PATH:
            return Place.QUERY if route.method == "DELETE" else Place.BODY
        return self.place


class Outgoing(Frozen):
    """A request on its way: what HTTP needs of it. `path` is encoded, `query` and `body` are not."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    body: bytes | None


class Request(BaseModel, Generic[Answer]):
    """The base of every operation; see the module for how one is declared."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        defer_build=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )

    operation: ClassVar[Operation]

    @classmethod
    def __class_getitem__(cls, answer: Any) -> Any:
        """Note what is answered. Pydantic would make one more model of it: half the time that importing took."""
        return types.GenericAlias(cls, (answer,))

    def __init_subclass__(
        cls,
        *,
        name: str = "",
        section: str = "",
        row: str = "",
        route: str = "",
        effect: Effect = Effect.READ,
        change: Change | None = None,
        access: Access = Access.SIGNED_IN,
        service: Service = Service.CORE,
        variant: Variant | None = None,
        unwrap: str | None = None,
        unwrap_in: Variant | None = None,
        says: str | None = None,
        says_in: Variant | None = None,
        error_shape: str = "code",
        error_shape_earlier: str | None = None,
        answers_secret: bool = False,
        takes_form: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init_subclass__(**kwargs)
        if not name:
            return
        cls.operation = Operation(
            name=name,
            title=(cls.__doc__ or "").strip().partition("\n")[0].rstrip("."),
            section=section,
            row=row,
            route=Route.parse(route),
            effect=Effect.CHANGE if change is not None else effect,
            access=access,
            service=service,
            variant=variant,
            unwrap=unwrap,
            unwrap_in=unwrap_in,
            says=says,
            says_in=says_in,
            error_shape=error_shape,
            error_shape_earlier=error_shape_earlier,
            answers_secret=answers_secret,
            takes_form=takes_form,
            # An operation that does not say how it is guarded is asked about.
            change=Change(Guard.WIDE) if change is None and effect is Effect.CHANGE else change,
        )
        declared.append(cls)

    def guarded(self) -> Guard:
        """Return the guard of this very request: its operation's, or a stronger one that an input asks for."""
        change = self.operation.change
        if change is None:
            return Guard.READ
        return max((change.guard, *(guard for name, guard in change.stronger if getattr(self, name, None))))

    def record_key(self) -> str:
        """Return what names the record that it is about: the first input that is needed, else the first given."""
        values = self.model_dump(exclude_none=True)
        needed = [each.field for each in self.inputs() if each.required and each.field in values]
        value = values.get(next(iter([*needed, *values]), ""))
        return value if isinstance(value, str) else self.operation.name

    # -- what it needs ------------------------------------------------------------------------------------------

    @classmethod
    def inputs(cls) -> tuple[Input, ...]:
        """Return the operation's inputs in the order of their declaration."""
        return _inputs(cls)

    @classmethod
    def lacks(cls, variant: Variant) -> tuple[str, ...]:
        """Return the wire names of the inputs that the given variant does not have."""
        return tuple(each.wire for each in cls.inputs() if each.variant not in {None, variant})

    # -- asking ---------------------------------------------------------------------------------------------------

    def outgoing(self, route: Route | None = None, variant: Variant = Variant.LATER) -> Outgoing:
        """Lay the request out for HTTP. A field that the route's path names travels there, whatever its mark.

        Inputs that the variant lacks stay behind, and so do those that were never set; one that was set to None
        travels as null. Raises ValueError when a value cannot travel in a path or query.
        """
        route = route or self.operation.route
        wire = self.model_dump(by_alias=True, mode="json", exclude_unset=True)
        path: dict[str, str] = {}
        query: list[tuple[str, str]] = []
        body: dict[str, Any] = {}
        whole: Any = None
        for each in self.inputs():
            if each.wire not in wire or each.variant not in {None, variant}:
                continue
            value = wire[each.wire]
            name = route.names.get(each.wire, each.travels)
            match each.place_by(route):
                case Place.PATH if value is None:
                    raise ValueError(f"{each.wire} travels in the path, where null cannot be sent")
                case Place.PATH:
                    path[each.wire if each.wire in route.fields else each.field] = _text(value)
                case Place.QUERY:
                    query.extend(_query(name, value))
                case Place.WHOLE_BODY:
                    whole = value
                case Place.BODY:
                    body[name] = value
        content = whole if whole is not None else body
        is_whole = any(each.place_by(route) is Place.WHOLE_BODY for each in self.inputs())
        sends_body = whole is not None or bool(body) or (route.method in {"POST", "PUT", "PATCH"} and not is_whole)
        return Outgoing(
            method=route.method,
            path=route.path(path),
            query=tuple(query),
            body=json.dumps(content, separators=(",", ":")).encode() if sends_body else None,
        )

    def passed_over(self, answer: Answer) -> tuple[str, ...]:
        """Return what was asked for by name and is not in the answer. Most operations leave nothing out."""
        return ()

    @classmethod
    def read_answer(cls, body: bytes, *, strict: bool = False) -> Answer:
        """Make the typed answer from an answer's bytes.

        Faults inside of records are tolerated unless `strict`; an answer of another form than declared never is: see
        `answer_check`. Raises ValueError when the body is not JSON or not what the operation returns.
        """
        adapter, unwrap = _answer_adapter(cls), cls.operation.unwrap
        if not strict:
            return cast(Answer, read_answer(cls.answer_type(), adapter, body, unwrap))
        data = load(body, parse_text)
        if unwrap is not None and isinstance(data, Mapping) and unwrap in data:
            data = cast("Mapping[str, Any]", data)[unwrap]
        return cast(Answer, adapter.validate_python(data, context=STRICT))

    @classmethod
    def write_answer(cls, answer: Answer, variant: Variant = Variant.LATER) -> bytes:
        """Lay an answer out as the embedded service sends it."""
        data = _answer_adapter(cls).dump_python(answer, by_alias=True, exclude_none=True, mode="json")
        if (wrapper := cls.operation.wrapper(variant)) is not None:
            data = {wrapper: data}
        return json.dumps(data, separators=(",", ":")).encode()

    @classmethod
    def nothing_answered(cls) -> Answer:
        """Return what stands for the answer of a change that was acknowledged without one (204)."""
        return cast(
            Answer, _answer_adapter(cls).validate_python(() if form_of(cls.answer_type()) is Form.LIST else None)
        )

    @classmethod
    def is_foreign(cls, body: bytes, media: str) -> bool:
        """Return whether a body, of that content type, can be no answer of a service to this operation."""
        return is_foreign(form_of(cls.answer_type()), body, media)

    @classmethod
    def answer_type(cls) -> Any:
        """Return the type of the answer, as the class declares it."""
        return _answer_type(cls)

    @classmethod
    def answer_adapter(cls) -> TypeAdapter[Any]:
        """Return what reads, writes and describes the operation's answers."""
        return _answer_adapter(cls)

    # -- being asked ------------------------------------------------------------------------------------------------

    @classmethod
    def incoming(
        cls, path: Mapping[str, str], query: Sequence[tuple[str, str]], body: bytes, variant: Variant = Variant.LATER
    ) -> Self:
        """Make the request from what HTTP brought. Inputs that the variant lacks are ignored.

        Raises pydantic's ValidationError, or ValueError when the body is no JSON.
        """
        content: Any = load(body) if body.strip() else None
        values: dict[str, Any] = {}
        for each in cls.inputs():
            if each.variant not in {None, variant}:
                continue
            if each.wire in path:
                values[each.wire] = path[each.wire]
            elif each.place is Place.QUERY:
                found = [value for name, value in query if name in {each.travels, each.travels + "[]"}]
                if found:
                    values[each.wire] = found if _is_many(each.annotation, len(found)) else found[-1]
            elif each.place is Place.WHOLE_BODY:
                if content is not None:
                    values[each.wire] = content
            elif isinstance(content, Mapping):
                if each.travels in content:
                    values[each.wire] = cast("Mapping[str, Any]", content)[each.travels]
            elif content is not None:
                raise ValueError("the body must be an object")
        made = cls.model_validate(values, context=STRICT)
        lacking = [each for each in cls.inputs() if each.needed_in is variant and values.get(each.wire) is None]
        if lacking:
            # In the same words as pydantic says of an input that both variants require.
            details: list[Any] = [{"type": "missing", "loc": (each.wire,), "input": None} for each in lacking]
            raise ValidationError.from_exception_data(cls.__name__, details)
        return made


declared: list[type[Request[Any]]] = []
"""Every operation whose module has been imported; read it through `catalogue`."""


@cache
def _inputs(request: type[Request[Any]]) -> tuple[Input, ...]:
    return tuple(_input(request, name, field) for name, field in request.model_fields.items())


def _input(request: type[Request[Any]], name: str, field: FieldInfo) -> Input:
    place = next((annotation for annotation in field.metadata if isinstance(annotation, Place)), Place.BODY)
    only = next((annotation for annotation in field.metadata if isinstance(annotation, OnlyIn)), None)
    needed = next((annotation for annotation in field.metadata if isinstance(annotation, RequiredIn)), None)
    # Aliases are generated only once the model is used; until then the field does not know its own.
    wire = field.alias or (to_camel(name) if request.model_config.get("alias_generator") else name)
    return Input(
        field=name,
        wire=wire,
        place=place,
        annotation=field.annotation,
        required=field.is_required(),
        variant=only.variant if only else None,
        secret=any(isinstance(annotation, Hidden) for annotation in field.metadata),
        about=field.description or "",
        least=least_of(field.metadata),
        travels=next((annotation.name for annotation in field.metadata if isinstance(annotation, Travels)), wire),
        needed_in=needed.variant if needed else None,
    )


@cache
def _answer_adapter(request: type[Request[Any]]) -> TypeAdapter[Any]:
    return TypeAdapter(_answer_type(request))


def _answer_type(request: type[Request[Any]]) -> Any:
    for base in request.__mro__:
        for noted in cast("tuple[Any, ...]", vars(base).get("__orig_bases__", ())):
            # Inputs that operations share come from a base that answers anything.
            origin, args = get_origin(noted), get_args(noted)
            if isinstance(origin, type) and issubclass(origin, Request) and args[0] not in {Any, Answer}:
                return args[0]
    raise TypeError(f"{request.__name__} does not say what it answers")


def _text(value: Any) -> str:
    """Return a value as it stands in a path or query. Raises ValueError for text that no URL can hold."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is no character") from None
    return text


def _query(name: str, value: Any) -> list[tuple[str, str]]:
    if value is None:
        return []
    if isinstance(value, list | tuple):
        return [(name, _text(each)) for each in cast("Sequence[Any]", value)]
    return [(name, _text(value))]


def _is_many(annotation: Any, found: int) -> bool:
    """Whether a query parameter is an array: declared as one alone, or as one among others and given twice."""
    choices = [each for each in get_args(annotation) if each is not types.NoneType] or [annotation]
    many = [str(each).startswith(("tuple", "list")) for each in (*choices, annotation)]
    return any(many) and (found > 1 or all(many[:-1]) or many[-1])


def is_record(annotation: Any) -> bool:
    """Whether an annotation is a record class, for forms that go into its fields."""
    return isinstance(annotation, type) and issubclass(annotation, Record)


__all__ = ["SECRET", "Input", "Outgoing", "Request", "is_record"]
