"""Messages for connection errors of HTTP and the event channel.

The messages of the libraries (`All connection attempts failed`, `[Errno 111] Connect call failed`) contain neither a
reason nor the host.
"""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from typing import cast
from urllib.parse import urlsplit

_REFUSED = f"[Errno {errno.ECONNREFUSED}]"
"""All that is left of the error number if a name has several addresses, and each refused."""
_WORDS = {
    errno.ECONNREFUSED: "connection refused",
    errno.ECONNRESET: "the connection was reset",
    errno.ECONNABORTED: "the connection was aborted",
    errno.EPIPE: "the connection was closed",
    errno.EHOSTUNREACH: "no route to the host",
    errno.EHOSTDOWN: "the host is down",
    errno.ENETUNREACH: "the network is unreachable",
    errno.ENETDOWN: "the network is down",
    errno.EADDRNOTAVAIL: "no local address is available",
    errno.ETIMEDOUT: "no answer in time",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.EACCES: "not permitted",
    errno.EPERM: "not permitted",
}
_PORTS = {"https": 443, "wss": 443, "http": 80, "ws": 80, "socks5": 1080, "socks5h": 1080}


def host_of(url: str) -> str:
    """Return host and port of a URL, also the default port."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    try:
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        port = None
    return f"{host}:{port}" if port else host


def cannot_connect(url: str, error: BaseException) -> str:
    """Return the message for a failed connection: `cannot connect to a:80: ...`."""
    return f"cannot connect to {host_of(url)}: {why(error)}"


def no_channel(url: str, error: BaseException) -> str:
    """Return the message for an event channel that could not be opened."""
    return f"no event channel at {host_of(url)}: {why(error)}"


LOGIN_FOR_PROXY = 407
"""Status code of a proxy that requires a login. It never comes from the service."""


def proxy_refused(proxy: str, reason: str) -> str:
    """Return the message for a refusal by a proxy, in the proxy's words."""
    return f"the proxy {host_of(proxy)} refused the connection: {reason[:200]}"


def login_for_proxy(proxy: str) -> str:
    """Return the message for a proxy that requires a login, or another one."""
    return proxy_refused(proxy, f"{LOGIN_FOR_PROXY} Proxy Authentication Required")


def broke_off(url: str, error: BaseException) -> str:
    """Return the message for a connection that was lost before the answer was complete."""
    return f"the connection to {host_of(url)} was lost before the answer: {why(error)}"


def why(error: BaseException) -> str:
    """Return the reason of a failed or lost connection."""
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            temporary = cause.errno == socket.EAI_AGAIN
            return "the name server does not answer" if temporary else UNKNOWN_HOST
        if isinstance(cause, ssl.SSLError):
            return "the secure connection was cut off"
        if isinstance(cause, TimeoutError):
            return "no answer in time"
        if isinstance(cause, OSError) and cause.errno is not None:
            return _WORDS.get(cause.errno) or (cause.strerror or "unknown reason").lower()
    if nobody_listens(error):
        return _WORDS[errno.ECONNREFUSED]
    return _SAID.get(type(error).__name__, "the connection was closed")


UNKNOWN_HOST = "unknown host"
NOT_HTTP = "the answer is not HTTP, or was cut off"
NOT_TLS = "the answer is not TLS"
_SAID = {
    "RemoteProtocolError": NOT_HTTP,
    "LocalProtocolError": "the request cannot be sent as HTTP",
    "UnsupportedProtocol": "the URL's scheme is not supported",
    "ConnectError": "no address of the host accepts connections",
    "OSError": "no address of the host accepts connections",
    "InvalidMessage": NOT_HTTP,
    "InvalidUpgrade": "the answer is not a WebSocket handshake",
    "InvalidHeader": "the answer is not a WebSocket handshake",
    "InvalidHeaderValue": "the answer is not a WebSocket handshake",
    "NegotiationError": "the answer is not a WebSocket handshake",
    "InvalidProxyStatus": "the proxy refused the connection",
    "InvalidProxyMessage": "the proxy's answer cannot be read",
}
"""Messages for errors without a cause, by class name, because other modules use the libraries."""


def nobody_listens(error: BaseException) -> bool:
    """Return whether a connection failed because the host is reachable but the service does not listen."""
    return any(
        isinstance(cause, OSError) and (cause.errno == errno.ECONNREFUSED or _REFUSED in str(cause))
        for cause in _causes(error)
    )


def certificate_fault(error: BaseException) -> ssl.SSLError | None:
    """Return the TLS error behind a failed connection, if a retry cannot help."""
    ssl_error = next((cause for cause in _causes(error) if isinstance(cause, ssl.SSLError)), None)
    passing = isinstance(ssl_error, ssl.SSLEOFError | ssl.SSLZeroReturnError | ssl.SSLSyscallError)
    return None if passing else ssl_error


def certificate_words(error: ssl.SSLError) -> str:
    """Return the message for a failed certificate or handshake, without OpenSSL's file and line."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the service's certificate is not trusted: {error.verify_message}"
    reason = (error.reason or str(error)).replace("_", " ").lower()
    return f"no secure connection: {NOT_TLS if reason in _OF_OTHERS else reason}"


_OF_OTHERS = frozenset({"wrong version number", "http request", "https proxy request", "record layer failure"})
"""Reasons of OpenSSL for an answer that is not TLS."""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, its causes, and the errors of a group."""
    seen: set[int] = set()
    due: list[BaseException] = [error]
    while due:
        cause = due.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            due += cast("BaseExceptionGroup[BaseException]", cause).exceptions
        if (origin := cause.__cause__ or cause.__context__) is not None:
            due.append(origin)
