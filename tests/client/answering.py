"""A deployment with a routes file, whose answers a test gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from console.api.routes_file import load_routes
from console.client.client import Client
from console.client.endpoint import Endpoint
from tests.client.canned import Canned


class Deployment:
    """A deployment with a routes file, whose answers the test gives."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "routes.toml"
        self._clients: list[Client] = []
        self.asked: list[httpx.Request] = []

    def client(self, routes: str, answer: Callable[[httpx.Request], Any], **settings: Any) -> Client:
        """Return a client for it. An answer that is no response is sent as JSON."""
        self._file.write_text(routes, encoding="utf-8")

        def reply(request: httpx.Request) -> httpx.Response:
            self.asked.append(request)
            found = answer(request)
            return found if isinstance(found, httpx.Response) else httpx.Response(200, json=found)

        endpoint = Endpoint("http://desk.example/core", routes=load_routes(self._file), **settings)
        self._clients.append(Client(endpoint, transport=Canned(reply)))
        return self._clients[-1]

    async def close(self) -> None:
        """Close the clients."""
        for each in self._clients:
            await each.close()
