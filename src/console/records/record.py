"""The base class of records: frozen, tolerant of invalid data, and without loss of data.

A service may send a field of an unexpected type, omit the key, or send a row that is not an object. This must not
affect other rows: the field is left empty and listed in `faults`, all other data is kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema

from console.records.raw import CUT_FIELD

STRICT: Mapping[str, bool] = {"strict": True}
"""Validation context in which an invalid field is an error; the service uses it for requests."""


class Record(BaseModel):
    """A record of a service. Unknown fields are kept, and sent back unchanged.

    Subclasses set `key_field` to the name of their key; a row without a key gets one derived from its bytes, so that it
    can be listed, marked as invalid, and distinguished from others.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        defer_build=True,
        allow_inf_nan=False,
        hide_input_in_errors=True,
    )

    key_field: ClassVar[str] = ""
    rows_field: ClassVar[str] = ""
    """Wire name of the field with the rows, for an answer that is a page of a list."""
    counted_by: ClassVar[frozenset[str]] = frozenset()
    """Plain fields by which all rows are counted and sorted, which a lazy record holds in addition to its bytes; empty
    means all. For kinds with many records. See `lazy_record`."""

    _faults: dict[str, str] = PrivateAttr(default_factory=dict[str, str])

    @property
    def faults(self) -> Mapping[str, str]:
        """Invalid parts: wire name of the field to reason; an empty name means the whole row."""
        return self._faults

    @property
    def key(self) -> str:
        """The key of this record, unique within its kind."""
        return str(getattr(self, self.key_field)) if self.key_field else ""

    @model_validator(mode="wrap")
    @classmethod
    def _tolerate(cls, data: Any, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo) -> Self:
        data = cls._prepared(data)
        if not isinstance(data, Mapping) and not isinstance(data, cls):
            if _is_strict(info):
                return handler(data)
            return cls._unreadable(data, f"not an object but {type(data).__name__}")
        try:
            record = handler(data)
        except ValidationError as error:
            if _is_strict(info) or isinstance(data, cls):
                raise
            return cls._without_faults(dict(cast("Mapping[str, Any]", data)), handler, error)
        extra = record.model_extra
        if extra and CUT_FIELD in extra:
            record._faults.update(_said_missing(extra.pop(CUT_FIELD)))
        if cls.key_field and not record.key and not _is_strict(info):
            # Change it in place: pydantic accepts no other object from a validator inside `Record(...)`.
            vars(record)[cls.key_field] = _stand_in_key(cast(Any, data))
            record._faults[cls.wire_name(cls.key_field)] = "missing"
        return record

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Make the key required in schemas of answers; requests may omit it."""
        schema = handler(core_schema)
        if cls.key_field and handler.mode == "serialization":
            field = cls.model_fields.get(cls.key_field)
            wire = (field.alias if field else None) or cls.wire_name(cls.key_field)
            resolved = handler.resolve_ref_schema(schema)
            resolved["required"] = sorted({*resolved.get("required", ()), wire})
        return schema

    @property
    def identified(self) -> bool:
        """Whether the service sent the key; records without one cannot be acted on."""
        return "" not in self._faults and self.wire_name(self.key_field) not in self._faults

    @classmethod
    def _prepared(cls, data: Any) -> Any:
        """Convert other formats of this record to the usual one."""
        return data

    @classmethod
    def _without_faults(
        cls, data: dict[str, Any], handler: ModelWrapValidatorHandler[Self], error: ValidationError
    ) -> Self:
        faults: dict[str, str] = {}
        for problem in error.errors(include_input=False, include_url=False, include_context=False):
            name = str(problem["loc"][0]) if problem["loc"] else ""
            faults[name] = problem["msg"]
            data.pop(name, None)
        if cls.key_field and (cls.wire_name(cls.key_field) in faults or cls.key_field in faults):
            return cls._unreadable(data, next(iter(faults.values())))
        try:
            record = handler(data)
        except ValidationError:
            return cls._unreadable(data, next(iter(faults.values()), "unreadable"))
        record._faults.update(faults)
        return record

    @classmethod
    def _unreadable(cls, data: object, reason: str) -> Self:
        """Return a record for a row that cannot be read, with a key derived from its content."""
        values: dict[str, Any] = {}
        if cls.key_field:
            values[cls.key_field] = _stand_in_key(data)
        record = cls.model_construct(**values)
        record._faults[""] = reason
        return record

    @classmethod
    def wire_name(cls, field: str) -> str:
        """Return the wire name of a field without an alias."""
        return to_camel(field)

    @classmethod
    def key_wire(cls) -> str:
        """Return the wire name of the key; empty for a kind without one."""
        field = cls.model_fields.get(cls.key_field)
        return (field.alias if field is not None else None) or cls.wire_name(cls.key_field)

    def wire(self) -> dict[str, Any]:
        """Return the record in wire format: wire names, with unknown fields, without empty fields."""
        return self.model_dump(by_alias=True, exclude_none=True, mode="json")


def _said_missing(told: object) -> dict[str, str]:
    if not isinstance(told, Mapping):
        return {}
    return {str(name): str(words) for name, words in cast("Mapping[object, object]", told).items()}


def _stand_in_key(data: object) -> str:
    """Return a key for a row without one; the same row always gets the same key."""
    raw = json.dumps(data, sort_keys=True, default=str, ensure_ascii=True)
    return "unreadable-" + hashlib.sha256(raw.encode()).hexdigest()[:12]


def _is_strict(info: ValidationInfo) -> bool:
    context = cast("Mapping[str, bool] | None", info.context)
    return bool(context and context.get("strict"))
