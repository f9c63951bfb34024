"""The OpenAPI document of a running service, generated from the catalogue."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from pydantic import TypeAdapter

from console.api.annotations import Access, Effect, InputPlace, Variant
from console.api.catalogue import catalogue
from console.api.inputs import Input
from console.api.request import Request
from console.records.model import model_of
from console.records.responses import Acknowledgement
from console.service.http.content import FORM, LONGEST_TEXT, MOST_ENTRIES

_REF = "#/components/schemas/{model}"
_REF_TAKEN = "#/components/schemas/{model}Input"


@lru_cache(maxsize=2)
def openapi(variant: Variant) -> dict[str, Any]:
    """Return the document for one variant of the contract."""
    offered = [request for request in catalogue().values() if request.operation.variant in {None, variant}]
    schemas, components = _schemas(offered)
    paths: dict[str, dict[str, Any]] = {}
    for request in offered:
        operation = request.operation
        path = f"/{operation.service.value}{operation.route.template}"
        paths.setdefault(path, {})[operation.route.method.lower()] = _operation(request, variant, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Communications service", "version": variant.value},
        "paths": paths,
        "components": {
            "schemas": {**components, **_ERRORS},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _schemas(offered: list[type[Request[Any]]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schemas of all requests and answers, and the components that they refer to.

    Requests have limits and answers do not, so components used by both exist twice.
    """
    asks = [(f"{request.operation.name} asks", "validation", TypeAdapter(model_of(request))) for request in offered]
    answers = [(f"{request.operation.name} answers", "serialization", request.answer_adapter()) for request in offered]
    taken, of_taken = TypeAdapter.json_schemas(cast(Any, asks), by_alias=True, ref_template=_REF_TAKEN)
    json_schema_values, of_given = TypeAdapter.json_schemas(cast(Any, answers), by_alias=True, ref_template=_REF)
    shared = {f"{name}Input": with_limits(schema) for name, schema in of_taken.get("$defs", {}).items()}
    schemas = {str(key[0]): schema for key, schema in json_schema_values.items()}
    for request in offered:
        name = f"{request.operation.name} asks"
        schemas[name] = _resolved(with_limits(taken[name, "validation"]), shared)
        shared.pop(f"{request.__name__}Input", None)
    return schemas, {**of_given.get("$defs", {}), **shared}


def _resolved(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    return components[reference.rpartition("/")[2]] if isinstance(reference, str) else schema


def _operation(request: type[Request[Any]], variant: Variant, schemas: dict[str, Any]) -> dict[str, Any]:
    operation = request.operation
    asks = schemas[f"{operation.name} asks"].get("properties", {})
    inputs = [input_ for input_ in request.inputs() if input_.variant in {None, variant}]
    body = [input_ for input_ in inputs if _place(request, input_) is InputPlace.BODY]
    matching_inputs = [input_ for input_ in inputs if _place(request, input_) is InputPlace.WHOLE_BODY]
    document: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.title,
        "description": f"For {operation.access.words}.",
        "x-access": operation.access.name.lower(),
        "x-guard": operation.guard.name.lower(),
        "tags": [operation.section],
        **({"x-extension": True} if operation.is_extension else {}),
        "parameters": [
            {
                "name": input_.travels,
                "in": "path" if _place(request, input_) is InputPlace.PATH else "query",
                "required": input_.required_in(variant) or _place(request, input_) is InputPlace.PATH,
                "schema": _not_null(asks[input_.wire]),
                **({"style": "form", "explode": True} if _place(request, input_) is InputPlace.QUERY else {}),
            }
            for input_ in inputs
            if _place(request, input_) in {InputPlace.PATH, InputPlace.QUERY}
        ],
        "responses": _responses(request, schemas, variant),
    }
    content: dict[str, Any] | None = None
    if matching_inputs:
        content = asks[matching_inputs[0].wire]
    elif body:
        required = [input_.travels for input_ in body if input_.required_in(variant)]
        fields = {"type": "object", "properties": {input_.travels: asks[input_.wire] for input_ in body}}
        content = {**with_limits(fields), **({"required": required} if required else {})}
    if content is not None:
        document["requestBody"] = {
            "required": any(input_.required_in(variant) for input_ in (*body, *matching_inputs)),
            "content": {
                media: {"schema": content} for media in ("application/json", *([FORM] if operation.takes_form else []))
            },
        }
    if operation.access is not Access.ANYONE:
        document["security"] = [{"bearer": []}]
    return document


def _place(request: type[Request[Any]], input_: Input) -> InputPlace:
    """Return the place of an input in this route: the path if the route names it, otherwise the declared one."""
    return InputPlace.PATH if input_.wire in request.operation.route.fields else input_.place


def _not_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Remove null, which paths and queries express by omission."""
    choices = [item for item in schema.get("anyOf", ()) if item != {"type": "null"}]
    kept = {name: value for name, value in schema.items() if name not in {"anyOf", "default"}}
    if not choices:
        return kept
    return {**kept, **choices[0]} if len(choices) == 1 else {**kept, "anyOf": choices}


def _responses(request: type[Request[Any]], schemas: dict[str, Any], variant: Variant) -> dict[str, Any]:
    operation = request.operation
    answer: dict[str, Any] = schemas[f"{operation.name} answers"]
    status = "200"
    if operation.says is not None:
        status = "201" if operation.says.lower() == "created" else "200"
    if (says := operation.says_to(variant)) is not None:
        answer = {"type": "string", "const": says}
    elif _answer_type(request) is Acknowledgement:
        shape = "MessageAnswer" if operation.error_shape == "message" and variant is Variant.LATER else "CodeAnswer"
        answer = {"$ref": f"#/components/schemas/{shape}"}
    elif (wrapper := operation.wrapper(variant)) is not None:
        answer = {"type": "object", "properties": {wrapper: answer}, "required": [wrapper]}
    refused = {
        "description": "Refused",
        "content": {
            "application/json": {"schema": {"$ref": f"#/components/schemas/{_SHAPES[operation.refuses_with(variant)]}"}}
        },
    }
    codes = ["400", "401", "403", "404", "408", "413", "414", "429", "431", "503"]
    codes += ["409"] if operation.effect is Effect.CHANGE else []
    return {
        status: {"description": "Answered", "content": {"application/json": {"schema": answer}}},
        **{code: refused for code in sorted(codes)},
    }


def _answer_type(request: type[Request[Any]]) -> type[Any]:
    kind = request.answer_type()
    return kind if isinstance(kind, type) else object


_SHAPES = {
    "code": "CodeError",
    "validation": "ValidationErrors",
    "message": "MessageError",
    "error": "PlainError",
    "oauth": "OAuthError",
}
_ENTRY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "keyword": {"type": "string"},
        "dataPath": {"type": "string"},
        "schemaPath": {"type": "string"},
        "params": {"type": "object"},
        "message": {"type": "string"},
    },
    "required": ["keyword", "dataPath", "schemaPath", "params", "message"],
}
_ENTRIES: dict[str, Any] = {"type": "array", "items": {"$ref": "#/components/schemas/ValidationErrorEntry"}}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


_TEXT = {"type": "string"}
_ERRORS: dict[str, Any] = {
    "ValidationErrorEntry": _ENTRY,
    "CodeAnswer": _object(["code", "message"], code={"type": "integer"}, message=_TEXT),
    "MessageAnswer": _object(["message"], message=_TEXT),
    "CodeError": _object(["code", "message"], code={"type": "integer"}, message=_TEXT, validationErrors=_ENTRIES),
    "ValidationErrors": _object(
        ["error", "validationErrors", "message"], error=_TEXT, validationErrors=_ENTRIES, message=_ENTRIES
    ),
    "MessageError": _object(["message"], message=_TEXT, validationErrors=_ENTRIES),
    "PlainError": _object(["error"], error=_TEXT, validationErrors=_ENTRIES),
    "OAuthError": _object(
        ["code", "message", "error", "error_description"],
        code={"type": "integer"},
        message=_TEXT,
        error=_TEXT,
        error_description=_TEXT,
        validationErrors=_ENTRIES,
    ),
}


_USUAL = {
    "string": ("maxLength", LONGEST_TEXT),
    "array": ("maxItems", MOST_ENTRIES),
    "object": ("maxProperties", MOST_ENTRIES),
}


def with_limits(schema: Any) -> Any:
    """Return the JSON schema of an operation's inputs, with the default limits where it has no others."""
    if isinstance(schema, list):
        return [with_limits(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    given = cast("dict[str, Any]", schema)
    limited = {name: with_limits(value) for name, value in given.items()}
    kind = given.get("type")
    if isinstance(kind, str) and kind in _USUAL and not given.keys() & {"enum", "const"}:
        keyword, most = _USUAL[kind]
        limited.setdefault(keyword, most)
    return limited
