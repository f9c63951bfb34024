"""Bring what a deployment sends into the contract's form, before anything else reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from console.api.request import Request
from console.api.route import Route
from console.client.answer_paths import in_contract_form
from console.client.endpoint import Endpoint
from console.client.fetched import LARGE


async def adapted(request: Request[Any], endpoint: Endpoint, body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return the body of a successful answer in the contract's form; the same object if the deployment has no other.

    Large bodies are converted off the event loop. `headers` have names in lower case. Raise ValueError for a body that
    cannot be converted.
    """
    route = endpoint.route(request.operation)
    if route.answer is None:
        return body
    if len(body) > LARGE:
        return await asyncio.to_thread(_converted, request, route, body, headers)
    return _converted(request, route, body, headers)


def _converted(request: Request[Any], route: Route, body: bytes, headers: Mapping[str, str]) -> bytes:
    return in_contract_form(request, route, body, headers)
