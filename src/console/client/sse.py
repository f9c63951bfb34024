"""A stream of server-sent events (WHATWG HTML, 9.2) as a connection of an event channel.

Reading is bounded: a line and the data of an event are cut at a size that no dialect needs.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping

import httpx

from console.api.errors import ApiError, NotOffered, ServerFault, Unreachable
from console.client.dialect import SseFrame, Target
from console.client.dialect_runner import DialectRunner
from console.client.endpoint import Endpoint
from console.client.http import URL_FAULTS, can_be_sent, network_fault
from console.client.network import host_of, why

LARGEST_EVENT = 512 * 1024
"""Bytes of a line, and of the data of an event, that are kept; the rest is dropped."""
LONGEST_ID = 1_000
SHORTEST_RETRY, LONGEST_RETRY = 0.25, 60.0
"""Bounds of the seconds that a service may ask to wait before reconnecting."""
MEDIA = "text/event-stream"


class SseParser:
    """Parses the bytes of a stream, divided anywhere."""

    def __init__(self) -> None:
        self.last_id = ""
        """The id of the last event, to resume after it."""
        self.retry: float | None = None
        """Seconds to wait before reconnecting, if the service asked for it."""
        self._line = bytearray()
        self._first = True
        self._after_cr = False
        self._data = bytearray()
        self._has_data = False
        self._event = ""

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the events that end in these bytes."""
        if self._after_cr:
            chunk = chunk.removeprefix(b"\n")
        self._after_cr = chunk.endswith(b"\r")
        *ended, rest = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        frames: list[bytes] = []
        for part in ended:
            self._extend(self._line, part)
            line = bytes(self._line)
            self._line.clear()
            if self._first:
                self._first, line = False, line.removeprefix(b"\xef\xbb\xbf")
            if line:
                self._field(line)
                continue
            if self._has_data:
                frames.append(SseFrame(bytes(self._data), self._event))
            self._data.clear()
            self._has_data, self._event = False, ""
        self._extend(self._line, rest)
        return frames

    def _extend(self, kept: bytearray, more: bytes) -> None:
        kept += more[: max(0, LARGEST_EVENT - len(kept))]

    def _field(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"data":
                if self._has_data:
                    self._extend(self._data, b"\n")
                self._extend(self._data, value)
                self._has_data = True
            case b"event":
                self._event = value.decode(errors="replace")
            case b"id":
                text = value.decode(errors="replace")
                if len(text) <= LONGEST_ID and can_be_sent(text):
                    self.last_id = text
            case b"retry":
                if value.isdigit() and len(value) <= 9:
                    self.retry = min(max(int(value) / 1000, SHORTEST_RETRY), LONGEST_RETRY)
            case _:
                # A comment, or a field of tomorrow.
                pass


class SseConnection:
    """An open stream. It only receives."""

    def __init__(self, client: httpx.AsyncClient, response: httpx.Response, runner: DialectRunner) -> None:
        self._client = client
        self._response = response
        self._chunks = response.aiter_raw()
        self._parser = SseParser()
        self._runner = runner

    async def texts(self) -> list[bytes]:
        """Wait for bytes, and return the events that end in them. Raise Unreachable or ServerFault at the end."""
        try:
            frames = self._parser.feed(await anext(self._chunks))
        except StopAsyncIteration:
            raise self._ended("the event stream ended") from None
        except httpx.HTTPError as error:
            raise self._ended(f"the event channel failed: {why(error)}") from error
        self._runner.last_event_id = self._parser.last_id or self._runner.last_event_id
        return frames

    def _ended(self, text: str) -> ApiError:
        if self._parser.retry is None:
            return Unreachable(text)
        return ServerFault(text, retry_after=self._parser.retry)

    async def send(self, _message: str, /) -> None:
        """Raise NotOffered: a stream takes no texts."""
        raise NotOffered("a stream of server-sent events takes no frames")

    async def close(self) -> None:
        """Close the stream and its connection."""
        await self._response.aclose()
        await self._client.aclose()


async def open_sse(
    endpoint: Endpoint,
    target: Target,
    runner: DialectRunner,
    context: ssl.SSLContext | None,
    refused: Callable[[int, bytes, Mapping[str, str]], ApiError],
) -> SseConnection:
    """Request a stream. Raise `api.errors`; `refused` makes the error for an answer with another status than 200."""
    client = httpx.AsyncClient(
        verify=context or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        proxy=endpoint.proxy_for(target.url),
        trust_env=False,
        follow_redirects=False,
        # A stream may be silent for as long as the channel's `quiet`.
        timeout=httpx.Timeout(endpoint.connect_seconds, read=None),
    )
    headers = {"Accept": MEDIA, "Accept-Encoding": "identity", "Cache-Control": "no-store", **target.headers}
    if runner.last_event_id:
        headers["Last-Event-ID"] = runner.last_event_id
    opened = False
    try:
        request = client.build_request("GET", target.url, headers={"User-Agent": "operator-console", **headers})
        async with asyncio.timeout(endpoint.answer_seconds):
            response = await client.send(request, stream=True)
            answered = {name.lower(): value for name, value in response.headers.items()}
            if response.status_code != 200:
                raise refused(response.status_code, await _beginning(response), answered)
        media = answered.get("content-type", "").partition(";")[0].strip().lower()
        coded = answered.get("content-encoding", "identity").lower()
        if media != MEDIA or coded != "identity":
            text = f"the answer is {media[:60] or 'of no content type'}, encoded as {coded[:60]}, not {MEDIA}"
            raise NotOffered(f"no event stream at {host_of(target.url)}: {text}", status=200)
        opened = True
        return SseConnection(client, response, runner)
    except TimeoutError:
        text = f"the event channel at {host_of(target.url)} did not open in time"
        raise Unreachable(text) from None
    except URL_FAULTS as error:
        raise NotOffered(f"the URL cannot be used: {error}") from error
    except httpx.HTTPError as error:
        raise network_fault(error, target.url, endpoint.proxy_for(target.url)) from error
    finally:
        if not opened:
            await client.aclose()


async def _beginning(response: httpx.Response) -> bytes:
    """Return the beginning of a refusal, as far as it is read for its reason."""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) >= 64 * 1024:
            break
    await response.aclose()
    return bytes(body)
