"""Bring what a deployment sends into the contract's form, before anything else reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from console.api.request import Request
from console.api.route import Route
from console.client.answer_paths import in_contract_form
from console.client.endpoint import Endpoint
from console.client.fetched import LARGE
from console.client.local_times import with_zone
from console.client.state_names import with_known_states


async def adapted(request: Request[Any], endpoint: Endpoint, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return the body of a successful answer in the contract's form; the same object if the deployment has no other.

    Large bodies are converted off the event loop. `headers` have names in lower case. Raise ValueError for a body that
    cannot be converted.
    """
    route = endpoint.route(request.operation)
    words = endpoint.words_of(request.operation)
    if route.answer is None and not words and endpoint.times is None:
        return body
    convert = partial(_converted, request, route, words, endpoint.times, body, headers)
    return await asyncio.to_thread(convert) if len(body) > LARGE else convert()


def _converted(
    request: Request[Any],
    route: Route,
    words: Mapping[str, str],
    times: ZoneInfo | None,
    body: bytes,
    headers: Mapping[str, str],
) -> bytes:
    body = with_zone(body, times) if times is not None else body
    converted = in_contract_form(request, route, body, headers) if route.answer is not None else body
    return with_known_states(converted, words) if words else converted
