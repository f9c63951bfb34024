"""A mail server and a webhook receiver that can be made to fail, and a platform that sends deliveries."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import os
import socket
import ssl
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from console.records.deliveries import Delivery
from console.service.auth.passwords import Cost
from console.service.domain.deliveries import DELIVERIES, deliver
from console.service.platform import Platform, ServiceSettings
from console.service.store.database import Database
from console.service.transports import sending
from console.service.transports.message import DueMessage, Message
from console.service.transports.options import Smtp, smtp_of, webhook_of
from console.service.transports.transport import Transport
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

SECRET = b"a secret that both sides know"


class Stuck(Transport):
    """A transport whose attempts do not end, so that its deliveries stay due whether or not a lane has taken them."""

    mechanisms = frozenset({"sms"})
    name = "stuck"

    @property
    def words(self) -> str:
        return "nowhere"

    async def send(self, due: DueMessage) -> None:
        await asyncio.Future[None]()


# -- mail -------------------------------------------------------------------------------------------------------------


@dataclass
class Mails:
    """The mails that a mail server has accepted, and how it behaves."""

    url: str = ""
    taken: list[EmailMessage] = field(default_factory=list[EmailMessage])
    asked: int = 0
    """The number of transactions that reached their text."""
    answers: list[str] = field(default_factory=list[str])
    """Answers to the next texts, instead of accepting them; `drop` accepts and closes the connection."""
    users: list[str] = field(default_factory=list[str])
    encrypted: list[bool] = field(default_factory=list[bool])

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Accept a mail."""
        self.asked += 1
        answer = self.answers.pop(0) if self.answers else ""
        if answer and answer != "drop":
            return answer
        content = envelope.content
        assert isinstance(content, bytes)
        self.taken.append(cast("EmailMessage", message_from_bytes(content, policy=cast("Any", default))))
        assert isinstance(server.transport, asyncio.Transport)
        self.encrypted.append(server.transport.get_extra_info("sslcontext") is not None)
        if answer == "drop":
            server.transport.abort()
        return "250 taken"


class _Local(Controller):
    """A controller on a free port."""

    server: asyncio.Server

    def _trigger_server(self) -> None:
        socket.create_connection(self.server.sockets[0].getsockname()[:2], 10).close()


@contextmanager
def mail_server(*, tls: ssl.SSLContext | None = None, implicit: bool = False, password: str = "") -> Generator[Mails]:
    """Run a mail server on a free port."""
    mails = Mails()

    def authenticate(_server: Any, _session: Any, _envelope: Any, mechanism: str, given: Any) -> AuthResult:
        mails.users.append(given.login.decode())
        return AuthResult(success=isinstance(given, LoginPassword) and given.password.decode() == password)

    controller = _Local(
        cast("Any", mails),
        hostname="127.0.0.1",
        port=0,
        ssl_context=tls if implicit else None,
        tls_context=None if implicit else tls,
        require_starttls=tls is not None and not implicit,
        auth_required=bool(password),
        auth_require_tls=tls is not None and not implicit,
        authenticator=authenticate if password else None,
        ready_timeout=PATIENCE,
    )
    controller.start()
    try:
        port = controller.server.sockets[0].getsockname()[1]
        user = "mailer@" if password else ""
        mails.url = f"{'smtps' if implicit else 'smtp'}://{user}127.0.0.1:{port}"
        yield mails
    finally:
        controller.stop(no_assert=True)


# -- webhooks ---------------------------------------------------------------------------------------------------------


@dataclass
class Hooks:
    """The webhook requests received, and how they are answered."""

    url: str = ""
    taken: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Bodies of the requests that were answered with success."""
    ids: list[str] = field(default_factory=list[str])
    """The `webhook-id` of every request with a valid signature."""
    forged: int = 0
    """The number of requests with an invalid signature."""
    answers: list[int] = field(default_factory=list[int])
    """Statuses of the next answers; 0 closes the connection without an answer."""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    """Additional headers of every answer."""
    hold: threading.Event | None = None
    """If given, requests are not answered until it is set."""


@contextmanager
def webhook() -> Generator[Hooks]:
    """Run a webhook receiver on a free port."""
    hooks = Hooks()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if not good(self.headers.get, body):
                hooks.forged += 1
                self.send_error(401)
                return
            hooks.ids.append(self.headers["webhook-id"])
            if hooks.hold is not None:
                hooks.hold.wait(20)
            status = hooks.answers.pop(0) if hooks.answers else 204
            if not status:
                self.connection.close()
                return
            if status < 300:
                hooks.taken.append(json.loads(body))
            self.send_response(status)
            for name, value in {"Content-Length": "0", **hooks.headers}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    hooks.url = f"http://127.0.0.1:{server.server_address[1]}/hook?key=k"
    try:
        yield hooks
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


def good(header: Callable[[str], str | None], body: bytes) -> bool:
    """Return whether a signature is valid, computed as a receiver does from headers, body and secret."""
    signed = f"{header('webhook-id')}.{header('webhook-timestamp')}.".encode() + body
    wanted = base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    return header("webhook-signature") == f"v1,{wanted}" and header("Idempotency-Key") == header("webhook-id")


@asynccontextmanager
async def silent_server(first: bytes = b"") -> AsyncGenerator[int]:
    """Accept connections, send `first` and nothing else; yield the port."""
    open_ends: list[asyncio.StreamWriter] = []

    async def accept(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        open_ends.append(writer)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for each in open_ends:
            each.close()


# -- a platform that sends --------------------------------------------------------------------------------------------


class Sandbox:
    """A platform with running deliveries and a clock that the test moves."""

    def __init__(self, platform: Platform, clock: ManualClock) -> None:
        self.platform = platform
        self.clock = clock

    def put(self, *messages: Message) -> None:
        with self.platform.write() as tx:
            deliver(self.platform, tx, messages)

    def all(self) -> tuple[Delivery, ...]:
        with self.platform.read() as tx:
            return DELIVERIES.records(tx, order=(DELIVERIES.c.created,))

    @property
    def one(self) -> Delivery:
        (found,) = self.all()
        return found

    async def until(self, condition: Callable[[], Any], *, passing: float = 0.0) -> None:
        """Wait for a condition; move the clock by `passing` seconds after each failed check."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.005)
                self.clock.advance(passing)

    async def until_state(self, state: str, *, passing: float = 0.0) -> Delivery:
        await self.until(lambda: {each.state for each in self.all()} == {state}, passing=passing)
        return self.all()[0]


@asynccontextmanager
async def sending_from(
    *,
    mails: Mails | None = None,
    smtp: Smtp | None = None,
    hooks: Hooks | None = None,
    url: str = "",
    secret: bytes = SECRET,
    path: Path | None = None,
) -> AsyncGenerator[Sandbox]:
    clock = ManualClock()
    url = hooks.url if hooks is not None else url
    settings = ServiceSettings(
        password_cost=Cost.cheap(),
        smtp=smtp or (smtp_of(mails.url) if mails is not None else None),
        webhook=webhook_of(url, secret) if url else None,
    )
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        # Loading all certificate authorities, for each attempt, would be most of the work.
        patch.setenv("SSL_CERT_FILE", os.devnull)
        platform = stack.enter_context(closing(Platform(Database(path, clock.now_ms), clock, settings)))
        job = asyncio.create_task(sending.send_deliveries(platform))
        try:
            yield Sandbox(platform, clock)
        finally:
            job.cancel()
            with suppress(asyncio.CancelledError):
                await job
