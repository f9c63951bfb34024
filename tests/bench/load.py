"""The load generator: a process that answers lists from stored bytes and sends events at a given rate.

It implements the project's event channel (docs/events.md) and is controlled over HTTP, under `/bench/...`.

    python -m tests.bench.load FOLDER          prints the URLs of the core service and the event channel
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from console.api.events import EPOCH_HEADER, HEARTBEAT_SECONDS, OFFSET_HEADER
from console.service.serve import LOOPBACK, listen
from tests.bench.paper import answers, long_calls, thin_calls
from tests.bench.prepared_rows import LIVE, PaperBackend
from tests.bench.strange import TEXTS, EndlessPages, HugeAnswers

TICK_SECONDS = 0.01
MOST_WAITING = 8 * 1024 * 1024
"""Bytes queued for a subscriber at which sending pauses; the rate is then what the subscriber can take."""
BATCH = 500


def framed(text: bytes) -> bytes:
    """Return a text as a server's WebSocket frame."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)


class Generator:
    """Serves lists and events, and executes control requests."""

    def __init__(self, folder: Path) -> None:
        self.recorded = answers(folder)
        self.recorded["/stored"] = self.recorded["/calls"]
        self.backend = PaperBackend(self.recorded)
        self.pace = 0
        self.sent = 0
        self._channels: set[ServerConnection] = set()
        self._strange: dict[str, Callable[[], bytes]] = {}
        """Replacement answers by path."""
        self._texts = False
        self._again = False

    # -- requests of consoles ----------------------------------------------------------------------------------------

    async def answer(self, request: Request) -> Response:
        """Answer a list with its position in the event stream."""
        path = request.path_params["path"].join(("/", ""))
        strange = self._strange.get(path)
        body = self.backend.answer(path) if strange is None else strange()
        if body is None:
            return JSONResponse({"error": "there is no such thing"}, 404)
        point = {EPOCH_HEADER: self.backend.epoch, OFFSET_HEADER: str(self.backend.offset)}
        return Response(body, media_type="application/json", headers=point)

    async def channel(self, connection: ServerConnection) -> None:
        """Serve one subscriber until it disconnects."""
        with suppress(ConnectionClosed):
            while True:
                topics = json.loads(await connection.recv())["topics"]
                said = {
                    "type": "subscribed",
                    "epoch": self.backend.epoch,
                    "offset": self.backend.offset,
                    "topics": topics,
                }
                await connection.send(json.dumps(said))
                self._channels.add(connection)
        self._channels.discard(connection)

    # -- actions -----------------------------------------------------------------------------------------------------

    async def keep_pace(self) -> None:
        """Send the events that are due, a hundred times a second."""
        owed, last = 0.0, time.monotonic()
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            owed = min(owed + self.pace * (now - last), 0.2 * self.pace)
            last = now
            if int(owed) and not self._behind():
                self._send([self.backend.next_event() for _ in range(int(owed))])
                owed -= int(owed)

    async def beat(self) -> None:
        """Send heartbeats."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            offset = self.backend.offset
            beat = {"type": "heartbeat", "epoch": self.backend.epoch, "offset": offset, "after": offset}
            self._write(framed(json.dumps(beat).encode()))

    async def torment(self) -> None:
        """While requested, invalidate all lists once a second and put endless texts into visible rows."""
        texts = cycle(TEXTS)
        while True:
            await asyncio.sleep(1.0)
            if self._again:
                self._reset()
            if self._texts:
                self._send(
                    [self.backend.change("calls", key, touch="caller", to=next(texts)) for key in self.backend.hot]
                )

    def _reset(self) -> None:
        """Start a new epoch, so that everything is listed again."""
        self.backend.renew()
        reset = {"type": "reset", "epoch": self.backend.epoch, "offset": self.backend.offset, "reason": "a new life"}
        self._write(framed(json.dumps(reset).encode()))

    def _behind(self) -> bool:
        return any(each.transport.get_write_buffer_size() > MOST_WAITING for each in self._channels)

    async def _taken(self) -> None:
        """Wait until the subscribers accept more data."""
        waits = True
        while waits:
            await asyncio.sleep(0)
            waits = self._behind()

    def _send(self, texts: list[bytes]) -> None:
        self.sent += len(texts)
        self._write(b"".join(map(framed, texts)))

    def _write(self, data: bytes) -> None:
        for each in tuple(self._channels):
            if each.transport.is_closing():
                self._channels.discard(each)
            else:
                each.transport.write(data)

    # -- control requests --------------------------------------------------------------------------------------------

    async def told(self, request: Request) -> JSONResponse:
        """Execute a control request."""
        does: dict[str, Callable[[dict[str, Any]], Awaitable[Any]]] = {
            "world": self._world,
            "pace": self._pace,
            "change": self._change,
            "alert": self._alert,
            "burst": self._burst,
            "replace": self._replace,
            "strange": self._be_strange,
            "told": self._told,
        }
        return JSONResponse(await does[request.path_params["what"]](await request.json()))

    async def _world(self, asked: dict[str, Any]) -> Any:
        """Reload the recorded scenario.

        `thin`: calls of few fields, `long`: calls of this many bytes, `alone`: no other kinds.
        """
        self.pace, self.backend = 0, PaperBackend(self.recorded)
        if asked.get("thin"):
            self.backend.put("calls", {row["id"]: row for row in thin_calls(asked["thin"], int(time.time() * 1000))})
        if asked.get("alone"):
            self.backend.empty([kind for kind in LIVE if kind != "calls"])
        if asked.get("calls") is not None:
            rows = json.loads(self.backend.answer("/calls") or b"[]")[: asked["calls"]]
            self.backend.put("calls", {row["id"]: row for row in rows})
        if asked.get("long"):
            rows = long_calls(json.loads(self.backend.answer("/calls") or b"[]"), asked["long"])
            self.backend.put("calls", {row["id"]: row for row in rows})
        return await self._told({})

    async def _pace(self, asked: dict[str, Any]) -> Any:
        """Send events at a rate; also to the `hot` rows. The `moving` rows change their position."""
        self.backend.hot, self.backend.moving = (
            asked.get("hot", self.backend.hot),
            asked.get("moving", self.backend.moving),
        )
        self.backend.churn = asked.get("churn", False)
        self.pace = asked["pace"]
        return await self._told({})

    async def _change(self, asked: dict[str, Any]) -> Any:
        """Change one row."""
        self._send([self.backend.change("calls", asked["key"], touch=asked["touch"], to=asked["to"])])
        return await self._told({})

    async def _alert(self, asked: dict[str, Any]) -> Any:
        """Raise an alert; return when its event was sent, on the monotonic clock."""
        event = self.backend.begin_alert(asked["key"], asked["title"], int(time.time() * 1000))
        self._send([event])
        return {"sent": time.monotonic()}

    async def _burst(self, asked: dict[str, Any]) -> Any:
        """Send events as fast as they are accepted; the last one is recognisable."""
        texts = [self.backend.next_event() for _ in range(asked["count"] - 1)]
        if asked["key"]:
            texts.append(self.backend.change("calls", asked["key"], touch="calle", to=asked["to"]))
        else:
            texts.append(self.backend.next_event())
        began = time.monotonic()
        for start in range(0, len(texts), BATCH):
            await self._taken()
            self._send(texts[start : start + BATCH])
            await asyncio.sleep(0)
        return {"began": began, **await self._told({})}

    async def _replace(self, asked: dict[str, Any]) -> Any:
        """Change all calls and start a new epoch, so that everything is listed again."""
        self.backend.replace_calls()
        self._reset()
        return await self._told({})

    async def _be_strange(self, asked: dict[str, Any]) -> Any:
        """Misbehave from now on: `endless` lists, `huge` answers or `texts`; "" stops it."""
        way = asked["way"]
        ways: dict[str, tuple[str, type[EndlessPages] | type[HugeAnswers]]] = {
            "endless": ("/groups/page", EndlessPages),
            "huge": ("/users", HugeAnswers),
        }
        self._strange = {ways[way][0]: ways[way][1]()} if way in ways else {}
        self._again, self._texts = way in ways, way == "texts"
        self.backend.hot = asked.get("hot", [])
        return await self._told({})

    async def _told(self, asked: dict[str, Any]) -> Any:
        """Return the current counters."""
        rows, size = self.backend.size("calls")
        return {"sent": self.sent, "calls": rows, "bytes": size, "channels": len(self._channels)}


async def main(folder: Path) -> None:
    """Serve until terminated."""
    generator = Generator(folder)
    routes = [
        Route("/core/{path:path}", generator.answer, methods=["GET"]),
        Route("/bench/{what}", generator.told, methods=["POST"]),
    ]
    config = uvicorn.Config(Starlette(routes=routes), log_level="warning", access_log=False, lifespan="off")
    server = uvicorn.Server(config)
    with listen(LOOPBACK, 0) as lists, listen(LOOPBACK, 0) as events:
        async with serve(generator.channel, sock=events, compression=None, ping_interval=None):
            doing = [asyncio.ensure_future(each()) for each in (generator.keep_pace, generator.beat, generator.torment)]
            print(f"http://{LOOPBACK}:{lists.getsockname()[1]}/core", flush=True)
            print(f"ws://{LOOPBACK}:{events.getsockname()[1]}/", flush=True)
            await server.serve(sockets=[lists])
            for each in doing:
                each.cancel()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
