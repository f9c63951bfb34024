"""The service as an ASGI application: both contracts, the event channel, the OpenAPI document, readiness."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route

from console.api.marks import Backend
from console.service.dispatch import Dispatch
from console.service.platform import Platform


def build_app(platform: Platform) -> Starlette:
    """Make the application over a platform. Whoever built the platform closes it."""

    async def health(_: Request) -> JSONResponse:
        with platform.read() as tx:
            return JSONResponse({"status": "ok", "epoch": platform.database.epoch, "offset": tx.head})

    return Starlette(
        routes=[
            Route("/health", health),
            Mount("/core", app=Dispatch(platform, Backend.CORE)),
            Mount("/provisioning", app=Dispatch(platform, Backend.PROVISIONING)),
        ]
    )
