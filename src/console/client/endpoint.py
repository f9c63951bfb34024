"""Where the services are and how they want to be talked to: everything the contract leaves open (contract 5.8, 7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import SplitResult, urlsplit, urlunsplit

from console.api.annotations import Service, Variant
from console.api.route import Route
from console.frozen import Frozen, field

if TYPE_CHECKING:
    import ssl

    from console.api.operation import Operation


class Presentation(Frozen):
    """How a request shows its credential: as a header with a scheme, or in the query."""

    place: Literal["header", "query"] = "header"
    name: str = "Authorization"
    scheme: str = "Bearer"
    """What stands before the token in a header; may be empty."""

    def headers(self, token: str) -> dict[str, str]:
        """Return the header to send, if it travels in one."""
        if self.place != "header":
            return {}
        return {self.name: f"{self.scheme} {token}" if self.scheme else token}

    def query(self, token: str) -> tuple[tuple[str, str], ...]:
        """Return the query parameter to send, if it travels in one."""
        return ((self.name, token),) if self.place == "query" else ()


class Tls(Frozen):
    """Whom to trust and who we are. There is no way to trust everybody."""

    ca: Path | None = None
    """A file of certificates to trust instead of the system's."""
    certificate: Path | None = None
    """The client's own certificate (PEM), for services that ask for one."""
    key: Path | None = None

    def context(self) -> ssl.SSLContext:
        """Make the one context that HTTP and WebSocket share. Raises OSError when a file cannot be read or used."""
        import ssl

        context = ssl.create_default_context(cafile=str(self.ca) if self.ca else None)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if self.certificate is not None:
            context.load_cert_chain(str(self.certificate), str(self.key) if self.key else None)
        return context


class Endpoint(Frozen):
    """The settings of one deployment, as the client needs them. `check` says what is wrong with them."""

    core: str
    """Base URL of the core service, with any path prefix: `http://127.0.0.1:8080/core`."""
    provisioning: str | None = None
    events: str | None = None
    """URL of the event channel (ws or wss); None for none, which means polling. See `events_beside`."""
    variant: Variant = Variant.LATER
    provisioning_variant: Variant = Variant.LATER
    present: Presentation = field(default_factory=Presentation)
    provisioning_present: Presentation | None = None
    """How the provisioning service wants the credential shown; None for the same way as the core service."""
    provisioning_token: Callable[[], str] | None = None
    """Gives the token to show to the provisioning service; None for the core service's. Called off the event loop."""
    tls: Tls = field(default_factory=Tls)
    proxy: str | None = None
    trust_env: bool = False
    """Whether proxies named by the environment count. Off: they would see the credentials of plain HTTP."""
    read_only: bool = False
    routes: Mapping[str, Route | None] = field(default_factory=dict[str, Route | None])
    """Deployment's routes by operation name, instead of those declared; None for what it does not have."""
    statuses: Mapping[int, str] = field(default_factory=dict[int, str])
    """What status codes mean here, by the names of `api.errors.MEANINGS`, where that is not the usual."""
    connect_seconds: float = 4.0
    answer_seconds: float = 20.0
    """How long an answer may take in all, the last byte included."""

    def check(self) -> None:
        """Raise ValueError with a sentence about the first faulty URL."""
        _check_url("core", self.core, {"http", "https"})
        if self.provisioning is not None:
            _check_url("provisioning", self.provisioning, {"http", "https"})
        if self.events is not None:
            _check_url("events", self.events, {"ws", "wss"})
        if self.proxy is not None:
            _check_url("proxy", self.proxy, {"http", "https", "socks5", "socks5h"}, user_allowed=True)

    def base(self, service: Service) -> str | None:
        """Return the base URL of a backend without a slash at its end, or None when the deployment has none."""
        url = self.core if service is Service.CORE else self.provisioning
        return url.rstrip("/") if url is not None else None

    def variant_of(self, service: Service) -> Variant:
        """Return the variant that a backend speaks."""
        return self.variant if service is Service.CORE else self.provisioning_variant

    def presentation(self, service: Service) -> Presentation:
        """Return how a backend wants the credential shown."""
        return self.present if service is Service.CORE else self.provisioning_present or self.present

    def route(self, operation: Operation) -> Route:
        """Return where an operation is found here; `lacks` says whether it is."""
        return self.routes.get(operation.name) or operation.route

    def lacks(self, operation: Operation) -> str | None:
        """Say why this deployment does not have an operation, or return None when it does."""
        variant = self.variant_of(operation.service)
        if self.base(operation.service) is None:
            return "this profile names no provisioning service"
        if operation.variant not in {None, variant}:
            return f"the {variant} variant of the service has no such operation"
        if operation.name in self.routes and self.routes[operation.name] is None:
            return "this deployment has no such operation"
        return None


def events_beside(core: str) -> str:
    """Return where the event channel is by default: `/events` on the core service's host, ws or wss alike."""
    parts = urlsplit(core)
    scheme = "wss" if parts.scheme == "https" else "ws"
    return urlunsplit(SplitResult(scheme, parts.netloc, "/events", "", ""))


def _check_url(what: str, url: str, schemes: set[str], *, user_allowed: bool = False) -> None:
    names = " or ".join(sorted(schemes))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"{what}: {url!r} is no URL: {error}") from None
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError(f"{what}: {url!r} must look like {names}://host[:port]/path")
    if port == 0:
        raise ValueError(f"{what}: {url!r} names port 0")
    if (parts.username or parts.password) and not user_allowed:
        raise ValueError(f"{what}: a URL must not contain a user name or password")
    if parts.query or parts.fragment:
        raise ValueError(f"{what}: {url!r} must not contain ? or #")
