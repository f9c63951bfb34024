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
        words = f"{operation.operation.name}: {'; '.join(_faults(error))}"
    try:
        request = operation.from_person(values, context=STRICT)
    except ValidationError:
        raise Failure(Exit.USAGE, words) from None
    talk(f"{words}; sent as it is")
    return request


def read_inputs(operation: type[Request[Any]], fields: Sequence[str], json: str | None = None) -> dict[str, Any]:
    """Return typed inputs by wire name, as JSON values. Raise Failure with all errors."""
    name = operation.operation.name
    inputs = {each.wire: each for each in operation.inputs()}
    names = {each.field: each.wire for each in operation.inputs()} | {wire: wire for wire in inputs}
    values = _from_json(json) if json is not None else {}
    faults = [f"{key} is not an input{nearest(key, list(inputs))}" for key in values if key not in names]
    values = {names[key]: value for key, value in values.items() if key in names}
    given: dict[str, list[Any]] = {}
    for each in fields:
        key, as_json, text = _split(each)
        if key not in names:
            faults.append(f"{key} is not an input{nearest(key, list(inputs))}")
            continue
        try:
            value = _value(inputs[names[key]], text, as_json)
        except ValueError as error:
            faults.append(f"{key}: {error}")
        else:
            given.setdefault(names[key], []).append(value)
    for wire, found in given.items():
        values[wire] = _gathered(inputs[wire], found)
    if faults:
        raise Failure(Exit.USAGE, f"{name}: {'; '.join(faults)}")
    return values


def _faults(error: ValidationError) -> list[str]:
    found: list[str] = []
    for each in error.errors(include_input=False, include_url=False, include_context=False):
        place = ".".join(str(step) for step in each["loc"])
        words = "is missing" if each["type"] == "missing" else each["msg"].removeprefix("Value error, ")
        found.append(f"{place}: {words[:1].lower()}{words[1:]}" if place else words)
    return list(dict.fromkeys(found))


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
            found = json_text.loads(text)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list):
            return cast("list[Any]", found)
        if not takes_text or only_list(wanted.annotation):
            raise ValueError('must be a JSON array, such as ["a","b"], where it begins with [')
    return text if takes_text else _json(wanted, text)


def _json(wanted: Input, text: str) -> Any:
    try:
        return json_text.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"must be {_description(wanted.annotation)}") from None


def _gathered(wanted: Input, found: list[Any]) -> Any:
    """Return the value of a field that was given once or several times.

    For a list, arrays and single entries are joined. A single entry stays a single value if the input allows it.
    """
    if not allows_list(wanted.annotation):
        return found[-1]
    arrays = any(isinstance(each, list) for each in found)
    if len(found) == 1 and not arrays and (found[0] is None or not only_list(wanted.annotation)):
        return found[0]
    return [entry for each in found for entry in (cast("list[Any]", each) if isinstance(each, list) else [each])]


def _takes_text(types: Sequence[Any]) -> bool:
    return any(
        (isinstance(each, type) and issubclass(each, str))
        or (get_origin(each) is Literal and all(isinstance(value, str) for value in get_args(each)))
        for each in types
    )


def _description(annotation: Any) -> str:
    types = items(annotation)
    if bool in types:
        return "true or false"
    if int in types or float in types:
        return "a number"
    return "JSON"
