"""A foreign deployment: a small server that shares only the contract with the embedded service.

It implements the earlier variant with its spellings, has other routes than the declared ones, expects credentials in
another form, refuses with other shapes and status codes, answers many changes with an empty body, and has no event
channel. The console knows it only from `routes.toml` in this folder and a profile.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from tests.patience import PATIENCE
from tests.third_party.answers import FOLK, OPEN, VOICE, Asked, Handler
from tests.third_party.platform import Json, Platform, Received
from tests.third_party.refusals import No

ROUTES = Path(__file__).parent / "routes.toml"
HEADER, SCHEME, QUERY = "X-Platform-Key", "Ticket", "pass"


def _endpoint(platform: Platform, handler: Handler, shown: Callable[[Request], str | None] | None) -> Any:
    async def endpoint(request: Request) -> Response:
        content = await request.body()
        body: Any = json.loads(content) if content else {}
        platform.received.append(
            Received(
                request.method,
                request.url.path,
                tuple(request.query_params.multi_items()),
                body if content else None,
                dict(request.headers),
            )
        )
        me: Json = {}
        if shown is not None:
            session = platform.sessions.get(shown(request) or "")
            if session is None:
                # Neither 401 nor 403: a status of this deployment alone.
                return JSONResponse({"message": "your ticket is not valid"}, 440)
            me = platform.people[session["who"]]
        try:
            answer = handler(Asked(platform, me, request.path_params, request.query_params, body))
        except No as no:
            return no.response
        return answer if isinstance(answer, Response) else JSONResponse(answer)

    return endpoint


def _in_header(request: Request) -> str | None:
    scheme, _, token = request.headers.get(HEADER, "").partition(" ")
    return token if scheme == SCHEME else None


def _in_query(request: Request) -> str | None:
    return request.query_params.get(QUERY)


def make_app(platform: Platform) -> Starlette:
    """Return the deployment's application: the core service below `/voice/v0`, provisioning below `/hr`."""

    async def nowhere(request: Request, _error: Exception) -> Response:
        platform.received.append(Received(request.method, request.url.path, (), None, dict(request.headers)))
        return HTMLResponse("<html><h1>Nothing to see here</h1></html>", 404)

    def mounted(table: Mapping[tuple[str, str], Handler], shown: Callable[[Request], str | None] | None) -> list[Route]:
        return [
            Route(path, _endpoint(platform, handler, shown), methods=[method])
            for (method, path), handler in table.items()
        ]

    return Starlette(
        routes=[
            Mount("/voice/v0", routes=[*mounted(OPEN, None), *mounted(VOICE, _in_header)]),
            Mount("/hr", routes=mounted(FOLK, _in_query)),
        ],
        exception_handlers={404: cast(Any, nowhere), 405: cast(Any, nowhere)},
    )


@dataclass(frozen=True)
class Deployment:
    """A running deployment."""

    url: str
    platform: Platform

    def profile(self, more: str = "") -> str:
        """Return a configuration with one profile for it; `more` are further keys of the profile."""
        return dedent(
            f"""\
            profile = "far"
            [profiles.far]
            core = "{self.url}/voice/v0"
            provisioning = "{self.url}/hr"
            username = "eva"
            variant = "earlier"
            provisioning_variant = "earlier"
            routes = "{ROUTES}"
            present = {{ header = "{HEADER}", scheme = "{SCHEME}" }}
            provisioning_present = {{ query = "{QUERY}" }}
            statuses = {{ 440 = "login", 423 = "conflict" }}
            {more}
            """
        )


class Host:
    """A server for deployments one after the other: starting one for each takes a third of a second."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._app: Starlette | None = None

    def anew(self) -> Deployment:
        """Replace the deployment by a new one."""
        platform = Platform()
        self._app = make_app(platform)
        return Deployment(self._url, platform)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with the current deployment."""
        assert self._app is not None
        await self._app(scope, receive, send)


@contextmanager
def hosting() -> Generator[Host]:
    """Serve deployments on a thread and a free port within the block."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        host = Host(f"http://127.0.0.1:{listener.getsockname()[1]}")
        server = uvicorn.Server(uvicorn.Config(host, log_level="warning", lifespan="off", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
        thread.start()
        try:
            yield host
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
