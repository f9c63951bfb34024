"""A second foreign deployment, which differs from the contract in everything that a profile and a routes file can say.

TLS by its own authority; one prefix; a token endpoint of its own with client secret, form body and lifetime; a static
header; another header for the token; requests in an envelope; rows, totals and next pages elsewhere, in six ways; at
most 100 rows a page, and two or three in some lists; other names of fields, also inside lists and requests; ids that
are numbers in both directions, numbers and flags as text; times as seconds, microseconds and ISO 8601; durations in
seconds and minutes, also in requests; other words for states and roles; other addresses; one list of alerts; a second
service; and a stream of server-sent events that only says what has changed.

The console knows it only from `contrary.toml` in this folder and a profile. Its data are in `contrary_data`, its
operations in `contrary_lists` and `contrary_changes`.
"""

from __future__ import annotations

import asyncio
import base64
import socket
import threading
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any, cast
from urllib.parse import parse_qs, unquote

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from tests.client.certificates import Authority
from tests.patience import PATIENCE
from tests.third_party.contrary_changes import CHANGES, Refused
from tests.third_party.contrary_data import Contrary
from tests.third_party.contrary_lists import LISTS, STAFF_LISTS, Handler, error
from tests.third_party.contrary_words import Json

ROUTES = Path(__file__).parent / "contrary.toml"
PASSWORD, CLIENT_SECRET = "correct horse", "s3cret-of-the-desk"


def _app(data: Contrary) -> Starlette:
    async def token(request: Request) -> Response:
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        data.asked.append(("POST", request.url.path, sorted(form)))
        basic = base64.b64encode(f"desk:{CLIENT_SECRET}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {basic}":
            return JSONResponse({"error": "invalid_client"}, 401)
        who = None
        if form.get("grant_type") == "refresh_token":
            who = data.tokens.pop(form.get("refresh_token", ""), None)
        elif form.get("password") == PASSWORD:
            names = {each["login"]["name"]: uid for uid, each in data.people.items()}
            who = names.get(form.get("username", ""))
        if who is None:
            return JSONResponse({"error": "invalid_grant", "error_description": "wrong name or password"}, 400)
        access, refresh = f"xaccess-{len(data.tokens)}-{who}", f"xrefresh-{len(data.tokens)}-{who}"
        data.tokens |= {access: who, refresh: who}
        return JSONResponse(
            {"access_token": access, "token_type": "bearer", "expires_in": 3600, "refresh_token": refresh}
        )

    def guarded(handler: Handler) -> Any:
        async def endpoint(request: Request) -> Response:
            body: Any = await request.json() if await request.body() else None
            query = f"?{unquote(request.url.query)}" if request.url.query else ""
            data.asked.append((request.method, f"{request.url.path}{query}", body))
            if request.headers.get("X-Tenant") != "7":
                return error("which tenant?")
            scheme, _, key = request.headers.get("X-Session-Key", "").partition(" ")
            if scheme != "Token" or key not in data.tokens:
                return error("no valid key", 401)
            if request.method in {"POST", "PUT", "PATCH"} and (
                not isinstance(body, dict) or list(cast(Json, body)) != ["request"]
            ):
                return error("the request has no envelope")
            try:
                inner = cast("Json", body["request"] if body else {})
                answer = handler(data, request, inner, data.tokens[key])
            except Refused as refusal:
                return error(str(refusal))
            return answer if isinstance(answer, Response) else JSONResponse(answer)

        return endpoint

    def routes(handlers: Mapping[tuple[str, str], Handler]) -> list[Route]:
        return [Route(path, guarded(handler), methods=[method]) for (method, path), handler in handlers.items()]

    async def feed(request: Request) -> Response:
        if request.query_params.get("key") not in data.tokens:
            return error("no valid key", 401)
        data.loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str] = asyncio.Queue()
        data.streams.add(queue)
        if data.greeting:
            queue.put_nowait(data.greeting)

        async def lines() -> AsyncGenerator[str]:
            yield ": welcome\r\n\r\nevent: noise\r\ndata: not json\r\n\r\n"
            try:
                while True:
                    yield f'id: 1\r\ndata: {{"changed":\r\ndata: {{"path": "{await queue.get()}"}}}}\r\n\r\n'
            finally:
                data.streams.discard(queue)

        return StreamingResponse(lines(), media_type="text/event-stream")

    return Starlette(
        routes=[
            Route("/idp/token", token, methods=["POST"]),
            Route("/pbx/feed", feed),
            Mount("/pbx/v3", routes=routes({**LISTS, **CHANGES})),
            Mount("/hr", routes=routes(STAFF_LISTS)),
        ]
    )


@dataclass(frozen=True)
class Running:
    """The running deployment."""

    url: str
    data: Contrary
    authority: Path

    @property
    def settings(self) -> str:
        """The keys of its profile, as a person writes them from the description above."""
        return dedent(
            f"""\
            core = "{self.url}/pbx/v3"
            provisioning = "{self.url}/hr"
            routes = "{ROUTES}"
            tls_ca = "{self.authority}"
            username = "eva"
            headers = {{ X-Tenant = "7" }}
            present = {{ header = "X-Session-Key", scheme = "Token" }}
            page_size = 400
            addresses = {{ user = "wac-user:{{id}}", group = "wac-group:{{id}}" }}
            states.calls = {{ TALKING_NOW = "connected", InQueue = "queued" }}
            states.conferences = {{ LIVE = "active", DONE = "ended", BROKEN = "failed" }}
            states.presence = {{ lunch-break = "away", in-peace = "dnd", boss = "admin", member = "user" }}
            states.agents = {{ lunch-break = "away" }}
            states.alerts = {{ RINGING = "active", TAKEN = "accepted", GONE = "expired", PULLED = "canceled" }}
            states.alarms = {{ SEV1 = "critical", SEV3 = "minor" }}
            states.users = {{ boss = "admin", member = "user", visitor = "anonymous" }}
            states.groups = {{ ALL_AT_ONCE = "simultaneous" }}
            states.recordings = {{ CALL = "call" }}
            states.deliveries = {{ LOST = "dead", MAIL = "email" }}
            states.notifications = {{ SIREN = "alert", TALK = "chat" }}

            [profiles.contrary.login]
            url = "{self.url}/idp/token"
            client_id = "desk"
            client_secret_command = ["cat", "{self.authority.parent / "secret"}"]

            [profiles.contrary.channel]
            url = "{self.url}/pbx/feed"
            token = {{ query = "key" }}
            resource = "changed.path"
            [profiles.contrary.channel.lists]
            "/calls" = ["calls"]
            "/sirens" = ["alerts", "templates"]
            "/teams" = ["groups"]
            "/crew" = ["agents", "skills", "users"]
            "/talks" = ["chats", "agents"]
            "/offers" = ["notifications", "chats"]
            "/missed" = ["missed-calls"]
            "/around" = ["presence"]
            "/logins" = ["sessions"]
            "/people" = ["users"]
            """
        )

    @property
    def config(self) -> str:
        """A configuration with its profile."""
        return f'profile = "contrary"\n[profiles.contrary]\n{self.settings}'


@contextmanager
def running(folder: Path, now: int | None = None) -> Generator[Running]:
    """Serve the deployment over TLS on a thread and a free port within the block.

    Its data are of the time `now`, in seconds since the epoch, or of the current one.
    """
    authority = Authority(folder)
    certificate, key = authority.leaf("contrary")
    (folder / "secret").write_text(f"{CLIENT_SECRET}\n", encoding="utf-8")
    data = Contrary() if now is None else Contrary(now)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            _app(data),
            log_level="error",
            lifespan="off",
            timeout_graceful_shutdown=1,
            ssl_certfile=certificate,
            ssl_keyfile=key,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
        thread.start()
        try:
            yield Running(f"https://127.0.0.1:{listener.getsockname()[1]}", data, authority.file)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
