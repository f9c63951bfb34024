"""A single HTTP exchange with limits on time and size. The only module that uses httpx.

No redirects, no settings from the environment, and a limit on the decoded size: a small compressed body can expand to
gigabytes, and httpx has no limit.
"""

from __future__ import annotations

import asyncio
import codecs
import logging
import re
import ssl
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from console.api.errors import ApiError, Away, BadAnswer, BadCertificate, TimedOut, Unreachable
from console.base.frozen import Frozen
from console.client.endpoint import Endpoint
from console.client.network import (
    LOGIN_FOR_PROXY,
    broke_off,
    cannot_connect,
    certificate_fault,
    certificate_words,
    host_of,
    login_for_proxy,
    nobody_listens,
    proxy_refused,
    why,
)

LARGEST_BODY = 16 * 1024 * 1024
"""Largest decoded answer in bytes."""
STALL_SECONDS = 6.0
"""Longest pause within an answer; after it, the connection is considered dead."""
URL_FAULTS = (httpx.InvalidURL, UnicodeError)
"""Raised for a URL that cannot be called; UnicodeError for the names of hosts, such as `xn--.example`."""
_MOST_CODINGS = 3
_CODINGS = frozenset({"gzip", "x-gzip", "deflate"})
_GZIP = 16 + zlib.MAX_WBITS
_MEMBER = b"\x1f\x8b"
"""Beginning of a member of gzip."""

for _name in ("httpx", "httpcore"):
    # These loggers write whole URLs, and two operations of the contract carry a token in the query.
    logging.getLogger(_name).setLevel(logging.WARNING)


class Answer(Frozen):
    """A response with any status. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(eq=False, slots=True)
class _Pool:
    """Connections, with the number of requests in progress."""

    client: httpx.AsyncClient
    under_way: int = 0


class Http:
    """Connections to the services of one deployment."""

    def __init__(self, endpoint: Endpoint, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        """Prepare without sending anything. Raise OSError if a certificate file cannot be used.

        `transport` replaces the network in tests.
        """
        self._endpoint = endpoint
        self._transport = transport
        self._context = context_for(endpoint) or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._pool = _Pool(self._connections())
        self._ending: set[asyncio.Task[None]] = set()

    def _connections(self) -> httpx.AsyncClient:
        endpoint = self._endpoint
        limits = httpx.Limits(max_connections=8, max_keepalive_connections=8, keepalive_expiry=30.0)
        proxy = endpoint.proxy_for(endpoint.core)
        elsewhere: dict[str, httpx.AsyncBaseTransport] = {}
        # Only the environment has exceptions.
        for url in endpoint.urls_of_requests if endpoint.trust_env else ():
            if endpoint.proxy_for(url) != proxy:
                parts = urlsplit(url)
                elsewhere[f"{parts.scheme}://{parts.netloc}"] = httpx.AsyncHTTPTransport(
                    verify=self._context, limits=limits, proxy=endpoint.proxy_for(url)
                )
        return httpx.AsyncClient(
            verify=self._context,
            proxy=proxy,
            mounts=elsewhere,
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(endpoint.answer_seconds, connect=endpoint.connect_seconds),
            limits=limits,
            transport=self._transport,
            headers={"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": "operator-console"},
        )

    def renew(self) -> None:
        """Use new connections from now on: the current ones may be dead, which only a timeout would reveal.

        Requests in progress continue on the old ones.
        """
        old, self._pool = self._pool, _Pool(self._connections())
        self._close_if_idle(old)

    def _close_if_idle(self, pool: _Pool) -> None:
        if pool is not self._pool and not pool.under_way:
            task = asyncio.get_running_loop().create_task(pool.client.aclose())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def exchange(
        self,
        method: str,
        url: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        start_within: float | None = None,
    ) -> Answer:
        """Send a request to an absolute URL and return the answer.

        With `start_within`, do not send it if no connection was free for this many seconds. Raise Unreachable if the
        request certainly had no effect, TimedOut if it may have had one, BadCertificate, and BadAnswer for a body that
        is too large or wrongly encoded.
        """
        sent = dict(headers or {})
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        seconds = self._endpoint.answer_seconds
        pool = self._pool
        limit = httpx.Timeout(seconds, connect=self._endpoint.connect_seconds, pool=start_within or seconds)
        try:
            request = pool.client.build_request(
                method, url, params=list(query), headers=sent, content=body, timeout=limit
            )
        except UnicodeEncodeError as error:
            raise Unreachable("a header of the request is not ASCII") from error
        except URL_FAULTS as error:
            raise Unreachable(f"the URL cannot be used: {error}") from error
        pool.under_way += 1
        try:
            async with asyncio.timeout(seconds):
                response = await pool.client.send(request, stream=True)
                try:
                    content = await _read(response)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise TimedOut(f"no answer from {host_of(url)} within {seconds:g} s") from None
        except httpx.HTTPError as error:
            raise network_fault(error, url, self._endpoint.proxy_for(url)) from error
        except URL_FAULTS as error:
            raise Unreachable(f"the URL cannot be used: {error}") from error
        finally:
            pool.under_way -= 1
            self._close_if_idle(pool)
        if response.status_code == LOGIN_FOR_PROXY and (proxy := self._endpoint.proxy_for(url)) is not None:
            raise Unreachable(login_for_proxy(proxy))
        headers_by_name = {k.lower(): v for k, v in response.headers.items()}
        return Answer(response.status_code, headers_by_name, in_utf8(content, headers_by_name.get("content-type", "")))

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.client.aclose()
        await asyncio.gather(*self._ending)


def can_be_sent(value: str) -> bool:
    """Return whether a text can be sent as the value of a header."""
    return value.isascii() and value.isprintable()


def context_for(endpoint: Endpoint) -> ssl.SSLContext | None:
    """Return the TLS context of a deployment, or None if none of its URLs uses TLS.

    Loading the system's certificates takes tens of milliseconds, so a context without trusted certificates is used
    where TLS is not expected.
    """
    events = (endpoint.events, *(node.events for node in endpoint.others))
    urls = (*endpoint.urls_of_requests, *events)
    proxies = map(endpoint.proxy_for, endpoint.urls_of_requests)
    if any(url is not None and url.startswith(("https:", "wss:")) for url in (*urls, *proxies)):
        return endpoint.tls.context()
    return None


class _Inflation:
    """Undoes one content coding, in parts: gzip with any number of members, deflate with or without a header."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._waiting = b""
        """Bytes too few to tell what begins."""
        self._stream = None if coding == "deflate" else zlib.decompressobj(_GZIP)

    @property
    def is_complete(self) -> bool:
        """Whether the data ended where its coding says so."""
        return not self._waiting and (self._stream is None or self._stream.eof)

    def decompress(self, data: bytes, most: int) -> bytes:
        """Return the next bytes, at most about so many. Raise zlib.error."""
        data, self._waiting = self._waiting + data, b""
        inflated = b""
        while data:
            if len(inflated) >= most:
                self._waiting = data
                break
            if self._stream is None or self._stream.eof:
                if len(data) < 2:
                    self._waiting = data
                    break
                if self._stream is None:
                    # Some servers leave out the header of zlib (RFC 9110, 8.4.1.2).
                    has_header = data[0] & 15 == zlib.DEFLATED and int.from_bytes(data[:2]) % 31 == 0
                    self._stream = zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)
                elif self._coding != "deflate" and data.startswith(_MEMBER):
                    self._stream = zlib.decompressobj(_GZIP)
                else:
                    break  # Padding after the end.
            inflated += self._stream.decompress(data, most - len(inflated))
            if self._stream.unconsumed_tail:
                break
            data = self._stream.unused_data
        return inflated


async def _read(response: httpx.Response) -> bytes:
    encodings = [encoding.strip() for encoding in response.headers.get("content-encoding", "").lower().split(",")]
    encodings = [encoding for encoding in encodings if encoding not in {"", "identity"}]
    if len(encodings) > _MOST_CODINGS or any(encoding not in _CODINGS for encoding in encodings):
        raise BadAnswer(
            f"the answer is encoded as {', '.join(encodings)[:60]}, which was not asked for",
            status=response.status_code,
        )
    # They are named in the order in which they were applied (RFC 9110, 8.4).
    inflating = [_Inflation(encoding) for encoding in reversed(encodings)]
    parts: list[bytes] = []
    room = LARGEST_BODY
    now = asyncio.get_running_loop().time
    restarted = now()
    try:
        # Chunks restart this timeout, since a long answer arrives in many; not each of them, which took a third of
        # the time of an unchanged list.
        async with asyncio.timeout(STALL_SECONDS) as limit:
            async for chunk in response.aiter_raw():
                if now() - restarted > STALL_SECONDS / 10:
                    restarted = now()
                    limit.reschedule(restarted + STALL_SECONDS)
                try:
                    part = chunk
                    for inflate in inflating:
                        part = inflate.decompress(part, room + 1)
                except zlib.error as error:
                    raise BadAnswer(f"the answer cannot be decoded: {error}", status=response.status_code) from None
                room -= len(part)
                if room < 0:
                    raise BadAnswer(
                        f"the answer is larger than {LARGEST_BODY // 1024 // 1024} MiB",
                        status=response.status_code,
                    )
                parts.append(part)
    except TimeoutError:
        raise TimedOut("timed out during the answer") from None
    if parts and not all(inflate.is_complete for inflate in inflating):
        raise BadAnswer("the answer is incomplete", status=response.status_code)
    return b"".join(parts)


def network_fault(error: httpx.HTTPError, url: str, proxy: str | None) -> ApiError:
    """Distinguish errors that certainly had no effect from those that may have had one."""
    broken = certificate_fault(error)
    if broken is not None:
        return BadCertificate(certificate_words(broken))
    if isinstance(error, httpx.PoolTimeout):
        return Unreachable("not sent: too many requests are waiting")
    if isinstance(error, httpx.ProxyError):
        return Unreachable(proxy_refused(proxy or url, str(error) or why(error)))
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        text = cannot_connect(proxy or url, error)
        away = isinstance(error, httpx.ConnectError) and nobody_listens(error)
        return (Away if away else Unreachable)(text)
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(f"no answer from {host_of(url)} in time")
    if isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError):
        return Unreachable(cannot_connect(url, error))
    return TimedOut(broke_off(url, error))


_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_OF_TEXT = re.compile(r"iso8859-|latin|cp\d|utf-16|utf-32|gb|big5|shift_jis|euc|koi8|mac")
"""Names of codecs for characters. Python has others, such as for escapes, and slow ones."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def in_utf8(body: bytes, media: str) -> bytes:
    """Return a body in UTF-8 without a byte order mark; the same object if it is already. `media` is its content type.

    A body that is not in the character set that it claims is returned unchanged.
    """
    if body[:1] in {b"\xef", b"\xff", b"\xfe"}:
        mark = next((candidate for candidate in _MARKS if body.startswith(candidate[0])), None)
        if mark is not None:
            return body[3:] if mark[1] == "utf-8" else _converted(body, mark[1])
    named = _CHARSET.search(media)
    if named is None or named[1].lower() in {"utf-8", "utf8"}:
        return body
    try:
        codec = codecs.lookup(named[1]).name
    except LookupError:
        return body
    if not _OF_TEXT.match(codec) or (body.isascii() and not codec.startswith("utf")):
        return body
    return _converted(body, codec)


def _converted(body: bytes, codec: str) -> bytes:
    try:
        return body.decode(codec).encode()
    except (UnicodeError, LookupError):
        return body
