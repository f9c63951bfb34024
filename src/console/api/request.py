"""Declaration of operations, one class each: name, route, inputs, answer, access, guard and effects.

A subclass declares the whole operation:

  class TransferSupportChat(
      Request[Acknowledgement], name="support-chats.transfer", section="4.7",
      row="Transfer support chat to another agent", route="POST /support-chats/transfer", access=Access.AGENT_OF_CHAT,
      change=Change(Guard.SMALL, done="transferred", touches=("chats", "agents")),
  ):
      '''Transfer a support chat to another agent.'''

      id: InBody[str]
      destination: InBody[ChatParticipant]

Client, service, command line, palette, OpenAPI document and tests all use this declaration.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast, get_args, get_origin

from console.api.annotations import (
    SECRET,
    Access,
    Change,
    Effect,
    Guard,
    Service,
    Variant,
)
from console.api.answer_check import AnswerForm, as_sent, empty_answer, form_of, is_foreign, read_answer
from console.api.bodies import load
from console.api.inputs import Input, input_of
from console.api.operation import Operation
from console.api.route import Route
from console.base.secrets import MASK
from console.records.fields import resolved_fields
from console.records.raw import parse_text
from console.records.structured import FAITHFUL, STRICT, Structured

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Answer = TypeVar("Answer")


class Request(Structured, Generic[Answer]):
    """The base class of operations; see the module for their declaration."""

    __slots__ = ()

    operation: ClassVar[Operation]

    @classmethod
    def __class_getitem__(cls, answer: Any) -> Any:
        """Store the answer type."""
        return types.GenericAlias(cls, (answer,))

    def __init_subclass__(
        cls,
        *,
        name: str = "",
        label: str = "",
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
            label=label,
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
            # A change without a declared guard is confirmed in a dialog.
            change=Change(Guard.WIDE) if change is None and effect is Effect.CHANGE else change,
        )
        declared.append(cls)

    @classmethod
    def model_validate(cls, data: Mapping[str, Any], *, context: Mapping[str, bool] | None = None) -> Self:
        """Return the request of values from a person or a stranger. Raise pydantic's ValidationError.

        With the context STRICT, records in it must have no faults.
        """
        # Needs pydantic: 60 ms, which requests of the program itself do without.
        from console.records.model import checked

        return checked(cls, data, context)

    @classmethod
    def from_person(cls, values: Mapping[str, Any], *, context: Mapping[str, bool] | None = None) -> Self:
        """Return the request of values that a person gave. Raise pydantic's ValidationError.

        The words of an enumeration are suggestions here, because a deployment may know others: the service decides.
        """
        # As in `model_validate`.
        from console.records.model import checked_openly

        return checked_openly(cls, values, context)

    def guarded(self, *, undoable: bool = True) -> Guard:
        """Return the guard of this request: its operation's own, or a stronger one required by an input.

        A reversible one has another guard if it is not `undoable`: if its inverse is not known.
        """
        change = self.operation.change
        if change is None:
            return Guard.READ
        strongest = max((change.guard, *(guard for name, guard in change.stronger if getattr(self, name, None))))
        return change.irreversible if strongest is Guard.REVERSIBLE and not undoable else strongest

    def record_key(self) -> str:
        """Return the key of the record concerned: the first required input, otherwise the first given one.

        A secret is never the key, because keys are shown and stored: without another input it is the operation's name.
        """
        values = self.model_dump(exclude_none=True)
        matching_inputs = [input_ for input_ in self.inputs() if input_.field in values]
        named = [
            input_
            for input_ in ([input_ for input_ in matching_inputs if input_.required] or matching_inputs)
            if not input_.secret
        ]
        value = values[named[0].field] if named else None
        return value if isinstance(value, str) else self.operation.name

    def __repr__(self) -> str:
        hidden = {input_.field for input_ in self.inputs() if input_.secret}
        values = {name: getattr(self, name) for name in self.declared_fields}
        masked = {name: MASK if name in hidden and value else value for name, value in values.items()}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in masked.items())})"

    # -- inputs -------------------------------------------------------------------------------------------------

    @classmethod
    def inputs(cls) -> tuple[Input, ...]:
        """Return the operation's inputs in the order of their declaration."""
        return _inputs(cls)

    @classmethod
    def lacks(cls, variant: Variant) -> tuple[str, ...]:
        """Return the wire names of the inputs that this variant lacks."""
        return tuple(input_.wire for input_ in cls.inputs() if input_.variant not in {None, variant})

    # -- client side ------------------------------------------------------------------------------------------------

    def passed_over(self, answer: Answer) -> tuple[str, ...]:
        """Return the requested names that are missing in the answer. Empty for most operations."""
        return ()

    @classmethod
    def read_answer(cls, body: bytes, *, strict: bool = False, tolerant: bool = False) -> Answer:
        """Parse an answer to its type.

        Invalid parts of records are tolerated unless `strict`, and then values with one meaning if `tolerant`. Another
        form than declared never is, see `answer_check`. Raise ValueError if the body is not JSON or not what the
        operation returns.
        """
        unwrap = cls.operation.unwrap
        if not strict:
            return cast(Answer, read_answer(cls.answer_type(), body, unwrap))
        data = cls.unwrapped(load(body, parse_text))
        if form_of(cls.answer_type()) is AnswerForm.TEXT:
            data = as_sent(data)
        return cast(Answer, cls.answer_adapter().validate_python(data, context=FAITHFUL if tolerant else STRICT))

    @classmethod
    def unwrapped(cls, data: Any) -> Any:
        """Return the content of a parsed answer: without its wrapper, and a list without the position of its page."""
        if not isinstance(data, Mapping):
            return data
        fields, unwrap = cast("Mapping[str, Any]", data), cls.operation.unwrap
        if unwrap is not None and unwrap in fields:
            return fields[unwrap]
        is_page = form_of(cls.answer_type()) is AnswerForm.LIST and isinstance(fields.get("data"), list)
        return fields["data"] if is_page else fields

    @classmethod
    def write_answer(cls, answer: Answer, variant: Variant = Variant.LATER) -> bytes:
        """Encode an answer as the embedded service sends it."""
        data = cls.answer_adapter().dump_python(answer, by_alias=True, exclude_none=True, mode="json")
        if (wrapper := cls.operation.wrapper(variant)) is not None:
            data = {wrapper: data}
        return json.dumps(data, separators=(",", ":")).encode()

    @classmethod
    def nothing_answered(cls) -> Answer:
        """Return the answer of a change that was confirmed without content (204)."""
        return cast(Answer, empty_answer(cls.answer_type()))

    @classmethod
    def is_foreign(cls, body: bytes, media: str) -> bool:
        """Return whether a body with this content type cannot be a service's answer to this operation."""
        return is_foreign(form_of(cls.answer_type()), body, media)

    @classmethod
    def answer_type(cls) -> Any:
        """Return the declared type of the answer."""
        return _answer_type(cls)

    @classmethod
    def answer_adapter(cls) -> TypeAdapter[Any]:
        """Return the adapter that checks, encodes and describes answers."""
        # As in `model_validate`.
        from console.records.model import adapter_of

        return adapter_of(_answer_type(cls))


declared: list[type[Request[Any]]] = []
"""All operations of imported modules; use `catalogue` to read them."""


@cache
def _inputs(request: type[Request[Any]]) -> tuple[Input, ...]:
    return tuple(input_of(field) for field in resolved_fields(request).values())


@cache
def _answer_type(request: type[Request[Any]]) -> Any:
    for base in request.__mro__:
        for noted in cast("tuple[Any, ...]", vars(base).get("__orig_bases__", ())):
            # Inputs shared by operations come from a base class with any answer.
            origin, args = get_origin(noted), get_args(noted)
            if isinstance(origin, type) and issubclass(origin, Request) and args[0] not in {Any, Answer}:
                return args[0]
    raise TypeError(f"{request.__name__} does not say what it answers")


__all__ = ["SECRET", "Request"]
