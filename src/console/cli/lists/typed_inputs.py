"""Inputs of operations as they are typed: `field=value`, `field=@FILE`, `field:=JSON`."""

from __future__ import annotations

import json as json_text
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

from pydantic import ValidationError

from console.api.inputs import Input
from console.api.request import Request
from console.api.values import allows_list, items, only_list
from console.cli.exits import Exit, Failure
from console.cli.output import talk
from console.config.settings import nearest
from console.config.toml_source import read_named
from console.records.structured import STRICT


def make_request(operation: type[Request[Any]], fields: Sequence[str], json: str | None) -> Request[Any]:
    """Build a request from typed inputs, strictly. Raise Failure with all errors."""
    values = read_inputs(operation, fields, json)
    try:
        return operation.model_validate(values, context=STRICT)
    except ValidationError as error:
        text = f"{operation.operation.name}: {'; '.join(_faults(error))}"
    try:
        request = operation.from_person(values, context=STRICT)
    except ValidationError:
        raise Failure(Exit.USAGE, text) from None
    talk(f"{text}; sent as it is")
    return request


def read_inputs(operation: type[Request[Any]], fields: Sequence[str], json: str | None = None) -> dict[str, Any]:
    """Return typed inputs by wire name, as JSON values. Raise Failure with all errors."""
    name = operation.operation.name
    inputs = {input_.wire: input_ for input_ in operation.inputs()}
    names = {input_.field: input_.wire for input_ in operation.inputs()} | {wire: wire for wire in inputs}
    values = _from_json(json) if json is not None else {}
    faults = [f"{key} is not an input{nearest(key, list(inputs))}" for key in values if key not in names]
    values = {names[key]: value for key, value in values.items() if key in names}
    texts_by_wire: dict[str, list[Any]] = {}
    for field in fields:
        key, as_json, text = _split(field)
        if key not in names:
            faults.append(f"{key} is not an input{nearest(key, list(inputs))}")
            continue
        try:
            value = _value(inputs[names[key]], text, as_json)
        except ValueError as error:
            faults.append(f"{key}: {error}")
        else:
            texts_by_wire.setdefault(names[key], []).append(value)
    for wire, texts in texts_by_wire.items():
        values[wire] = _gathered(inputs[wire], texts)
    if faults:
        raise Failure(Exit.USAGE, f"{name}: {'; '.join(faults)}")
    return values


def _faults(error: ValidationError) -> list[str]:
    faults: list[str] = []
    for detail in error.errors(include_input=False, include_url=False, include_context=False):
        place = ".".join(str(step) for step in detail["loc"])
        text = "is missing" if detail["type"] == "missing" else detail["msg"].removeprefix("Value error, ")
        faults.append(f"{place}: {text[:1].lower()}{text[1:]}" if place else text)
    return list(dict.fromkeys(faults))


def _split(text: str) -> tuple[str, bool, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise Failure(Exit.USAGE, f"{text!r} must have the form field=value")
    return (key[:-1], True, value) if key.endswith(":") else (key, False, value)


def _from_json(text: str) -> dict[str, Any]:
    try:
        data: Any = json_text.loads(_content(text) if text.startswith("@") else text)
    except (ValueError, RecursionError) as error:
        raise Failure(Exit.USAGE, f"--json is not valid JSON: {error}") from None
    if not isinstance(data, dict):
        raise Failure(Exit.USAGE, "--json must be an object")
    return cast("dict[str, Any]", data)


def _content(reference: str) -> str:
    if reference == "@-":
        return sys.stdin.read()
    try:
        return read_named(Path(os.path.expanduser(reference[1:]))).decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        raise Failure(Exit.USAGE, f"{reference[1:]}: {reason}") from None


def _value(wanted: Input, text: str, as_json: bool) -> Any:
    """Parse one value. Raise ValueError with the expected format."""
    if as_json:
        return _json(wanted, text)
    if text == "null" and wanted.nullable:
        return None
    if text.startswith("@"):
        text = _content(text).rstrip("\n")
    takes_text = _takes_text(items(wanted.annotation))
    if text.startswith("[") and allows_list(wanted.annotation):
        try:
            loads = json_text.loads(text)
        except (ValueError, RecursionError):
            loads = None
        if isinstance(loads, list):
            return cast("list[Any]", loads)
        if not takes_text or only_list(wanted.annotation):
            raise ValueError('must be a JSON array, such as ["a","b"], where it begins with [')
    return text if takes_text else _json(wanted, text)


def _json(wanted: Input, text: str) -> Any:
    try:
        return json_text.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"must be {_description(wanted.annotation)}") from None


def _gathered(wanted: Input, entries: list[Any]) -> Any:
    """Return the value of a field that was given once or several times.

    For a list, arrays and single entries are joined. A single entry stays a single value if the input allows it.
    """
    if not allows_list(wanted.annotation):
        return entries[-1]
    arrays = any(isinstance(item, list) for item in entries)
    if len(entries) == 1 and not arrays and (entries[0] is None or not only_list(wanted.annotation)):
        return entries[0]
    return [entry for item in entries for entry in (cast("list[Any]", item) if isinstance(item, list) else [item])]


def _takes_text(types: Sequence[Any]) -> bool:
    return any(
        (isinstance(type_, type) and issubclass(type_, str))
        or (get_origin(type_) is Literal and all(isinstance(value, str) for value in get_args(type_)))
        for type_ in types
    )


def _description(annotation: Any) -> str:
    types = items(annotation)
    if bool in types:
        return "true or false"
    if int in types or float in types:
        return "a number"
    return "JSON"
