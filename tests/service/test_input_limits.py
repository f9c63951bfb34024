"""Every text, list and object of an operation's input has a limit, which OpenAPI documents and the service enforces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from console.api.annotations import Variant
from console.api.catalogue import catalogue
from console.api.errors import Problem
from console.api.operations.presence import LARGEST_AVATAR
from console.service.http.content import LONGEST_TEXT, MOST_ENTRIES, read_request
from console.service.http.openapi import openapi
from console.service.refusal import Refusal
from tests.contract.case import assert_refusal
from tests.service.inside import inside

DEEPEST = 4
"""Maximum depth of the search in records."""
LIMITS = {"string": "maxLength", "array": "maxItems", "object": "maxProperties"}

TOO_LONG = {*LIMITS.values(), "string_too_long", "too_long"}

Part = str | int
Found = tuple[tuple[Part, ...], dict[str, Any]]


def inputs(variant: Variant) -> Iterator[tuple[str, str, Found]]:
    """Yield every text, list and object of all inputs: operation, place, path and schema."""
    document = openapi(variant)
    for path in document["paths"].values():
        for operation in path.values():
            name = operation["operationId"]
            for each in operation["parameters"]:
                for found in _parts(document, each["schema"], (each["name"],)):
                    yield name, each["in"], found
            body = operation.get("requestBody")
            if body is not None:
                for found in _parts(document, body["content"]["application/json"]["schema"], ()):
                    yield name, "body", found


def _parts(document: Any, schema: dict[str, Any], path: tuple[Part, ...]) -> Iterator[Found]:
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for choice in schema.get("anyOf", ()):
        yield from _parts(document, choice, path)
    if len(path) > DEEPEST or schema.keys() & {"enum", "const"}:
        return
    if schema.get("type") in LIMITS:
        yield path, schema
    if schema.get("type") == "array":
        yield from _parts(document, schema.get("items", {}), (*path, 0))
    for name, each in schema.get("properties", {}).items():
        yield from _parts(document, each, (*path, name))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _parts(document, schema["additionalProperties"], (*path, "other"))


@pytest.mark.parametrize("variant", list(Variant))
def test_the_description_contains_a_limit_for_every_text_list_and_object(variant: Variant) -> None:
    unlimited = [
        f"{name} {where} {path}"
        for name, where, (path, schema) in inputs(variant)
        if LIMITS[schema["type"]] not in schema
    ]
    assert not unlimited


@pytest.mark.parametrize("variant", list(Variant))
def test_one_more_than_the_limit_is_refused_and_named(variant: Variant) -> None:
    taken = [
        f"{name} {where} {path}"
        for name, where, (path, schema) in inputs(variant)
        if not too_long(variant, name, where, path, beyond(schema))
    ]
    assert not taken, "\n".join(taken)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_text_as_long_as_the_limit_is_not_refused_for_its_length(variant: Variant) -> None:
    refused = [
        f"{name} {where} {path}"
        for name, where, (path, schema) in inputs(variant)
        if schema["type"] == "string"
        if too_long(variant, name, where, path, "x" * schema["maxLength"])
    ]
    assert not refused, "\n".join(refused)


def beyond(schema: dict[str, Any]) -> Any:
    """Return a value of a type with one character, entry or field too many."""
    most = schema[LIMITS[schema["type"]]] + 1
    match schema["type"]:
        case "string":
            return "x" * most
        case "array":
            items = schema["items"]
            return [{} if "$ref" in items or items.get("type") == "object" else "x"] * most
        case _:
            return {f"x{number}": 1 for number in range(most)}


def too_long(variant: Variant, name: str, where: str, path: tuple[Part, ...], value: Any) -> bool:
    """Return whether a request with only this value at that path is refused for its length."""
    fields: dict[str, str] = {}
    query: list[tuple[str, str]] = []
    body = b""
    if where == "body":
        for part in reversed(path):
            value = [value] if isinstance(part, int) else {part: value}
        body = json.dumps(value).encode()
    elif where == "query":
        query = [(str(path[0]), each) for each in cast("list[str]", value if isinstance(value, list) else [value])]
    else:
        fields = {str(path[0]): value}
    # In a query, one value of a list is a text as well.
    said = ".".join(map(str, path if where == "body" else path[:1]))
    problems: Sequence[Problem] = ()
    try:
        read_request(catalogue()[name], fields, query, body, variant)
    except Refusal as refusal:
        problems = refusal.problems
    return any(each.path == said and each.keyword in TOO_LONG for each in problems)


@pytest.mark.parametrize(
    ("method", "path", "body", "shape"),
    [
        ("PUT", "/presence/svc-user:ana", {"note": "x" * (LONGEST_TEXT + 1)}, "code"),
        ("PUT", "/presence/svc-user:ana", {"avatar": "x" * (LARGEST_AVATAR + 1)}, "code"),
        ("POST", "/alerts", {"templateId": "x" * (LONGEST_TEXT + 1), "alertId": "a"}, "validation"),
        ("POST", "/support-chats", {"id": "a", "context": {"deep": [["x" * (LONGEST_TEXT + 1)]]}}, "message"),
        ("POST", "/support-chats", {"id": "a", "context": {"deep": list(range(MOST_ENTRIES + 1))}}, "message"),
        ("POST", "/support-chats", {"id": "a", "context": {"deep": [10**310]}}, "message"),
        ("POST", "/support-chats", {"id": "a", "context": {"deep": -1e308}}, "message"),
    ],
)
async def test_overlong_input_is_refused_in_the_contracts_format(method: str, path: str, body: Any, shape: str) -> None:
    with inside() as desk:
        head = desk.platform.database.head
        refused = await desk.ask("ana", method, path, body)
        assert_refusal(refused, 400, shape)
        assert refused.json()["validationErrors"]
        # A session of ana was started; nothing else changed.
        assert desk.platform.database.head == head + 2
