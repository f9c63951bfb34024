"""Check real answers against the OpenAPI document that the service serves."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema_rs

from console.api.annotations import Variant
from console.service.http.openapi import openapi

_REFERENCE = re.compile(r'"\$ref": "#/components/schemas/([^"]+)"')


def assert_documented(operation: str, variant: Variant, body: bytes) -> int:
    """Assert that the answer to a successful request has the documented shape, and return the documented status."""
    validator, status = _validator(operation, variant)
    faults = [f"{list(each.instance_path)}: {each.message}" for each in validator.iter_errors(json.loads(body))]
    assert not faults, faults
    return status


@cache
def _validator(operation: str, variant: Variant) -> tuple[Any, int]:
    document = openapi(variant)
    described = next(
        each for path in document["paths"].values() for each in path.values() if each["operationId"] == operation
    )
    ((status, granted),) = [each for each in described["responses"].items() if each[0].startswith("2")]
    schema = granted["content"]["application/json"]["schema"]
    schemas = document["components"]["schemas"]
    validator = jsonschema_rs.validator_for({**schema, "components": {"schemas": _named_in(schema, schemas)}})
    return validator, int(status)


def _named_in(schema: Any, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schemas that this one refers to, directly or indirectly. Compiling all of them takes 10 ms."""
    found: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        for name in _REFERENCE.findall(json.dumps(waiting.pop())):
            if name not in found:
                found[name] = schemas[name]
                waiting.append(schemas[name])
    return found
