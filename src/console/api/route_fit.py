"""Check that a route fits its operation: every input must have a place in it that can be decoded again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from console.api.annotations import Effect, InputPlace
from console.api.answer_check import AnswerForm, form_of
from console.api.inputs import Input
from console.api.listed import is_list, record_type
from console.api.outgoing import CURSOR
from console.api.request import Request
from console.api.route import LINK, OFFSET, PAGE, AnswerPlaces, Route
from console.api.values import items, only_list
from console.base.frozen import Frozen
from console.config.settings import nearest
from console.records.fields import resolved_fields
from console.records.members import ENTRIES
from console.records.record import Record
from console.records.structured import shape_of


class Misfit(Frozen):
    """A mismatch between a route and its operation."""

    words: str
    part: str = ""
    """The key, such as `query`; empty for method and path."""
    doubt: bool = False
    """Whether the route is usable nevertheless."""


def misfits(operation: type[Request[Any]], route: Route) -> Iterator[Misfit]:
    """Yield all mismatches between a route and the operation's inputs."""
    inputs = operation.inputs()
    yield from _in_path(operation, route)
    for part, listed in (("query", route.query), ("body", route.body)):
        yield from _listed(part, listed, route, inputs)
    if route.body and route.method == "GET":
        yield Misfit("a GET has no body", "body")
    for input_ in inputs:
        if (
            input_.place is InputPlace.PATH
            and input_.place_by(route) is not InputPlace.PATH
            and not _said(input_, route)
        ):
            yield Misfit(
                f"{{{input_.wire}}} is missing from the path; if it is sent elsewhere, list it in query or body"
            )
    yield from _in_one_body(route, inputs)
    yield from _renamed(route, inputs)
    yield from _formed(operation, route)
    yield from _constant(route, inputs)
    yield from _in_answers(operation, route)
    yield from _unwise(operation, route)


def _said(input_: Input, route: Route) -> bool:
    return input_.wire in route.query or input_.wire in route.body


def _unknown(name: str, inputs: Sequence[Input]) -> str:
    return f"{{{name}}} is not an input of this operation{nearest(name, [input_.wire for input_ in inputs])}"


def _in_path(operation: type[Request[Any]], route: Route) -> Iterator[Misfit]:
    inputs = {name: input_ for input_ in operation.inputs() for name in (input_.wire, input_.field)}
    for name in dict.fromkeys(route.fields):
        input_ = inputs.get(name)
        if input_ is None:
            yield Misfit(_unknown(name, operation.inputs()))
        elif input_.or_in_path:
            pass
        elif not input_.required and operation.operation.effect is Effect.READ:
            yield Misfit(f"{{{name}}} is optional, so it cannot be in the path")
        elif not input_.required:
            yield Misfit(f"{{{name}}} is optional, but cannot be omitted here", doubt=True)
        if route.fields.count(name) > 1:
            yield Misfit(f"{{{name}}} is listed more than once")


def _listed(part: str, listed: Sequence[str], route: Route, inputs: Sequence[Input]) -> Iterator[Misfit]:
    known = {input_.wire: input_ for input_ in inputs}
    for name in dict.fromkeys(listed):
        if name not in known and name in route.always:
            continue
        if name not in known:
            yield Misfit(_unknown(name, inputs), part)
        elif known[name].place_by(route) is InputPlace.PATH:
            yield Misfit(f"{{{name}}} is already in the path", part)
        elif part == "body" and name in route.query:
            yield Misfit(f"{{{name}}} is already in query", part)
        if listed.count(name) > 1:
            yield Misfit(f"{{{name}}} is listed more than once", part)


def _in_one_body(route: Route, inputs: Sequence[Input]) -> Iterator[Misfit]:
    wires = [input_.wire for input_ in inputs if input_.place_by(route) is InputPlace.WHOLE_BODY]
    beside = [input_.wire for input_ in inputs if input_.place_by(route) is InputPlace.BODY]
    if wires and beside:
        text = f"{{{wires[0]}}} is the whole body, so {{{beside[0]}}} cannot be sent; list one of them elsewhere"
        yield Misfit(text, "body")


def _renamed(route: Route, inputs: Sequence[Input]) -> Iterator[Misfit]:
    known = {input_.wire: input_ for input_ in inputs}
    for name in route.names:
        if name not in known:
            wrong = _wrong_inside(name, route, inputs)
            if wrong is not None:
                yield Misfit(wrong, "names")
        elif known[name].place_by(route) in {InputPlace.PATH, InputPlace.WHOLE_BODY}:
            yield Misfit(f"{{{name}}} is sent without a name here", "names")
    taken: dict[tuple[InputPlace, str], str] = {}
    for input_ in inputs:
        place = input_.place_by(route)
        if place not in {InputPlace.QUERY, InputPlace.BODY}:
            continue
        called = route.names.get(input_.wire, input_.travels)
        other = taken.setdefault((place, called), input_.wire)
        if other != input_.wire:
            yield Misfit(f"{{{other}}} and {{{input_.wire}}} are both called {called}", "names")


def _wrong_inside(path: str, route: Route, inputs: Sequence[Input]) -> str | None:
    """Return what is wrong with a path to a field inside an input, or None."""
    first, _, rest = path.partition(".")
    name, brackets, _ = first.partition(ENTRIES)
    named_input = next((input_ for input_ in inputs if input_.wire == name), None)
    if named_input is None or not rest or "" in rest.split("."):
        return _unknown(path, inputs)
    if named_input.place_by(route) not in {InputPlace.BODY, InputPlace.WHOLE_BODY}:
        return f"{{{name}}} has no fields, because it is not sent in the body"
    return _wrong_below(named_input.annotation, name, bool(brackets), rest, entries=False)


def _formed(operation: type[Request[Any]], route: Route) -> Iterator[Misfit]:
    """Yield the mismatches of `forms`: each is of an input or of a field of the answer, or of both."""
    inputs = {input_.wire: input_ for input_ in operation.inputs()}
    is_record = form_of(operation.answer_type()) in {AnswerForm.LIST, AnswerForm.OBJECT}
    for path in route.forms:
        if path in inputs:
            continue
        in_request = _wrong_inside(path, route, operation.inputs())
        in_answer = _wrong_path(record_type(operation), path) if is_record and "" not in path.split(".") else in_request
        if in_request is not None and in_answer is not None:
            known = [*inputs, *(shape_of(record_type(operation)).wires if is_record else ())]
            text = f"{path} is neither an input nor a field of the answer{nearest(path, known)}"
            yield Misfit(text if path.isidentifier() else in_answer, "forms")


def _constant(route: Route, inputs: Sequence[Input]) -> Iterator[Misfit]:
    known = {input_.wire: input_ for input_ in inputs}
    for name in route.defaults:
        if name not in known:
            yield Misfit(_unknown(name, inputs), "defaults")
        elif name in route.always:
            yield Misfit(f"{{{name}}} is already in always", "defaults")
    matching_inputs = [input_ for input_ in inputs if input_.place_by(route) is InputPlace.WHOLE_BODY]
    for name in route.always:
        near = get_close_matches(name, list(known), n=1, cutoff=0.8) if name not in known else []
        if near:
            text = f"{{{name}}} is not an input of this operation, and is sent as it is; did you mean {near[0]}?"
            yield Misfit(text, "always", doubt=True)
        if name not in known and route.sends_in_body(name) and matching_inputs:
            yield Misfit(
                f"{{{matching_inputs[0].wire}}} is the whole body, so {{{name}}} cannot be sent; list it in query",
                "always",
            )
    if route.wrap and (route.method == "GET" or "" in route.wrap.split(".")):
        text = "a GET has no body" if route.method == "GET" else "a path is made of names with dots between them"
        yield Misfit(text, "wrap")
    if route.envelope and not route.wrap:
        yield Misfit("needs wrap, which names the member for the body", "envelope")
    elif route.wrap.partition(".")[0] in route.envelope:
        yield Misfit(f"{route.wrap.partition('.')[0]} is the member for the body", "envelope")


def _in_answers(operation: type[Request[Any]], route: Route) -> Iterator[Misfit]:
    places = route.answer or AnswerPlaces()
    paths = {"rows": places.rows, "next": places.next, "total": places.total}
    for part, path in (*paths.items(), *(("fields", value) for pair in places.fields.items() for value in pair)):
        if path and "" in path.split("."):
            yield Misfit("a path is made of names with dots between them", part)
    if not is_list(operation):
        for part, text in (("next", places.next), ("total", places.total), ("cursor", route.cursor)):
            if text:
                yield Misfit("applies only to operations that list", part)
    elif route.cursor and not places.next:
        yield Misfit("needs next, which says where the next page stands", "cursor")
    elif places.next not in {"", LINK, PAGE, OFFSET} and not route.cursor and CURSOR not in operation.declared_fields:
        reason = "only a URL can be followed; for a cursor, set cursor to the name of the input that takes it"
        yield Misfit(reason, "next", doubt=True)
    if route.may_be_empty and not _may_be_empty(operation):
        yield Misfit("applies only to operations that list", "empty")
    if route.confirms and operation.operation.effect is not Effect.CHANGE:
        yield Misfit("applies only to operations that change something", "answer")
    if places.fields and form_of(operation.answer_type()) not in {AnswerForm.LIST, AnswerForm.OBJECT}:
        yield Misfit("the operation answers with no record", "fields")
        return
    answer = operation.answer_type()
    lists = shape_of(answer).wires if form_of(answer) is AnswerForm.OBJECT and not is_list(operation) else {}
    for name in places.fields:
        wrong = None if name in lists else _wrong_path(record_type(operation), name)
        if wrong is not None:
            yield Misfit(wrong, "fields")


def _may_be_empty(operation: type[Request[Any]]) -> bool:
    """Return whether an empty list is an answer of an operation."""
    try:
        operation.read_answer(b"[]")
    except ValueError:
        return False
    return form_of(operation.answer_type()) in {AnswerForm.LIST, AnswerForm.OBJECT}


def _unwise(operation: type[Request[Any]], route: Route) -> Iterator[Misfit]:
    if operation.operation.effect is Effect.CHANGE and route.method == "GET":
        yield Misfit("changes something by a GET, which proxies may repeat or answer themselves", doubt=True)
    for input_ in operation.inputs():
        place = input_.place_by(route)
        if input_.secret and place in {InputPlace.PATH, InputPlace.QUERY} and place is not input_.place:
            yield Misfit(f"{{{input_.wire}}} is a secret; in the {place.value} it may be logged on its way", doubt=True)
        if route.method == "DELETE" and place in {InputPlace.BODY, InputPlace.WHOLE_BODY} and not _said(input_, route):
            text = (
                f"{{{input_.wire}}} is sent in the body of a DELETE, which some servers drop; list it in query instead"
            )
            yield Misfit(text, doubt=True)


def _wrong_path(kind: type[Record], path: str, *, entries: bool = True, deeper: bool = False) -> str | None:
    """Return what is wrong with a path to a field of a record, or None.

    With `entries`, a path must lead into lists by `[]`. Records keep unknown fields, so only a name that resembles
    a known one is wrong below the first.
    """
    first, _, rest = path.partition(".")
    name, brackets, more = first.partition(ENTRIES)
    wires = {wire: field for field in resolved_fields(kind).values() for wire in field.wires}
    if more or not name:
        return f"{first} is not a name"
    if name not in wires:
        if deeper and not get_close_matches(name, list(wires), n=1, cutoff=0.75):
            return None
        return f"{name} is not a field of {'the answer' if entries else 'the input'}{nearest(name, wires)}"
    return _wrong_below(wires[name].annotation, name, bool(brackets), rest, entries=entries)


def _wrong_below(annotation: Any, name: str, brackets: bool, rest: str, *, entries: bool = True) -> str | None:
    """Return what is wrong with the rest of a path below a value of this type, or None."""
    several = only_list(annotation)
    if brackets and not several:
        return f"{name} is not a list"
    if rest and several and not brackets and entries:
        return f"{name} is a list: write {name}{ENTRIES}.{rest}"
    inner = [item for item in items(annotation) if isinstance(item, type) and issubclass(item, Record)]
    return _wrong_path(inner[0], rest, entries=entries, deeper=True) if rest and inner else None
