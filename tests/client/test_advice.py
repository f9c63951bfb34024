"""An error that a wrong profile causes tells the request, the answer, the likeliest cause and the key that mends it."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from console.api.errors import ApiError, BadCertificate, Forbidden, LoginNeeded, NotFound, Refused
from console.api.operations.traffic import GetCall, ListCalls
from console.client.client import Client
from console.client.endpoint import Endpoint, LoginMethod, Tls, TokenEndpoint
from tests.client.canned import Canned
from tests.client.certificates import Authority, server_context

BASE = "http://desk.example/core"
PAGE = "<!doctype html><title>Hotel WiFi</title>\n<p>Accept our terms"
ORIGINS = {"core": "config.toml:3", "present": "config.toml:7", "login.url": "config.toml:9"}
JSON = {"content-type": "application/json"}


def client_of(answer: Callable[[httpx.Request], httpx.Response], **given: object) -> Client:
    endpoint = Endpoint(BASE, origins=ORIGINS, **given)  # pyright: ignore[reportArgumentType] - keys of a test
    return Client(endpoint, transport=Canned(answer))


async def log_in(client: Client) -> ApiError:
    with pytest.raises(ApiError) as caught:
        await client.sessions.log_in("eva", "pass-word1")
    return caught.value


def answering(status: int, body: str = "", kind: str = "text/html", path: str = "") -> Client:
    """Answer requests to a path in this way, others as a service does."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith(path):
            return httpx.Response(status, content=body.encode(), headers={"content-type": kind})
        return httpx.Response(200, json={"access_token": "t"})

    return client_of(answer)


async def test_a_portal_at_login_is_told_with_request_answer_cause_and_key() -> None:
    error = await log_in(answering(200, PAGE))
    assert error.details == (
        "request: POST http://desk.example/core/oauth2/token",
        "answer: 200 text/html: <!doctype html><title>Hotel WiFi</title>",
        "cause: A portal, login page or proxy answers instead of the service, or core is wrong. "
        "Key: core (config.toml:3).",
    )


@pytest.mark.parametrize(
    ("path", "status", "body", "words", "key"),
    [
        ("/token", 404, "{}", "The path in core may lack a prefix", "core"),
        ("/token", 404, PAGE, "The path in core may lack a prefix", "core"),
        ("/start", 404, "{}", 'login = "token" uses the token directly', "login"),
        ("/start", 405, "", 'login = "token" uses the token directly', "login"),
        ("/token", 400, "The plain HTTP request was sent to HTTPS port", "must begin with https://", "core"),
        ("/token", 400, "Client sent an HTTP request to an HTTPS server.", "must begin with https://", "core"),
        ("/token", 200, "{}", "it has another way to log in", "core"),
        ("/token", 511, PAGE, "login in a browser", ""),
    ],
)
async def test_a_login_that_cannot_work_names_the_key(path: str, status: int, body: str, words: str, key: str) -> None:
    kind = "application/json" if body == "{}" else "text/html"
    error = await log_in(answering(status, body, kind, path))
    assert error.advice is not None
    assert words in error.advice.cause
    assert error.advice.key == key
    assert error.request.startswith("POST http://desk.example/core/")
    assert not isinstance(error, LoginNeeded), "another password cannot help"


async def test_a_wrong_password_needs_no_advice() -> None:
    error = await log_in(answering(401, '{"message": "wrong password"}', "application/json", "/token"))
    assert isinstance(error, LoginNeeded)
    assert error.details == ()


async def test_a_token_that_the_service_never_accepted_is_perhaps_sent_in_another_way() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/calls"):
            return httpx.Response(401, json={"message": "Unauthorized"})
        return httpx.Response(200, json={"access_token": "t"})

    client = Client(Endpoint(BASE, origins=ORIGINS), login=lambda: ("eva", "demo"), transport=Canned(answer))
    await client.sessions.log_in("eva", "demo")
    with pytest.raises(Forbidden) as caught:
        await client.send(ListCalls())
    assert str(caught.value.advice) == (
        "The service does not accept the token in the header Authorization after Bearer: it may expect it elsewhere. "
        "Key: present (config.toml:7)."
    )


async def test_a_refusal_after_the_token_was_accepted_is_a_missing_permission() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        status = 403 if "/calls/" in request.url.path else 200
        return httpx.Response(status, json=[] if status == 200 else {"message": "not for you"})

    client = client_of(answer)
    client.sessions.token = "t"
    await client.send(ListCalls())
    with pytest.raises(Forbidden) as caught:
        await client.send(GetCall(id="c"))
    assert caught.value.details == ()


@pytest.mark.parametrize("key", ["proxy", "trust_env"])
@pytest.mark.parametrize("fault", ["Name or service not known", "Connection refused"])
async def test_a_proxy_that_cannot_be_reached_is_named_and_not_the_service(
    key: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError(fault)

    monkeypatch.setenv("http_proxy", "proxy.example:3128")
    monkeypatch.setenv("no_proxy", "other.example")
    proxy = "http://proxy.example:3128" if key == "proxy" else None
    endpoint = Endpoint(BASE, proxy=proxy, trust_env=proxy is None, origins={key: "config.toml:4"})
    client = Client(endpoint, transport=Canned(answer))
    client.sessions.token = "t"
    with pytest.raises(ApiError, match=r"cannot connect to proxy\.example:3128: ") as caught:
        await client.send(ListCalls())
    assert str(caught.value.advice) == f"The proxy does not run, or its address is wrong. Key: {key} (config.toml:4)."
    monkeypatch.setenv("no_proxy", "desk.example")
    if key == "trust_env":
        with pytest.raises(ApiError, match=r"cannot connect to desk\.example:80: "):
            await client.send(ListCalls())


async def test_a_missing_record_needs_no_advice() -> None:
    client = client_of(lambda _: httpx.Response(404, json={"message": "no such call"}))
    client.sessions.token = "t"
    with pytest.raises(NotFound) as caught:
        await client.send(GetCall(id="c"))
    assert caught.value.details == ()


async def test_a_list_refused_without_a_reason_names_its_request() -> None:
    client = client_of(lambda _: httpx.Response(400))
    client.sessions.token = "t"
    with pytest.raises(Refused) as caught:
        await client.send(ListCalls())
    assert caught.value.reason == "the service answered 400 (from desk.example, GET /core/calls)"
    assert caught.value.details[1] == "answer: 400 no content type, empty"


async def test_a_list_that_is_no_json_is_told_with_its_cause() -> None:
    client = client_of(lambda _: httpx.Response(200, content=b"[1, 2", headers=JSON))
    client.sessions.token = "t"
    with pytest.raises(ApiError) as caught:
        await client.send(ListCalls())
    assert caught.value.details[0] == "request: GET http://desk.example/core/calls"
    assert "console doctor" in caught.value.details[-1]


async def test_an_answer_that_may_contain_a_token_is_never_quoted() -> None:
    body = b"access_token=secret-token-1&token_type=bearer"
    method = LoginMethod(session=False, endpoint=TokenEndpoint("https://idp.example/token"))
    client = client_of(
        lambda _: httpx.Response(200, content=body, headers={"content-type": "text/plain"}), login=method
    )
    error = await log_in(client)
    assert error.details == (
        "request: POST https://idp.example/token",
        "answer: 200 text/plain, 45 bytes",
        "cause: A portal, login page or proxy answers instead of the service, or login.url is wrong. "
        "Key: login.url (config.toml:9).",
    )


async def test_the_details_of_an_error_repeat_no_secret() -> None:
    error = await log_in(answering(404, "<p>no pass-word1 here", path="/token"))
    assert error.answer == "404 text/html: <p>no (secret) here"


# -- TLS ---------------------------------------------------------------------------------------------------------------


@contextmanager
def port_answering(answer: bytes, context: ssl.SSLContext | None = None) -> Generator[int]:
    """Listen on a port, and send this to each connection, after a handshake if there is a context."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with closing(connection):
                    try:
                        if context is not None:
                            with closing(context.wrap_socket(connection, server_side=True)) as secure:
                                secure.recv(1000)
                        else:
                            connection.recv(1000)
                            connection.sendall(answer)
                    except OSError:
                        pass

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


async def test_tls_to_a_port_without_it_names_the_scheme() -> None:
    with port_answering(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") as port:
        client = Client(Endpoint(f"https://127.0.0.1:{port}/core"))
        error = await log_in(client)
        await client.close()
    assert isinstance(error, BadCertificate)
    assert error.reason == "no secure connection: the answer is not TLS"
    assert "must begin with http://" in str(error.advice)


@pytest.mark.parametrize("answer", [b"\x15\x03\x03\x00\x02\x02\x46", b""])
async def test_http_to_a_port_of_tls_names_the_scheme(answer: bytes) -> None:
    with port_answering(answer) as port:
        client = Client(Endpoint(f"http://127.0.0.1:{port}/core"))
        error = await log_in(client)
        await client.close()
    assert "This port may use TLS: core must then begin with https://" in str(error.advice)
    assert error.request == f"POST http://127.0.0.1:{port}/core/oauth2/token"


async def test_an_unknown_authority_names_tls_ca(tmp_path: Path) -> None:
    with port_answering(b"", server_context(Authority(tmp_path).leaf("desk"))) as port:
        client = Client(Endpoint(f"https://127.0.0.1:{port}/core"))
        error = await log_in(client)
        await client.close()
    assert str(error.advice) == (
        "This machine does not know the authority: tls_ca names its file. Key: tls_ca (not set)."
    )


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_of_certificates_that_cannot_be_used_is_named(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(OSError, match=rf"^tls_ca: {file}: "):
        Client(Endpoint("https://127.0.0.1/core", tls=Tls(ca=file)))
