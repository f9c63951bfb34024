"""`console call`: any operation of the contract, with inputs as `field=value`."""

from __future__ import annotations

import json as json_text
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args, get_origin

from cyclopts import Parameter
from pydantic import ValidationError

from console.api.annotations import Access
from console.api.catalogue import catalogue
from console.api.inputs import Input
from console.api.request import Request
from console.api.values import allows_list, items, only_list
from console.cli.confirmation import confirm
from console.cli.connection import Where, choose, logged_in, make_client, run_async
from console.cli.exits import Exit, Failure
from console.cli.output import one_line, print_json, talk
from console.client.client import Fetched
from console.client.endpoint import Endpoint
from console.live.listing import parse
from console.records.secrets import MASK, is_secret, without_secrets
from console.records.structured import STRICT
from console.settings import nearest
from console.toml_source import ConfigFault


def call(
    operation: Annotated[str, Parameter(name="OPERATION")],
    /,
    *fields: Annotated[str, Parameter(name="FIELD=VALUE", allow_leading_hyphen=True)],
    json: str | None = None,
    dry_run: bool = False,
    yes: bool = False,
    jsonl: bool = False,
    where: Where = Where(),
) -> int:
    """Call one operation of the API.

    A value is text, a number or true/false, depending on the input. A list is a JSON array, `field=[…]`, or the field
    repeated for each entry; `field=[]` is the empty list. `field=null` sends null if the input allows it, and `field=`
    sends the empty text; omitted fields are not sent. `field:=JSON` takes any JSON, such as the text `field:='"null"'`.
    `field=@FILE` reads the value from a file, and `field=@-` from standard input; pass secrets this way. `console
    operations NAME` lists the inputs of an operation.

    Parameters
    ----------
    operation
        Name of the operation, such as `groups.create`.
    fields
        Inputs of the operation.
    json
        Inputs as a JSON object; fields override its entries. `@FILE` and `@-` work here too.
    dry_run
        Print the request instead of sending it.
    yes
        Do not ask for confirmation. The command only asks at a terminal.
    jsonl
        Print one entry of a list per line.
    """
    known = catalogue()
    if operation not in known:
        raise Failure(Exit.USAGE, f"unknown operation {operation!r}{nearest(operation, known)}")
    request = make_request(known[operation], fields, json)
    if dry_run:
        _print_plan(request, where)
        return Exit.OK
    confirm(request, yes=yes)
    fetched = run_async(lambda: _call(request, where))
    _print_answer(request, fetched, jsonl)
    missing = _passed_over(request, fetched)
    if missing:
        talk(f"not found: {', '.join(missing)}")
        return Exit.FAILED
    return Exit.OK


async def _call(request: Request[Any], where: Where) -> Fetched:
    """Send the request, and return the unparsed answer if it is what the operation returns."""
    chosen = choose(where)
    if request.operation.access is Access.ANYONE:
        client = make_client(chosen.endpoint)
        try:
            return (await client.ask(request, exact=True)).fetched
        finally:
            await client.close()
    async with logged_in(chosen) as client:
        return (await client.ask(request, exact=True)).fetched


def _print_answer(request: Request[Any], fetched: Fetched, lines: bool) -> None:
    try:
        data = parse(fetched.body)
    except ValueError:
        # The contract has bare words as answers of some operations (1.7).
        data = fetched.body.decode("utf-8", errors="replace")
    unwrap = request.operation.unwrap
    if unwrap is not None and isinstance(data, Mapping) and unwrap in data:
        data = cast("Mapping[str, Any]", data)[unwrap]
    print_json(data, lines=lines)


def _passed_over(request: Request[Any], fetched: Fetched) -> tuple[str, ...]:
    """Return the requested names that are missing in the answer; empty if it cannot be parsed."""
    try:
        return request.passed_over(request.read_answer(fetched.body))
    except ValueError:
        return ()


def _print_plan(request: Request[Any], where: Where) -> None:
    """Print the request without secrets."""
    lacking = None
    try:
        endpoint = choose(where).endpoint
        lacking = endpoint.lacks(request.operation)
    except ConfigFault as fault:
        if any(each.file is not None for each in fault.problems):
            raise
        endpoint = Endpoint(core="")
    shown = request.model_copy(
        update={
            each.field: MASK for each in request.inputs() if each.secret and getattr(request, each.field) is not None
        }
    )
    operation = request.operation
    if lacking is not None:
        raise Failure(Exit.USAGE, f"{operation.name}: {lacking}")
    try:
        out = shown.outgoing(endpoint.route(operation), endpoint.variant_of(operation.service))
    except ValueError as error:
        raise Failure(Exit.USAGE, f"{operation.name} cannot be sent: {error}") from None
    plan: dict[str, Any] = {"method": out.method, "url": (endpoint.base(operation.service) or "") + out.path}
    if out.query:
        plan["query"] = [[name, MASK if is_secret(name) else value] for name, value in out.query]
    if out.body is not None:
        plan["body"] = without_secrets(json_text.loads(out.body))
    print(one_line(plan))


# -- parsing of inputs -----------------------------------------------------------------------------------------------


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
        return Path(os.path.expanduser(reference[1:])).read_text(encoding="utf-8")
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
