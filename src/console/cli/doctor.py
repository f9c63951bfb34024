"""`console doctor`: whether a profile fits its deployment, operation by operation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from console.api.catalogue import catalogue
from console.cli.connection import Chosen, Where, choose, endpoint_of, logged_in, run_async
from console.cli.examination import AS_IT_SHOULD_BE, EVENTS, Finding, State, examine
from console.cli.exits import Exit, Failure
from console.cli.output import print_json
from console.client.endpoint import Endpoint
from console.frozen import replace
from console.text import clean


def doctor(*, seconds: float = 60.0, json: bool = False, where: Where = Where()) -> int:
    """Try everything a profile can be asked that changes nothing, and say what works and what does not.

    Operations are asked about what other answers named: `users.get` about a user that `users.list` gave. Of each it is
    said whether it works, is refused, is answered in another shape than declared (with field and fault), is not bound
    (the service has nothing there), is not offered (by variant, profile or routes file), or could not be tried. The
    event channel is tried as well. A session is started for it, and ended; nothing else is changed.

    Exit codes: 0 when all is as it should be, 1 when something is not, 2 for a faulty profile or routes file, 3 when
    the service cannot be reached, 4 when the login is refused.

    Parameters
    ----------
    seconds
        How long it may take in all.
    json
        Print what was found as JSON.
    """
    if seconds <= 0:
        raise Failure(Exit.USAGE, "--seconds must be more than 0")
    chosen = choose(where)
    # Nothing here asks for a change; that none can get through all the same is for the client to see to.
    careful = replace(chosen, profile=replace(chosen.profile, read_only=True))
    endpoint = endpoint_of(careful.profile)
    found = run_async(lambda: _examined(careful, seconds))
    if json:
        print_json(_report(careful, endpoint, found))
    else:
        _print(found, endpoint)
    return _exit(found)


async def _examined(chosen: Chosen, seconds: float) -> tuple[Finding, ...]:
    async with logged_in(chosen) as client:
        return await examine(client, seconds, channel=chosen.profile.events not in {"auto", "off"})


def _exit(found: Sequence[Finding]) -> Exit:
    asked = [each for each in found if each.seconds is not None or each.state is State.UNREACHABLE]
    if asked and all(each.state is State.UNREACHABLE for each in asked):
        return Exit.CONNECTION
    return Exit.OK if all(each.state in AS_IT_SHOULD_BE for each in found) else Exit.FAILED


def _print(found: Sequence[Finding], endpoint: Endpoint) -> None:
    width = max(len(each.name) for each in found)
    for each in sorted(found, key=lambda each: list(State).index(each.state)):
        route = f" ({_route(each, endpoint)})" if each.state is State.NOT_BOUND and each.name != EVENTS else ""
        line = f"{each.name:<{width}}  {each.state.value:<13}  {each.reason}{route}".rstrip()
        print(clean(line, 1000))
        for one in each.differences:
            where = f"{one.place}: " if one.place else ""
            times = f" (in {one.times} places)" if one.times > 1 else ""
            print(clean(f"{'':<{width}}  {where}{one.words}{times}", 1000))
    counts = Counter(each.state for each in found)
    print(", ".join(f"{counts[state]} {state.value}" for state in State if counts[state]))


def _route(finding: Finding, endpoint: Endpoint) -> str:
    route = endpoint.route(catalogue()[finding.name].operation)
    return f"{route.method} {route.template}"


def _report(chosen: Chosen, endpoint: Endpoint, found: Sequence[Finding]) -> dict[str, Any]:
    profile = chosen.profile
    return {
        "profile": chosen.name,
        "core": profile.core,
        "provisioning": profile.provisioning,
        "variant": profile.variant,
        "provisioningVariant": profile.provisioning_variant,
        "counts": {state.value: sum(each.state is state for each in found) for state in State},
        "findings": [_entry(each, endpoint) for each in found],
    }


def _entry(finding: Finding, endpoint: Endpoint) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": finding.name, "state": finding.state.value, "reason": finding.reason}
    if finding.name != EVENTS and finding.state is not State.NOT_OFFERED:
        entry["route"] = _route(finding, endpoint)
    entry["differences"] = [
        {"place": each.place, "words": each.words, "times": each.times} for each in finding.differences
    ]
    entry["seconds"] = None if finding.seconds is None else round(finding.seconds, 3)
    return entry
