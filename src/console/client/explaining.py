"""The likeliest cause of an error, and the key of the profile that mends it.

Only for errors that a wrong profile, or something between the console and the service, causes: the reason of a service
for a refusal needs no advice.
"""

from __future__ import annotations

import re

from console.api.annotations import Service
from console.api.errors import (
    Advice,
    ApiError,
    BadAnswer,
    BadCertificate,
    BadRequest,
    Forbidden,
    LoginNeeded,
    NotFound,
    NotFromService,
    NotOffered,
    ReadOnly,
    Refused,
    Unreachable,
)
from console.api.operation import Operation
from console.client.endpoint import Endpoint, Presentation
from console.client.errors import NETWORK_LOGIN, NO_REASON, REDIRECTS
from console.client.network import LOGIN_FOR_PROXY, NOT_HTTP, NOT_TLS, UNKNOWN_HOST, host_of

Cause = tuple[str, str]
"""The likeliest cause as a sentence, and the key of the profile; either may be empty."""
TOKEN_ENDPOINT = "login"
"""Name of requests to a token endpoint, for errors."""
_ISSUING = frozenset({"tokens.issue", "sessions.start", TOKEN_ENDPOINT})
_WITH_PASSWORD = frozenset({"", "tokens.issue", TOKEN_ENDPOINT})
"""Requests that take a password; a missing token endpoint has no name."""
_ENTRANCE = _ISSUING | {"sessions.resume", "users.current"}
"""Requests of logging in: if one is missing, the service is not at this address."""
_TOO_LARGE = re.compile(r"is (?:larger than|too large)")
_TLS_ONLY = re.compile(r"plain HTTP|HTTP request to an? HTTPS|SSL-enabled|HTTPS port", re.IGNORECASE)
"""Answers of web servers to HTTP on a port of HTTPS."""
_NOTHING = re.compile(r"^the answer is empty(?:, not a list)?(?: \(|$)")
"""Reasons of an answer without content."""


def explain(error: ApiError, endpoint: Endpoint, operation: Operation | None, *, token_in_doubt: bool = False) -> None:
    """Add the likeliest cause and its key to an error, unless its reason says it all.

    `operation` is None for a token endpoint; `token_in_doubt` tells that the service has never accepted the token.
    """
    if error.advice is not None:
        return
    cause, key = _cause(error, endpoint, operation, token_in_doubt)
    if cause:
        error.advice = Advice(cause, key, endpoint.origins.get(key, ""))
        error.request = error.request or _request(endpoint, operation)


def _request(endpoint: Endpoint, operation: Operation | None) -> str:
    """Return method and URL of a request without an answer."""
    if operation is None:
        return f"POST {endpoint.login.endpoint.url}" if endpoint.login.endpoint is not None else ""
    base, route = endpoint.base(operation.service), endpoint.route(operation)
    return f"{route.method} {base}{route.template}" if base is not None and endpoint.lacks(operation) is None else ""


def _cause(error: ApiError, endpoint: Endpoint, operation: Operation | None, token_in_doubt: bool) -> Cause:
    base = "login.url" if operation is None else "core" if operation.service is Service.CORE else "provisioning"
    name = TOKEN_ENDPOINT if operation is None else operation.name
    match error:
        case BadCertificate():
            return _of_certificate(error.reason, base, endpoint)
        case Unreachable():
            url = endpoint.core if operation is not None else _request(endpoint, None).removeprefix("POST ")
            proxy = endpoint.proxy_for(url)
            if proxy is not None and f"cannot connect to {host_of(proxy)}: " in error.reason:
                key = "trust_env" if endpoint.proxy is None else "proxy"
                return "The proxy does not run, or its address is wrong.", key
            return _of_network(error.reason, base, may_need_tls=name in _ENTRANCE and url.startswith("http:"))
        case ReadOnly():
            return "", ""
        case NotFromService() if error.status == NETWORK_LOGIN:
            return "The network requires a login in a browser first.", ""
        case NotFromService():
            return f"A portal, login page or proxy answers instead of the service, or {base} is wrong.", base
        case BadAnswer() if error.status in REDIRECTS:
            return f"Redirects are not followed: {base} must be the new address.", base
        case BadAnswer() if "answered with status" in error.reason:
            return "A gateway on the way may have changed the answer.", ""
        case BadAnswer() if name in _ISSUING:
            return f"Another program answers, or it has another way to log in: check {base} and login.", base
        case BadAnswer() if _TOO_LARGE.search(error.reason):
            return f"{name} may have an input that limits the list: `defaults` of its route can set it.", "routes"
        case BadAnswer() if "encoded as" in error.reason:
            return "A gateway compresses answers without being asked to: switch that off there.", ""
        case BadAnswer() if _NOTHING.search(error.reason):
            return f"If that means an empty list, `empty = true` in the route of {name} says so.", "routes"
        case BadAnswer():
            return "The answer has another form than its route says; `console doctor` lists the differences.", "routes"
        case Refused() if _TLS_ONLY.search(error.answer):
            return f"This port expects TLS: {base} must begin with https://.", base
        case BadRequest() if error.reason.startswith(NO_REASON) and name not in _ISSUING:
            return f"The service may not know an input of {name}: the routes file can rename inputs.", "routes"
        case _ if isinstance(error, NotFound | NotOffered):
            return _of_missing(error, base, name)
        case LoginNeeded() if token_in_doubt and operation is not None and name not in _ISSUING:
            presented_as = presented(endpoint.presentation(operation.service))
            key = "present" if operation.service is Service.CORE else "provisioning_present"
            return f"The service does not accept the token {presented_as}: it may expect it elsewhere.", key
        case _:
            return "", ""


def _of_missing(error: NotFound | NotOffered, base: str, name: str) -> Cause:
    """Return the cause of a missing operation."""
    if not error.answer:
        return (f"Without {name}, the console needs another way to log in.", "login") if name in _ISSUING else ("", "")
    if name == TOKEN_ENDPOINT:
        return "The token endpoint has another path.", base
    if name == "sessions.start":
        return 'If the service has no sessions, login = "token" uses the token directly.', "login"
    if name in _ENTRANCE:
        return f"The path in {base} may lack a prefix or be wrong, or the routes file must set {name}.", base
    if re.search(r": <", error.answer):
        return f"The service has another path for {name}: the routes file sets it.", "routes"
    return "", ""


def presented(present: Presentation) -> str:
    """Return in words how a credential is sent, without it."""
    if present.place == "query":
        return f"in the query as {present.name}"
    return f"in the header {present.name}" + (f" after {present.scheme}" if present.scheme else "")


def _of_certificate(reason: str, base: str, endpoint: Endpoint) -> Cause:
    if NOT_TLS in reason:
        return f"This port does not use TLS: {base} must begin with http://, or name another port.", base
    for pattern, cause, key in _CERTIFICATES:
        if re.search(pattern, reason, re.IGNORECASE):
            return cause.format(base=base), {"-": "", "": base}.get(key, key)
    if endpoint.tls.certificate is None and re.search("handshake|certificate required|alert", reason):
        return "The service may require a client certificate.", "tls_cert"
    return "", ""


_CERTIFICATES = (
    ("mismatch|not valid for", "The certificate is for another name: {base} must have the name in it.", ""),
    ("expired", "The certificate must be renewed, or the clock of this machine is wrong.", "-"),
    ("not yet valid", "The clock of this machine may be wrong.", "-"),
    ("issuer|self.signed|CA cert", "This machine does not know the authority: tls_ca names its file.", "tls_ca"),
)
"""Patterns of OpenSSL's messages, causes and keys; `-` for none, an empty one for the key of the base URL."""


def _of_network(reason: str, base: str, *, may_need_tls: bool) -> Cause:
    if may_need_tls and (NOT_HTTP in reason or "lost before the answer" in reason):
        return f"This port may use TLS: {base} must then begin with https://. Or it belongs to another program.", base
    if UNKNOWN_HOST in reason:
        return f"The host in {base} is misspelt, or this machine is not in its network.", base
    if reason.startswith("the proxy ") and f" {LOGIN_FOR_PROXY} " in reason:
        return "The proxy requires a login: set proxy_command or CONSOLE_PROXY_PASSWORD.", "proxy"
    if reason.startswith("the proxy "):
        return "The proxy does not allow the connection.", "proxy"
    return "", ""


def is_refused_password(error: ApiError) -> bool:
    """Return whether a login failed before a token was issued: only then is another password of use."""
    return isinstance(error, LoginNeeded | Forbidden) and error.operation in _WITH_PASSWORD


def reasons_of_refused_login(error: ApiError) -> tuple[str, ...]:
    """Return the two most likely reasons of a refused login."""
    match error:
        case LoginNeeded() | Forbidden() if not is_refused_password(error):
            return (
                "the service uses the token directly: set login.session = false, or present",
                "the token is for another service or has too few rights: set login.scope or login.parameters",
            )
        case LoginNeeded():
            return ("user name or password are wrong", "accounts are kept by another service: set login")
        case NotFound() | NotOffered():
            return ("the deployment logs in at another path: name a routes file", "it takes tokens directly: set login")
        case Unreachable():
            return ("the service is busy or starting", "a firewall or proxy stops requests with a body")
        case _:
            return (
                "the deployment wants other inputs: see its documentation",
                "a gateway answers instead of the service",
            )
