"""`console call`: any operation of the contract, with inputs as `field=value`."""

from __future__ import annotations

import json as json_text
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any, cast

from console.api.annotations import Access, Guard
from console.api.catalogue import catalogue
from console.api.errors import Accepted
from console.api.outgoing import outgoing
from console.api.request import Request
from console.base.secrets import MASK, is_secret, without_secrets
from console.base.text import clean
from console.cli.completers import completed_by
from console.cli.connection import PatientClient, Where, add_where, choose, logged_in, make_client, run_async
from console.cli.exits import Exit, Failure
from console.cli.lists.typed_inputs import make_request
from console.cli.output import one_line, print_json, talk
from console.client.adaptation import with_own_states
from console.client.client import Client, Fetched
from console.client.endpoint import Endpoint
from console.config.settings import nearest
from console.config.toml_source import ConfigFault
from console.live.listing import parse

WAIT_SECONDS = 10.0
"""How long a change that was only accepted is waited for, unless `--wait` says otherwise."""


def declare_call(parser: ArgumentParser) -> None:
    """Declare `console call`."""
    operation = parser.add_argument(
        "operation", metavar="OPERATION", help="Name of the operation, such as groups.create."
    )
    completed_by(operation, catalogue)
    parser.add_argument("fields", metavar="FIELD=VALUE", nargs="*", default=[], help="Inputs of the operation.")
    parser.add_argument(
        "--json",
        metavar="TEXT",
        help="Inputs as a JSON object; fields override its entries. @FILE and @- work here too.",
    )
    parser.add_argument("--dry-run", action="store_true", help="Print the request instead of sending it.")
    parser.add_argument(
        "--yes", action="store_true", help="Do not ask for confirmation. The command only asks at a terminal."
    )
    parser.add_argument("--jsonl", action="store_true", help="Print one entry of a list per line.")
    parser.add_argument(
        "--wait",
        type=float,
        metavar="NUMBER",
        default=WAIT_SECONDS,
        help=(
            "Seconds to wait for a change that the service accepts without having done it (202), until its record "
            "shows it. The command exits with 1 if that is not known. Default: %(default)s."
        ),
    )
    add_where(parser)
    parser.set_defaults(run=call)


def call(
    *,
    operation: str,
    fields: Sequence[str],
    json: str | None,
    dry_run: bool,
    yes: bool,
    jsonl: bool,
    wait: float,
    where: Where,
) -> int:
    """Call one operation of the API.

    A value is text, a number or true/false, depending on the input. A list is a JSON array, `field=[…]`, or the field
    repeated for each entry; `field=[]` is the empty list. `field=null` sends null if the input allows it, and `field=`
    sends the empty text; omitted fields are not sent. `field:=JSON` takes any JSON, such as the text `field:='"null"'`.
    `field=@FILE` reads the value from a file, and `field=@-` from standard input; pass secrets this way. `console
    operations NAME` lists the inputs of an operation.
    """
    known = catalogue()
    if operation not in known:
        raise Failure(Exit.USAGE, f"unknown operation {operation!r}{nearest(operation, known)}")
    request = make_request(known[operation], fields, json)
    if dry_run:
        _print_plan(request, where)
        return Exit.OK
    confirm(request, yes=yes)
    fetched = run_async(lambda: _call(request, where, wait))
    if fetched is None:
        talk("accepted by the service, then done: its record shows the change")
        return Exit.OK
    _print_answer(request, fetched, jsonl)
    missing = _passed_over(request, fetched)
    if missing:
        talk(f"not found: {', '.join(missing)}")
        return Exit.FAILED
    return Exit.OK


async def _call(request: Request[Any], where: Where, wait: float) -> Fetched | None:
    """Send the request, and return the unparsed answer if it is what the operation returns.

    Return None for a change that was only accepted, and shown by its record within `wait` seconds.
    """
    chosen = choose(where)
    if request.operation.access is Access.ANYONE:
        client = make_client(chosen.endpoint)
        try:
            return await _answer(client, request)
        finally:
            await client.close()
    async with logged_in(chosen, PatientClient) as client:
        try:
            return await _answer(client, request)
        except Accepted as error:
            if wait <= 0:
                raise
            # Takes 120 ms, and few services answer 202.
            from console.cli.lists.reading_back import is_done_within

            is_done = await is_done_within(request, client, chosen, wait)
            if is_done:
                return None
            text = f"{error.reason} after {wait:g} s" if is_done is False else error.reason
            raise Accepted(text, operation=error.operation, status=error.status) from error


async def _answer(client: Client, request: Request[Any]) -> Fetched:
    fetched = await client.fetch(request, exact=True)
    # Raises an error for an answer of another type than the operation's.
    await client.read(request, fetched)
    return fetched


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
        if any(problem.file is not None for problem in fault.problems):
            raise
        endpoint = Endpoint(core="")
    copied = request.model_copy(
        update={
            input_.field: MASK
            for input_ in request.inputs()
            if input_.secret and getattr(request, input_.field) is not None
        }
    )
    operation = request.operation
    if lacking is not None:
        raise Failure(Exit.USAGE, f"{operation.name}: {lacking}")
    try:
        route, words = endpoint.route(operation), endpoint.words_of(operation)
        out = outgoing(copied, route, endpoint.variant_of(operation.service))
        out = with_own_states(out, words, route) if words else out
    except ValueError as error:
        raise Failure(Exit.USAGE, f"{operation.name} cannot be sent: {error}") from None
    plan: dict[str, Any] = {"method": out.method, "url": (endpoint.base(operation.service) or "") + out.path}
    if out.query:
        plan["query"] = [[name, MASK if is_secret(name) else value] for name, value in out.query]
    if out.body is not None:
        plan["body"] = without_secrets(json_text.loads(out.body))
    print(one_line(plan))


def confirm(request: Request[Any], *, yes: bool) -> None:
    """Ask for confirmation of a wide or mass change at a terminal without `--yes`.

    Raise Failure if the answer is no. Without a terminal on both sides, the change is sent.
    """
    guarded = request.guarded(undoable=False)
    if yes or guarded < Guard.WIDE or not at_a_terminal():
        return
    word = clean(request.record_key(), 60) if guarded is Guard.MASS else "yes"
    change = request.operation.change
    warning = (change.warning if change is not None else "") or f"{request.operation.title}."
    print(f"{request.operation.name}: {clean(request.record_key(), 60)}", file=sys.stderr)
    print(f"{warning} This cannot be undone.", file=sys.stderr)
    print(f"Type {word} to continue: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() != word.casefold():
        raise Failure(Exit.FAILED, "not confirmed: nothing was sent")


def at_a_terminal() -> bool:
    """Return whether a person can be asked, and can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()
