"""What every record has in common: frozen, tolerant of faults, and loss-free.

A service may send a field of an unexpected type, leave the key out, or send a row that is no object at all. None of
that may cost the operator the other rows: the field is left empty and named in `faults`, the rest stays as it is.
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
"""Validation context under which a faulty field is an error: what the service uses on what it is sent."""


class Record(BaseModel):
    """A thing the services tell us about. Unknown fields are kept and go back as they came.

    Subclasses name in `key_field` the field that identifies them; a row without it gets a key made from its own
    bytes, so that it can be listed, marked as faulty, and told from its neighbours.
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
    """For an answer that is a page of a list, the wire name of the field with the rows."""
    counted_by: ClassVar[frozenset[str]] = frozenset()
    """Plain fields that all rows are counted and sorted by, and so are kept beside each row's bytes; none means all.
    For kinds of which there are so many that each field matters. See `sealed`."""

    _faults: dict[str, str] = PrivateAttr(default_factory=dict[str, str])

    @property
    def faults(self) -> Mapping[str, str]:
        """What could not be read: wire field name to reason; the name is empty when it concerns the whole row."""
        return self._faults

    @property
    def key(self) -> str:
        """What identifies this record among its kind."""
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
            # In place: pydantic takes no other object from a validator that runs inside of `Record(...)`.
            vars(record)[cls.key_field] = _stand_in_key(cast(Any, data))
            record._faults[cls.wire_name(cls.key_field)] = "missing"
        return record

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Say in schemas of answers that a record is never without its key; questions may leave it out."""
        schema = handler(core_schema)
        if cls.key_field and handler.mode == "serialization":
            field = cls.model_fields.get(cls.key_field)
            wire = (field.alias if field else None) or cls.wire_name(cls.key_field)
            resolved = handler.resolve_ref_schema(schema)
            resolved["required"] = sorted({*resolved.get("required", ()), wire})
        return schema

    @property
    def identified(self) -> bool:
        """Whether the service said which record this is; one that it did not name cannot be acted on."""
        return "" not in self._faults and self.wire_name(self.key_field) not in self._faults

    @classmethod
    def _prepared(cls, data: Any) -> Any:
        """Bring a spelling that only this record has into the usual one."""
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
        """Stand in for a row that cannot be read, under a key made from what it holds."""
        values: dict[str, Any] = {}
        if cls.key_field:
            values[cls.key_field] = _stand_in_key(data)
        record = cls.model_construct(**values)
        record._faults[""] = reason
        return record

    @classmethod
    def wire_name(cls, field: str) -> str:
        """Return the name under which a field travels that has no alias of its own."""
        return to_camel(field)

    @classmethod
    def key_wire(cls) -> str:
        """Return the name under which the key travels; empty for a kind without one."""
        field = cls.model_fields.get(cls.key_field)
        return (field.alias if field is not None else None) or cls.wire_name(cls.key_field)

    def wire(self) -> dict[str, Any]:
        """Return the record as it travels: wire names, unknown fields included, empty fields left out."""
        return self.model_dump(by_alias=True, exclude_none=True, mode="json")


def _said_missing(told: object) -> dict[str, str]:
    if not isinstance(told, Mapping):
        return {}
    return {str(name): str(words) for name, words in cast("Mapping[object, object]", told).items()}


def _stand_in_key(data: object) -> str:
    """Make a key for a row that has none: the same row gets the same key each time it is listed."""
    raw = json.dumps(data, sort_keys=True, default=str, ensure_ascii=True)
    return "unreadable-" + hashlib.sha256(raw.encode()).hexdigest()[:12]


def _is_strict(info: ValidationInfo) -> bool:
    context = cast("Mapping[str, bool] | None", info.context)
    return bool(context and context.get("strict"))
