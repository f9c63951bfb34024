"""The pydantic model of a record or request: validates strictly, explains invalid fields, and describes it (OpenAPI).

It is built from the declared fields when the first object is met that is not plainly what was declared, or the first
that is checked for a person or from a stranger.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args, get_origin

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from pydantic_core import CoreSchema, core_schema

from console.base.frozen import asdict
from console.records.fields import MISSING, ResolvedField, resolved_fields
from console.records.raw import CUT_FIELD, STAND_IN
from console.records.structured import shape_of
from console.records.tolerance import tolerated

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidatorFunctionWrapHandler
    from pydantic_core.core_schema import SerializationInfo, ValidationInfo

    from console.records.record import Record
    from console.records.structured import Structured

R = TypeVar("R", bound="Record")
S = TypeVar("S", bound="Structured")

_CONFIG = ConfigDict(
    frozen=True,
    validate_by_name=True,
    validate_by_alias=True,
    allow_inf_nan=False,
    hide_input_in_errors=True,
    arbitrary_types_allowed=True,
)


@cache
def model_of(kind: type[Structured]) -> type[BaseModel]:
    """Return the model of a class: the same fields under the same name."""
    fields: dict[str, Any] = {
        field.name: (field.annotation, _field_info(field)) for field in resolved_fields(kind).values()
    }
    config = _CONFIG | ConfigDict(extra="allow" if kind.keeps_unknown else "ignore")
    return create_model(kind.__name__, __config__=config, __doc__=kind.__doc__, __module__=kind.__module__, **fields)


def _field_info(field: ResolvedField) -> Any:
    declared = field.declared
    options: dict[str, Any] = {"repr": declared.repr, "title": declared.title, "description": declared.description}
    if declared.limits is not None:
        options |= {name: limit for name, limit in asdict(declared.limits).items() if limit is not None}
        options["validate_default"] = declared.default not in {None, MISSING}
    if declared.default_factory is not None:
        options["default_factory"] = declared.default_factory
    elif declared.default is not MISSING:
        options["default"] = declared.default
    if declared.also is None:
        return Field(alias=field.wire, **options)
    return Field(validation_alias=AliasChoices(*field.wires), serialization_alias=field.wire, **options)


@cache
def adapter_of(annotation: Any) -> TypeAdapter[Any]:
    """Return the adapter of a type, in which records are as core_schema_of says."""
    return TypeAdapter(annotation)


def validated(kind: type[R], data: Any, context: Mapping[str, bool] | None) -> R:
    """Return the record of any JSON value. Raise ValidationError with the context STRICT only."""
    return adapter_of(kind).validate_python(data, context=dict(context) if context else None)


def checked(kind: type[S], values: Mapping[str, Any], context: Mapping[str, bool] | None = None) -> S:
    """Return the object of values by wire name or field name. Raise ValidationError for invalid ones."""
    model = model_of(kind).model_validate(dict(values), context=dict(context) if context else None)
    fields = {name: getattr(model, name) for name in resolved_fields(kind)}
    return kind.with_struct(shape_of(kind).struct(**fields), model.model_fields_set)


def checked_openly(kind: type[S], values: Mapping[str, Any], context: Mapping[str, bool] | None = None) -> S:
    """Return the object of values, which may have words that an enumeration does not know.

    Raise ValidationError for any other invalid value.
    """
    try:
        return checked(kind, values, context)
    except ValidationError as error:
        fields = {name: field for field in resolved_fields(kind).values() for name in (field.name, *field.wires)}
        given: dict[str, str] = {}
        for problem in error.errors(include_url=False, include_context=False):
            resolved_field = fields.get(str(problem["loc"][0])) if len(problem["loc"]) == 1 else None
            word = problem["input"]
            if resolved_field is None or problem["type"] != "literal_error" or not isinstance(word, str) or not word:
                raise
            given[resolved_field.name] = word
    resolved = resolved_fields(kind)
    usual = {name: value for name, value in values.items() if name not in fields or fields[name].name not in given}
    usual |= {resolved[name].wire: _first_word(resolved[name].annotation) for name in given}
    return checked(kind, usual, context).model_copy(update=given)


def _first_word(annotation: Any) -> Any:
    """Return the first word of the enumeration in an annotation."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)[0]
    return next((word for argument in get_args(annotation) if (word := _first_word(argument)) is not None), None)


def core_schema_of(kind: type[Record], handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return how pydantic validates a record: as declared if possible, otherwise by the model."""

    def validate(data: Any, of_model: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Record:
        return _validated(kind, data, of_model, _is("strict", info), _is("tolerant", info))

    def written(record: Any, info: SerializationInfo) -> Any:
        # A request may have been made without checks.
        return _written(record, info) if isinstance(record, kind) else record

    return core_schema.with_info_wrap_validator_function(
        validate,
        handler.generate_schema(model_of(kind)),
        serialization=core_schema.plain_serializer_function_ser_schema(written, info_arg=True),
    )


def json_schema_of(kind: type[Record], schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
    """Return the model's schema. In answers the key is required; requests may omit it."""
    definition = handler(cast(Any, schema)["schema"])
    if kind.key_field and handler.mode == "serialization":
        resolved = handler.resolve_ref_schema(definition)
        resolved["required"] = sorted({*resolved.get("required", ()), kind.key_wire()})
    return definition


def _written(record: Record, info: SerializationInfo) -> dict[str, Any]:
    return record.model_dump(
        by_alias=bool(info.by_alias),
        exclude_none=info.exclude_none,
        exclude_unset=info.exclude_unset,
        mode=info.mode,
    )


def _validated(
    kind: type[Record], data: Any, of_model: ValidatorFunctionWrapHandler, strict: bool, tolerant: bool
) -> Record:
    if isinstance(data, kind):
        return data
    data = kind.prepared(data)
    if not isinstance(data, Mapping):
        if strict:
            of_model(data)
        return _unreadable(kind, data, f"not an object but {type(data).__name__}")
    if not strict and (record := kind.try_convert(data)) is not None:
        return record
    values = dict(cast("Mapping[str, Any]", data))
    if tolerant or not strict:
        values = tolerated(kind, values)
    try:
        model = cast(BaseModel, of_model(values))
    except ValidationError as error:
        if strict:
            raise
        return _without_faults(kind, values, of_model, error)
    return _record(kind, model, {}, values, strict=strict)


def _record(
    kind: type[Record], model: BaseModel, faults: dict[str, str], values: Mapping[str, Any], *, strict: bool = False
) -> Record:
    extra = dict(model.model_extra or {})
    if CUT_FIELD in extra:
        faults |= _said_missing(extra.pop(CUT_FIELD))
    fields = {name: getattr(model, name) for name in resolved_fields(kind)}
    if kind.key_field and not fields[kind.key_field] and not strict:
        fields[kind.key_field] = _stand_in_key(values)
        faults[kind.key_wire()] = "missing"
    return _with_values(kind, fields, model.model_fields_set - extra.keys(), extra, faults)


def _with_values(
    kind: type[R],
    fields: Mapping[str, Any],
    given: Iterable[str],
    extra: Mapping[str, Any],
    faults: Mapping[str, str],
) -> R:
    return kind.with_struct(shape_of(kind).struct(**fields), given, extra, faults)


def _without_faults(
    kind: type[Record], values: dict[str, Any], of_model: ValidatorFunctionWrapHandler, error: ValidationError
) -> Record:
    faults: dict[str, str] = {}
    for problem in error.errors(include_input=False, include_url=False, include_context=False):
        name = str(problem["loc"][0]) if problem["loc"] else ""
        faults[name] = problem["msg"]
        values.pop(name, None)
    if kind.key_field and (kind.key_wire() in faults or kind.key_field in faults):
        return _unreadable(kind, values, next(iter(faults.values())))
    try:
        model = cast(BaseModel, of_model(values))
    except ValidationError:
        return _unreadable(kind, values, next(iter(faults.values()), "unreadable"))
    return _record(kind, model, faults, values)


def _unreadable(kind: type[R], data: object, reason: str) -> R:
    """Return a record for a row that cannot be read, with a key derived from its content."""
    values = {kind.key_field: _stand_in_key(data)} if kind.key_field else {}
    return _with_values(kind, values, frozenset(values), {}, {"": reason})


def _said_missing(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {str(name): str(words) for name, words in cast("Mapping[object, object]", value).items()}


def _stand_in_key(data: object) -> str:
    """Return a key for a row without one; the same row always gets the same key."""
    raw = json.dumps(data, sort_keys=True, default=str, ensure_ascii=True)
    return STAND_IN + hashlib.sha256(raw.encode()).hexdigest()[:12]


def _is(name: str, info: ValidationInfo) -> bool:
    context = cast("Mapping[str, bool] | None", info.context)
    return bool(context and context.get(name))
