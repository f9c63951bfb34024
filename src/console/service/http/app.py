"""The service as an ASGI application: both contracts, event channel, OpenAPI document, health check."""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from console.api.annotations import Service
from console.api.events import CLOSE_GOING_DOWN
from console.api.operations.traffic import PageRecordings
from console.records.recordings import RecordingFile
from console.service.auth.caller import Caller
from console.service.auth.credentials import caller_of
from console.service.domain import avatars
from console.service.domain.recorded import RECORDINGS, milliseconds_of, wav
from console.service.events.hub import Hub
from console.service.events.stream import serve_events
from console.service.http import request_log
from console.service.http.dispatch import Dispatch, check_access
from console.service.http.error_bodies import error_body
from console.service.http.figures import MEDIA_TYPE, RequestCounts, exposition, gauges
from console.service.http.openapi import openapi
from console.service.http.request_head import head_fault
from console.service.periodic_jobs import keep_running
from console.service.platform import Platform
from console.service.refusal import Refusal, missing, unavailable
from console.service.store.duty import Job, run_on_duty
from console.service.store.faults import StorageFault
from console.service.store.outbox import facts
from console.service.transports.sending import send_deliveries

_PICTURE_HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}


def build_app(platform: Platform, jobs: Sequence[Job] = (), duties: Sequence[Job] = ()) -> Starlette:
    """Build the application of a platform. The creator of the platform closes it.

    Jobs and events run only between start-up and shut-down of the application, duties at one node of the database.
    `app.state.drain` closes the event channels, and makes `/readyz` refuse.
    """
    hub = Hub(platform)
    counts = RequestCounts()

    async def health(request: Request) -> JSONResponse:
        try:
            head = await platform.database.run(partial(_ready, platform))
        except StorageFault:
            return JSONResponse({"status": "the database does not answer"}, 503)
        found: dict[str, object] = {"status": "ok", "epoch": platform.database.epoch, "offset": head}
        if platform.transports:
            found["transports"] = {
                transport.name: "down" if transport.down else "up" for transport in platform.transports.values()
            }
        return JSONResponse(found)

    async def alive(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    async def ready(request: Request) -> JSONResponse:
        reason = "the service is stopping" if hub.closing is not None else ""
        if not reason and not platform.database.is_current:
            reason = "the events of other nodes cannot be read"
        try:
            await platform.database.run(partial(_ready, platform))
        except StorageFault:
            reason = reason or "the database does not answer"
        return JSONResponse({"status": reason}, 503) if reason else JSONResponse({"status": "ready"})

    async def figures(request: Request) -> Response:
        return Response(exposition(counts, await gauges(platform, hub)), media_type=MEDIA_TYPE)

    async def describe(request: Request) -> JSONResponse:
        return JSONResponse(openapi(platform.variant))

    async def avatar(request: Request) -> Response:
        platform.address_rate.spend(platform.proxies.client_of(request.scope))
        user, name = request.path_params["user"], request.path_params["name"]
        found = await platform.database.run(partial(_picture, platform, user, name))
        if found is None:
            raise Refusal(404, "unknown picture")
        return Response(found[1], media_type=found[0], headers=_PICTURE_HEADERS)

    async def events(websocket: WebSocket) -> None:
        await serve_events(websocket, platform, hub)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncGenerator[None]:
        platform.database.forbid_on(threading.get_ident())
        hub.attach(asyncio.get_running_loop())
        platform.database.follow()
        background = run_on_duty(platform, (keep_running, send_deliveries, *duties))
        tasks = [asyncio.ensure_future(background), *(asyncio.ensure_future(job(platform)) for job in jobs)]
        try:
            yield
        finally:
            hub.detach(CLOSE_GOING_DOWN, "the service is stopping")
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.to_thread(platform.database.unfollow)
            platform.database.forbid_on(None)

    app = Starlette(
        routes=[
            _route("/health", health),
            _route("/healthz", alive),
            _route("/readyz", ready),
            _route("/metrics", figures),
            _route("/openapi.json", describe),
            _route(f"{avatars.PREFIX}/{{user:path}}/{{name}}", avatar),
            _route(f"{RECORDING_FILES}/{{file}}", partial(recording_file, platform)),
            WebSocketRoute("/events", events),
            _mounted("/core", Dispatch(platform, Service.CORE, counts)),
            _mounted("/provisioning", Dispatch(platform, Service.PROVISIONING, counts)),
        ],
        lifespan=running,
    )
    if request_log.log.isEnabledFor(logging.INFO):
        app.add_middleware(request_log.RequestLog)
    app.state.drain = partial(hub.close, CLOSE_GOING_DOWN, "the service is stopping")
    return app


def _ready(platform: Platform) -> int:
    """Return the offset of the last event. Raise StorageFault if the database does not answer."""
    with platform.read() as tx:
        tx.value(sa.select(facts.c.name).limit(1))
        return tx.head


def _picture(platform: Platform, user: str, name: str) -> tuple[str, bytes] | None:
    with platform.read() as tx:
        return avatars.picture(tx, user, name)


def _route(path: str, answer: Callable[[Request], Awaitable[Response]]) -> Route:
    """Route a path to a function that may raise Refusal or StorageFault. A head that is too large is refused."""

    async def checked(request: Request) -> Response:
        refusal = head_fault(request.scope)
        try:
            return await answer(request) if refusal is None else _refused(refusal)
        except Refusal as raised:
            return _refused(raised)
        except StorageFault:
            return _refused(unavailable())

    return Route(path, checked)


def _refused(refusal: Refusal) -> JSONResponse:
    return JSONResponse(error_body(refusal, "code"), refusal.status, {"Connection": "close"})


def _mounted(path: str, app: ASGIApp) -> Mount:
    """Mount an application whose paths may contain any character. The default pattern ends at an encoded line feed."""
    mount = Mount(path, app=app)
    mount.path_regex = re.compile(mount.path_regex.pattern, re.DOTALL)
    return mount


RECORDING_FILES = "/recordings"


async def recording_file(platform: Platform, request: Request) -> Response:
    """Return a file. Refuse with 401 without a login, with 403 without the service, with 404 if it is not visible."""
    remote = platform.proxies.client_of(request.scope)
    platform.address_rate.spend(remote)
    caller = await platform.database.run(partial(caller_of, platform, request.headers, remote))
    check_access(PageRecordings.operation, caller)
    platform.account_rate.spend(caller.id)
    name: str = request.path_params["file"]
    key = name.rpartition("-")[0]
    files = await platform.database.run(partial(_files, platform, caller, key))
    file = next((each for each in files if each.id == name), None)
    if file is None:
        raise missing("recorded file", name)
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": "attachment",
        "Content-Length": str(int(file.size or 0)),
        "X-Content-Type-Options": "nosniff",
    }
    return StreamingResponse(wav(milliseconds_of(file)), media_type="audio/wav", headers=headers)


def _files(platform: Platform, caller: Caller, key: str) -> Sequence[RecordingFile]:
    """Return the files of a recording; none if the caller may not list it."""
    with platform.read() as tx:
        platform.offers.check(tx, caller, PageRecordings.operation.name)
        return RECORDINGS.need(tx, key).files if RECORDINGS.may_see(tx, caller, key) else ()
