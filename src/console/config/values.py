"""Checked types of values in the configuration."""

from __future__ import annotations

import re
import shlex
import zoneinfo
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from console.config.paths import expanded
from console.config.settings import Checked, Meta, Spelled
from console.config.toml_source import ConfigFault

VariantName = Literal["later", "earlier"]
Colour = Literal["blue", "green", "yellow", "red", "white"]
StatusMeaning = Literal["invalid", "login", "forbidden", "missing", "conflict", "busy", "absent"]


def _url(schemes: tuple[str, ...], *, query: bool = False, instead: str = "username and password_command") -> Checked:
    def check(value: str) -> str:
        looks = " or ".join(f"{scheme}://host[:port]/path" for scheme in schemes)
        value = value.strip()
        if not value.isprintable() or " " in value:
            raise ValueError("must not contain blanks or control characters")
        try:
            parts = urlsplit(value)
            port = parts.port
        except ValueError:
            raise ValueError(f"must be a URL of the form {looks}") from None
        if parts.scheme not in schemes or not parts.hostname or port == 0:
            raise ValueError(f"must be a URL of the form {looks}")
        if parts.username or parts.password:
            raise ValueError(f"must not contain a user name or password: use {instead}")
        if (parts.query and not query) or parts.fragment:
            raise ValueError("must not contain #" if query else "must not contain ? or #")
        return value

    return Checked(check)


def _events(value: str) -> str:
    if value in {"auto", "off"}:
        return value
    value = value.strip()
    parts = urlsplit(value)
    if parts.scheme not in {"ws", "wss"} or not parts.hostname:
        raise ValueError("must be auto, off, or a URL of the form ws://host[:port]/path or wss://…")
    return value


def _words(value: Any) -> Any:
    """Accept a command on one line, as in a shell; no shell is used to run it."""
    return shlex.split(value) if isinstance(value, str) else value


def _zone(value: str) -> str:
    try:
        zoneinfo.ZoneInfo(value)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise ValueError("is not a time zone; use a name such as Europe/Madrid or UTC") from None
    return value


def _header_name(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]+", value):
        raise ValueError("is not a header name: use letters, digits and hyphens")
    return value


def header_value(value: str) -> str:
    """Return a value that can be sent as a header. Raise ValueError, without it, for another."""
    if not value or not value.isascii() or not value.isprintable() or value != value.strip():
        raise ValueError("cannot be sent as a header: it must be ASCII text on one line, without blanks around it")
    return value


def is_token(text: str) -> bool:
    """Return whether a text is a token of HTTP (RFC 9110, 5.6.2), as names and subprotocols are."""
    return re.fullmatch(r"[\w!#$%&'*+.^`|~-]+", text, re.ASCII) is not None


def _no_socks(value: str) -> str:
    if value.lower().startswith("socks"):
        raise ValueError("is a SOCKS proxy, which the console cannot use: name an HTTP proxy, http://host:port")
    return value


def _home(value: Path) -> Path:
    try:
        return expanded(value)
    except ConfigFault as fault:
        raise ValueError(str(fault)) from None


File = Annotated[Path, Checked(_home)]
HttpUrl = Annotated[str, _url(("http", "https"))]
ProxyUrl = Annotated[str, Checked(_no_socks), _url(("http", "https"), instead="proxy_command")]
ChannelUrl = Annotated[str, _url(("ws", "wss", "http", "https"), query=True)]
NotEmpty = Annotated[str, Meta(min_length=1)]
Command = Annotated[tuple[str, ...], Spelled(_words)]
HeaderName = Annotated[str, Checked(_header_name)]
HeaderValue = Annotated[str, Checked(header_value)]
EventsUrl = Annotated[str, Checked(_events)]
ZoneName = Annotated[str, Checked(_zone)]
