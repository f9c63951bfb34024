"""Bring what a deployment sends into the contract's form, before anything else reads it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from console.api.request import Request
from console.api.route import Route
from console.client.answer_paths import in_contract_form
from console.client.endpoint import Endpoint
from console.client.fetched import LARGE
from console.client.state_names import with_known_states

# Whole JSON strings: inside another string, quotation marks have a backslash before them. A colon follows a name.
_TEXT = re.compile(
    rb'(?<!\\)"([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)"(?!\s*:)'
)
_PARTS = re.compile(rb"\[\s*((?:19|20)[0-9]{2}(?:\s*,\s*[0-9]{1,2}){4,5}(?:\s*,\s*[0-9]{1,9})?)\s*\]")
"""A list of year, month, day, hour, minute, perhaps second and nanosecond, as Java writes it."""


def with_zone(body: bytes, zone: ZoneInfo) -> bytes:
    """Return JSON whose times without a zone have the offset that this zone had then. Other text is unchanged."""

    def of_text(match: re.Match[bytes]) -> bytes:
        return _written(match[1].decode(), zone) or match[0]

    def of_parts(match: re.Match[bytes]) -> bytes:
        year, month, day, hour, minute, *rest = map(int, match[1].split(b","))
        second, ns = (*rest, 0, 0)[:2]
        text = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ns // 1_000:06}"
        return _written(text, zone) or match[0]

    return _PARTS.sub(of_parts, _TEXT.sub(of_text, body))


def _written(text: str, zone: ZoneInfo) -> bytes | None:
    try:
        moment = datetime.fromisoformat(text).replace(tzinfo=zone)
    except ValueError:
        return None
    return None if moment.year < 1900 else f'"{moment.isoformat()}"'.encode()


async def adapted(request: Request[Any], endpoint: Endpoint, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Convert a successful answer to the contract's form, for a deployment with another form.

    Large bodies are converted off the event loop. `headers` have names in lower case. Raise ValueError for a body that
    cannot be converted.
    """
    route = endpoint.route(request.operation)
    words = endpoint.words_of(request.operation)
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
