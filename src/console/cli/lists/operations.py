"""`console operations`: lists and describes operations."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Annotated, Any, Literal, get_args, get_origin

from console.api.annotations import Guard
from console.api.answer_check import AnswerForm, form_of
from console.api.catalogue import catalogue
from console.api.inputs import Input, is_record
from console.api.listed import record_type
from console.api.request import Request
from console.cli.completers import completed_by
from console.cli.exits import Exit, Failure
from console.cli.output import print_json
from console.config.settings import nearest
from console.records.fields import resolved_fields


def declare_operations(parser: ArgumentParser) -> None:
    """Declare `console operations`."""
    name = parser.add_argument(
        "name", metavar="NAME", nargs="?", help="An operation, or the prefix of several, such as groups."
    )
    completed_by(name, catalogue)
    parser.add_argument("--json", action="store_true", help="Print the full descriptions as JSON.")
    parser.set_defaults(run=operations)


def operations(*, name: str | None, json: bool) -> int:
    """List the operations of the API, or describe one."""
    known = catalogue()
    requests = [request for request in known.values() if name is None or _belongs(request, name)]
    if not requests:
        raise Failure(Exit.USAGE, f"unknown operation {name!r}{nearest(name or '', known)}")
    if json:
        print_json([describe(request) for request in requests])
    elif name is not None and name in known:
        _print_one(known[name])
    else:
        width = max(len(request.operation.name) for request in requests)
        for request in requests:
            print(f"{request.operation.name:<{width}}  {request.operation.effect.value:<6}  {request.operation.title}")
    return Exit.OK


def _belongs(request: type[Request[Any]], name: str) -> bool:
    return request.operation.name == name or request.operation.name.startswith(f"{name}.")


def describe(request: type[Request[Any]]) -> dict[str, Any]:
    """Return all properties of an operation as data."""
    operation = request.operation
    return {
        "name": operation.name,
        "title": operation.title,
        "section": operation.section,
        "row": operation.row,
        "backend": operation.service.value,
        "route": f"{operation.route.method} {operation.route.template}",
        "effect": operation.effect.value,
        "access": operation.access.words,
        "guard": operation.guard.name.lower(),
        "variant": operation.variant.value if operation.variant else None,
        "inputs": [
            {
                "name": input_.wire,
                "place": input_.place.value,
                "type": type_words(input_.annotation, in_full=True),
                "required": input_.required,
                "nullable": input_.nullable,
                "required_in": input_.needed_in.value if input_.needed_in else None,
                "travels_as": input_.travels,
                "variant": input_.variant.value if input_.variant else None,
                "secret": input_.secret,
            }
            for input_ in request.inputs()
        ],
        "answer": answer_words(request),
        "answer_fields": answer_fields(request),
    }


def _print_one(request: type[Request[Any]]) -> None:
    operation = request.operation
    print(f"{operation.name}: {operation.title}")
    print(f"  {operation.route.method} {operation.route.template} of the {operation.service.value} service")
    print(f"  allowed for {operation.access.words}")
    if operation.guard >= Guard.WIDE:
        print("  asks for confirmation at a terminal, unless --yes is given")
    print(f"  returns {answer_words(request)}")
    fields = answer_fields(request)
    if fields:
        print(f"  fields of {record_type(request).__name__}: {', '.join(fields)}")
    for input_ in request.inputs():
        print(f"  {input_.wire}: {_input_words(input_)}")


def _input_words(input_: Input) -> str:
    needed = input_.needed_in
    notes = [] if input_.required else ["optional" if needed is None else f"required in the {needed.value} variant"]
    if input_.nullable:
        notes.append("may be null")
    if input_.variant is not None:
        notes.append(f"{input_.variant.value} variant only")
    if input_.secret:
        notes.append("secret: pass it as @FILE or @-")
    return type_words(input_.annotation, in_full=True) + (f" ({', '.join(notes)})" if notes else "")


def answer_words(request: type[Request[Any]]) -> str:
    """Return the name of an operation's answer type."""
    return type_words(request.answer_type())


def answer_fields(request: type[Request[Any]]) -> tuple[str, ...]:
    """Return the wire names of the fields of an answer's records, as `fields` in a routes file takes them."""
    if form_of(request.answer_type()) not in {AnswerForm.LIST, AnswerForm.OBJECT}:
        return ()
    return tuple(field.wire for field in resolved_fields(record_type(request)).values())


def type_words(annotation: Any, *, in_full: bool = False) -> str:
    """Return the name of a type: `text`, `number`, `list of text`, `one of a, b`; records by name, or `in_full`."""
    arguments = get_args(annotation)
    if get_origin(annotation) is Literal:
        return f"one of {', '.join(str(argument) for argument in arguments)}"
    if get_origin(annotation) is Annotated:
        return type_words(arguments[0], in_full=in_full)
    if get_origin(annotation) in {tuple, list}:
        return f"list of {type_words(arguments[0], in_full=in_full)}"
    if get_origin(annotation) is dict:
        return "object"
    if arguments:
        names = [type_words(argument, in_full=in_full) for argument in arguments if argument is not type(None)]
        return " or ".join(dict.fromkeys(names))
    if is_record(annotation):
        fields = (field.wire for field in resolved_fields(annotation).values())
        return f"object with {', '.join(fields)}" if in_full else annotation.__name__
    plain = {str: "text", int: "number", float: "number", bool: "true or false", dict: "object"}
    return plain.get(annotation) or str(getattr(annotation, "__name__", "anything"))
