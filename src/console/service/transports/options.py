"""Configuration of mail server and webhook. Passwords and secrets never come from arguments.

smtp_of("smtps://mailer@mail.example", "secret", "desk@example.com")
webhook_of("https://sms.example/hook", b"whsec_...")
"""

from __future__ import annotations

from email.errors import MessageError
from email.headerregistry import Address
from typing import Literal, get_args
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from console.api.webhooks import secret_of
from console.base.frozen import Frozen

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PORTS = {"smtp": 25, "smtps": 465}

Tls = Literal["implicit", "required", "auto", "off"]


class Smtp(Frozen):
    """A mail server."""

    host: str
    port: int
    tls: Tls
    """`implicit` for smtps; otherwise whether STARTTLS is required, used if offered, or off."""
    username: str
    password: str
    sender: str
    ca: str = ""
    """A file with certificates to trust instead of the system's."""

    @property
    def words(self) -> str:
        """Its name in messages."""
        return f"{'smtps' if self.tls == 'implicit' else 'smtp'}://{self.host}:{self.port}"

    def __repr__(self) -> str:
        """Return its name, without the password."""
        return f"Smtp({self.words})"


class Webhook(Frozen):
    """A receiver of signed requests."""

    url: str
    secret: bytes

    @property
    def words(self) -> str:
        """Its name in messages, without path and query, which may contain a key."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")

    def __repr__(self) -> str:
        """Return its name, without the secret."""
        return f"Webhook({self.words})"


def smtp_of(url: str, password: str | None = None, sender: str | None = None) -> Smtp:
    """Parse `smtp://[user[:password]@]host[:port][?starttls=required|auto|off][&ca=FILE]`, or `smtps://...`.

    With a user name, STARTTLS is required unless the server is on this machine. Raise ValueError with the error,
    without the password.
    """
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ValueError("must be smtp://HOST or smtps://HOST")
    if parts.path.strip("/") or parts.fragment:
        raise ValueError("a mail server has no path")
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    if unknown := given.keys() - {"starttls", "ca"}:
        raise ValueError(f"unknown option {sorted(unknown)[0]}; known: starttls, ca")
    username = unquote(parts.username or "")
    password = unquote(parts.password or "") or (password or "")
    if username and not password:
        raise ValueError("a user name needs a password")
    tls: str = "implicit"
    if parts.scheme == "smtp":
        tls = given.get("starttls") or ("required" if username and parts.hostname not in _LOOPBACK else "auto")
    if tls not in get_args(Tls) or (tls == "implicit") is not (parts.scheme == "smtps"):
        raise ValueError("starttls must be required, auto or off")
    sender = sender or f"no-reply@{parts.hostname}"
    if not is_mail_address(sender):
        raise ValueError("the sender is not a mail address")
    port = _port(parts) or _PORTS[parts.scheme]
    return Smtp(parts.hostname, port, _tls(tls), username, password if username else "", sender, given.get("ca", ""))


def webhook_of(url: str, secret: bytes) -> Webhook:
    """Parse the address of a webhook and its secret: `whsec_` and base64, or any text of 16 bytes or more.

    Raise ValueError with the error.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be http://HOST or https://HOST")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user name or password: requests are signed")
    _port(parts)
    return Webhook(url, secret_of(secret))


def is_mail_address(text: str) -> bool:
    """Return whether a text is exactly one mail address that is valid in a header."""
    try:
        address = Address(addr_spec=text)
    except (ValueError, MessageError, IndexError):
        return False
    printable = all(value.isprintable() and value not in " <>," for value in text) and "=?" not in text
    return printable and bool(address.username and address.domain) and len(text) <= 320


def _tls(text: str) -> Tls:
    return next(argument for argument in get_args(Tls) if argument == text)


def _port(parts: SplitResult) -> int | None:
    try:
        port = parts.port
    except ValueError as error:
        raise ValueError("the port must be a number from 1 to 65535") from error
    if port == 0:
        raise ValueError("the port must be a number from 1 to 65535")
    return port
