"""A deployment's own code between the client and the wire: `adapter = "halcyon.py"` in a profile.

It says what no key of a configuration can: inputs that are left out, nested or wrapped, a revision that is read first,
answers of another form. `docs/your-backend.md` has an example. It is trusted code of the operator: it sees the
credentials of requests, and nothing limits its time.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import json
import sys
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from console.api.errors import ApiError, BadAnswer, BadRequest
from console.api.outgoing import Outgoing
from console.client.dialects import words_of
from console.client.http import Answer
from console.config.settings import nearest

GROUP = "console.adapters"
"""The entry point group of installed adapters: modules with the same two functions."""
Pairs = tuple[tuple[str, str], ...]


@dataclass
class AdapterRequest:
    """A request as it will be sent. An adapter changes it, or returns another one."""

    method: str
    path: str
    """Below the base URL of its service, percent-encoded, beginning with `/`."""
    query: list[tuple[str, str]]
    headers: dict[str, str]
    """Also the one with the credential."""
    body: Any = None
    """The data of a JSON body; None for a request without a body."""


@dataclass
class AdapterAnswer:
    """An answer as it came. An adapter changes it, or returns another one, in the contract's form."""

    status: int
    headers: dict[str, str]
    """Names are in lower case."""
    body: Any
    """The data of a JSON body, otherwise its text; None without a body."""


class Read(Protocol):
    """Reads something first: `await read("/teams/7")` returns the data of a GET, with the same credential."""

    def __call__(self, path: str, query: list[tuple[str, str]] | None = None) -> Awaitable[Any]:
        """Raise an error of `api.errors` if it is refused or not reached."""
        ...


class AdapterFault(ValueError):
    """An adapter cannot be used; the message is a sentence."""


class Adapter:
    """The functions `request(operation, request, read)` and `answer(operation, answer)`; either may be missing.

    Both may be `async`.
    """

    def __init__(self, name: str, module: object) -> None:
        """Use a module. Raise AdapterFault if it has neither function."""
        self.name = name
        self._request: Callable[..., Any] | None = getattr(module, "request", None)
        self._answer: Callable[..., Any] | None = getattr(module, "answer", None)
        if not (callable(self._request) or callable(self._answer)):
            raise AdapterFault(f"the adapter {name} has neither a function request nor a function answer")

    async def changed(
        self, operation: str, out: Outgoing, query: Pairs, headers: dict[str, str], read: Read
    ) -> tuple[Outgoing, Pairs, dict[str, str]]:
        """Return a request, its query and headers as the deployment wants them.

        Raise BadRequest if the adapter fails: nothing was sent.
        """
        if self._request is None:
            return out, query, headers
        wanted = AdapterRequest(out.method, out.path, [*query], dict(headers), _data_of(out.body))
        changed = await self._called(self._request, BadRequest, operation, wanted, read)
        if not isinstance(changed, AdapterRequest) or not str(changed.path).startswith("/"):
            raise BadRequest(f"the adapter {self.name} returned no request with a path")
        body = self._body_of(changed.body, BadRequest)
        pairs = tuple((str(name), str(value)) for name, value in changed.query)
        return Outgoing(changed.method, changed.path, (), body), pairs, dict(changed.headers)

    async def understood(self, operation: str, came: Answer) -> Answer:
        """Return an answer as the deployment means it. Raise BadAnswer if the adapter fails: the request was sent."""
        if self._answer is None:
            return came
        wrong = partial(BadAnswer, status=came.status)
        told_body = _data_of(came.body)
        adapter_answer = AdapterAnswer(came.status, dict(came.headers), told_body)
        changed = await self._called(self._answer, wrong, operation, adapter_answer)
        if not isinstance(changed, AdapterAnswer):
            raise wrong(f"the adapter {self.name} returned no answer")
        if changed.body is told_body and isinstance(told_body, str):
            # No JSON, such as the page of a portal, or a JSON text: its bytes tell more.
            return Answer(changed.status, changed.headers, came.body)
        headers = {**changed.headers, "content-type": "application/json"}
        return Answer(changed.status, headers, self._body_of(changed.body, wrong) or b"")

    async def _called(self, function: Callable[..., Any], wrong: Callable[[str], ApiError], *arguments: Any) -> Any:
        try:
            changed = function(*arguments)
            return await changed if inspect.isawaitable(changed) else changed
        except ApiError:
            raise
        except Exception as error:
            raise wrong(self._fault(error)) from error

    def _body_of(self, data: Any, wrong: Callable[[str], ApiError]) -> bytes | None:
        try:
            return None if data is None else json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise wrong(f"the adapter {self.name} made no JSON: {error}") from error

    def _fault(self, error: Exception) -> str:
        """Return what failed, with the line in the adapter: its author reads this."""
        lines = [
            frame_summary
            for frame_summary in traceback.extract_tb(error.__traceback__)
            if Path(frame_summary.filename).name == self.name
        ]
        where = f", line {lines[-1].lineno}" if lines else ""
        return f"the adapter {self.name} failed{where}: {words_of(error)}"


def find_adapter(named: Path) -> Adapter:
    """Return the adapter in a file whose name ends with `.py`, otherwise the installed one of this name.

    Raise AdapterFault.
    """
    try:
        if named.suffix == ".py":
            return Adapter(named.name, _from_file(named))
        points = entry_points(group=GROUP)
        point = next((entry_point for entry_point in points if entry_point.name == named.name), None)
        if point is not None:
            return Adapter(named.name, point.load())
    except AdapterFault:
        raise
    except Exception as error:
        raise AdapterFault(f"the adapter {named.name} cannot be imported: {words_of(error)}") from error
    known = sorted(entry_point.name for entry_point in points)
    raise AdapterFault(f"no adapter {named.name!r} is installed, and it is not a .py file{nearest(named.name, known)}")


def _from_file(file: Path) -> ModuleType:
    name = f"console_adapter_{hashlib.sha256(str(file.absolute()).encode(errors='replace')).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise AdapterFault(f"the adapter {file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _data_of(body: bytes | None) -> Any:
    """Return the data of a JSON body, the text of another one, None for none."""
    if body is None or not body.strip():
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body.decode(errors="replace")
