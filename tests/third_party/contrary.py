"""A second foreign deployment, which differs from the contract in everything that a profile and a routes file can say.

TLS by its own authority; one prefix; a token endpoint of its own with client secret, form body, Retry-After and
lifetime; a static header; another header for the token; requests in an envelope; rows, totals and next pages elsewhere,
in four ways; at most 100 rows a page; other names of fields; ids that are numbers, numbers and flags as text; times as
seconds, microseconds and ISO 8601; other words for states; other addresses; a stream of server-sent events that only
says what has changed; and a portal that answers everything with its login page when it is switched on.

The console knows it only from `contrary.toml` in this folder and a profile.
"""

from __future__ import annotations

import asyncio
import base64
import socket
import threading
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import Any, cast
from urllib.parse import parse_qs

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from tests.client.certificates import Authority

ROUTES = Path(__file__).parent / "contrary.toml"
PASSWORD, CLIENT_SECRET = "correct horse", "s3cret-of-the-desk"
MOST = 100
"""Most rows of a page."""
PORTAL = "<html><head><title>Sign in</title></head><body><input type='password'></body></html>"

Json = dict[str, Any]


def iso(seconds: float) -> str:
    """Return a moment as ISO 8601 with another zone than UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Contrary:
    """All data of the deployment. Times in s since the epoch; the answers have others."""

    now: int = field(default_factory=lambda: int(time.time()))
    people: dict[int, Json] = field(default_factory=dict[int, Json])
    calls: dict[int, Json] = field(default_factory=dict[int, Json])
    teams: dict[str, Json] = field(default_factory=dict[str, Json])
    sirens: dict[str, Json] = field(default_factory=dict[str, Json])
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    """User by access or refresh token."""
    asked: list[tuple[str, str, Any]] = field(default_factory=list[tuple[str, str, Any]])
    """Method, path and body of each request."""
    portal: bool = False
    """Whether a portal answers instead of the service."""
    too_many: int = 0
    """Number of requests at the token endpoint that are refused as too many."""
    streams: set[asyncio.Queue[str]] = field(default_factory=set[asyncio.Queue[str]])
    greeting: str = ""
    """A hint for each new stream."""
    loop: asyncio.AbstractEventLoop | None = None

    def __post_init__(self) -> None:
        for number in range(1, 151):
            self.people[number] = {
                "uid": number,
                "login": {"name": {1: "eva", 2: "ana", 3: "bob"}.get(number, f"user{number}")},
                "realm": "far.example" if number % 5 else "other.example",
                "level": "admin" if number == 1 else "user",
                "shown": f"Person {number}",
                "since": (self.now - number * 86_400) * 1_000_000,
            }
        states = ("TALKING_NOW", "InQueue", "leavesqueue", "webrtcerror", "normal", "connected")
        for number in range(1, 231):
            state = states[number % len(states)]
            over = state in {"leavesqueue", "webrtcerror", "normal"} or number % 12 == 5
            self.calls[number] = {
                "cid": number,
                "status": state,
                "src": f"+3460000{number:04}" if number % 2 else f"wac-user:{number % 150 + 1}",
                "dst": f"wac-user:{(number * 7) % 150 + 1}",
                "began": str(self.now - number * 30),
                "ended": self.now - number * 30 + 20 if over else None,
                "parties": [(number * 7) % 150 + 1],
                "place": str(number % 4) if state == "InQueue" else None,
            }
        for number in range(1, 4):
            self.teams[f"t{number}"] = {
                "code": f"t{number}",
                "caption": f"Team {number}",
                "crew": [number, number + 1, number + 2],
                "boss": {"uid": 1, "login": {"name": "eva"}, "realm": "far.example"},
            }
        for number in range(1, 4):
            self.sirens[f"s{number}"] = {
                "alertId": f"s{number}",
                "from": 2,
                "title": f"Line {number} down",
                "payload": "the trunk is silent",
                "createdAt": iso(self.now - number * 60),
                "state": "active",
            }

    def tell(self, what: str) -> None:
        """Send a hint to all streams."""
        if self.loop is not None:
            for each in list(self.streams):
                self.loop.call_soon_threadsafe(each.put_nowait, what)


def _app(data: Contrary) -> Starlette:
    async def token(request: Request) -> Response:
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        data.asked.append(("POST", request.url.path, sorted(form)))
        if data.portal:
            return HTMLResponse(PORTAL)
        if data.too_many:
            data.too_many -= 1
            return JSONResponse({"error": "slow_down"}, 429, {"Retry-After": "1"})
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

    def guarded(handler: Any) -> Any:
        async def endpoint(request: Request) -> Response:
            body = await request.json() if await request.body() else None
            data.asked.append((request.method, request.url.path, body))
            if data.portal:
                return HTMLResponse(PORTAL)
            if request.headers.get("X-Tenant") != "7":
                return JSONResponse({"error": {"text": "which tenant?"}}, 400)
            scheme, _, key = request.headers.get("X-Session-Key", "").partition(" ")
            if scheme != "Token" or key not in data.tokens:
                return JSONResponse({"error": {"text": "no valid key"}}, 401)
            if request.method in {"POST", "PUT"} and (
                not isinstance(body, dict) or list(cast(Json, body)) != ["request"]
            ):
                return JSONResponse({"error": {"text": "the request has no envelope"}}, 400)
            answer = handler(request, body["request"] if body else {}, data.tokens[key])
            return answer if isinstance(answer, Response) else JSONResponse(answer)

        return endpoint

    def too_large(size: int) -> Response | None:
        if size > MOST:
            return JSONResponse({"error": {"text": f"most must not be greater than {MOST}"}}, 400)
        return None

    def me(_request: Request, _body: Json, who: int) -> Any:
        return {"result": {"person": data.people[who]}}

    def people(request: Request, _body: Json, _who: int) -> Any:
        size, start = int(request.query_params.get("most", 20)), int(request.query_params.get("from", 0))
        rows = list(data.people.values())[start : start + size]
        more = start + size < len(data.people)
        following = f"/pbx/v3/people?most={size}&from={start + size}" if more else None
        return too_large(size) or {"people": rows, "links": {"next": following}}

    def query(_request: Request, body: Json, _who: int) -> Any:
        size, start = int(body.get("most", 20)), int(body.get("skip", 0))
        found = list(data.calls.values()) if body.get("what") == "calls" else []
        rows = [{name: value for name, value in each.items() if value is not None} for each in found]
        return too_large(size) or {"result": {"items": rows[start : start + size], "count": len(found)}}

    def teams(request: Request, _body: Json, _who: int) -> Any:
        size, start = int(request.query_params.get("most", 2)), int(request.query_params.get("after", 0))
        if (wrong := too_large(size)) is not None:
            return wrong
        rows = list(data.teams.values())[start : start + 2]
        link = f'<{request.url.path}?after={start + 2}>; rel="next"' if start + 2 < len(data.teams) else ""
        return JSONResponse(rows, headers={"Link": link} if link else {})

    def crew(_request: Request, _body: Json, _who: int) -> Any:
        return {
            "crew": [
                {"id": n, "displayName": data.people[n]["shown"], "activity": "on-the-phone", "online": "true"}
                for n in (2, 3)
            ]
        }

    def presence(_request: Request, _body: Json, _who: int) -> Any:
        doing = {1: "available", 2: "on-the-phone", 3: "lunch-break"}
        return [
            {"id": str(n), "address": f"wac-user:{n}", "online": "1" if n in doing else "0", "activity": doing.get(n)}
            for n in range(1, 11)
        ]

    def sirens(_request: Request, _body: Json, _who: int) -> Any:
        found: dict[str, list[Json]] = {"active": [], "accepted": [], "expired": [], "canceled": []}
        for each in data.sirens.values():
            found[each["state"]].append(each)
        return found

    def act(_request: Request, body: Json, who: int) -> Any:
        siren = data.sirens.get(body.get("siren", ""))
        if siren is None:
            return JSONResponse({"error": {"text": "no such siren"}}, 404)
        siren["state"] = {"take": "accepted", "stop": "canceled"}[body["do"]]
        siren["acceptedBy"] = who
        data.tell("/sirens/changed")
        return Response(status_code=204)

    def join(request: Request, body: Json, _who: int) -> Any:
        data.teams[request.path_params["code"]]["crew"].append(int(body["uid"]))
        data.tell("/teams/changed")
        return {"done": True}

    async def feed(request: Request) -> Response:
        if request.query_params.get("key") not in data.tokens:
            return JSONResponse({"error": {"text": "no valid key"}}, 401)
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

    core = [
        Route("/me", guarded(me)),
        Route("/people", guarded(people)),
        Route("/query", guarded(query), methods=["POST"]),
        Route("/teams", guarded(teams)),
        Route("/teams/{code}/crew", guarded(join), methods=["POST"]),
        Route("/crew", guarded(crew)),
        Route("/around", guarded(presence)),
        Route("/sirens", guarded(sirens)),
        Route("/sirens/act", guarded(act), methods=["POST"]),
    ]
    return Starlette(
        routes=[
            Route("/idp/token", token, methods=["POST"]),
            Route("/pbx/feed", feed),
            Mount("/pbx/v3", routes=core),
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
            routes = "{ROUTES}"
            tls_ca = "{self.authority}"
            username = "eva"
            headers = {{ X-Tenant = "7" }}
            present = {{ header = "X-Session-Key", scheme = "Token" }}
            page_size = 400
            addresses = {{ user = "wac-user:{{id}}", group = "wac-group:{{id}}" }}
            states.calls = {{ TALKING_NOW = "connected", InQueue = "queued" }}
            states.presence = {{ lunch-break = "away" }}

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
            "/sirens" = ["alerts"]
            "/teams" = ["groups"]
            """
        )

    @property
    def config(self) -> str:
        """A configuration with its profile."""
        return f'profile = "contrary"\n[profiles.contrary]\n{self.settings}'


@contextmanager
def running(folder: Path) -> Generator[Running]:
    """Serve the deployment over TLS on a thread and a free port within the block."""
    authority = Authority(folder)
    certificate, key = authority.leaf("contrary")
    (folder / "secret").write_text(f"{CLIENT_SECRET}\n", encoding="utf-8")
    data = Contrary()
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
            thread.join(5)
