"""Settings of a deployment: everything that the contract leaves open (contract 5.8, 7)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import SplitResult, urlsplit, urlunsplit

from console.api.annotations import Service, Variant
from console.api.route import Route
from console.base.frozen import Frozen, field, replace
from console.client.environment_proxy import proxy_of_environment
from console.client.meanings import USUAL, Meanings

if TYPE_CHECKING:
    import ssl
    from zoneinfo import ZoneInfo

    from console.api.operation import Operation

_PORTS = {"http": 80, "https": 443}


def same_address(address: str) -> str:
    """Return the one spelling of a base URL: host in small letters, no standard port, no slash at the end."""
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return address
    host = f"[{host}]" if ":" in host else host
    text = "" if port is None or port == _PORTS.get(parts.scheme) else f":{port}"
    return f"{parts.scheme}://{host}{text}{parts.path.rstrip('/')}"


class Presentation(Frozen):
    """How a request carries its credential: as a header with a scheme, or in the query."""

    place: Literal["header", "query"] = "header"
    name: str = "Authorization"
    scheme: str = "Bearer"
    """Text before the token in a header, with a space unless it ends with `=`; may be empty."""

    def headers(self, token: str) -> dict[str, str]:
        """Return the header with the token, or none."""
        if self.place != "header":
            return {}
        space = "" if self.scheme.endswith("=") or not self.scheme else " "
        return {self.name: f"{self.scheme}{space}{token}"}

    def query(self, token: str) -> tuple[tuple[str, str], ...]:
        """Return the query parameter with the token, or none."""
        return ((self.name, token),) if self.place == "query" else ()


class Tls(Frozen):
    """Trusted authorities and client certificate. Verification cannot be disabled."""

    ca: Path | None = None
    """A file of certificates to trust instead of the system's."""
    certificate: Path | None = None
    """The client's own certificate (PEM), for services that require one."""
    key: Path | None = None

    def context(self) -> ssl.SSLContext:
        """Create the context for HTTP and WebSocket. Raise OSError if a file cannot be read or used."""
        # Takes 9 ms, and a plain connection, or the help of a command, needs none.
        import ssl

        with _named("tls_ca", self.ca):
            context = ssl.create_default_context(cafile=str(self.ca) if self.ca else None)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if self.certificate is not None:
            with _named("tls_key", self.key):
                key = self.key.read_bytes() if self.key is not None else None
            with _named("tls_cert", self.certificate):
                context.load_cert_chain(str(self.certificate), str(self.key) if key is not None else None)
        return context


@contextmanager
def _named(key: str, file: Path | None) -> Generator[None]:
    """Name the key and the file in an OSError, which OpenSSL does not."""
    # As above.
    import ssl

    try:
        yield
    except ssl.SSLError:
        raise OSError(f"{key}: {file}: is not a PEM file, or does not match") from None
    except OSError as error:
        raise OSError(f"{key}: {file}: {error.strerror}") from None


class TokenEndpoint(Frozen):
    """An OAuth2 token endpoint (RFC 6749) outside the service."""

    url: str
    grant: Literal["password", "client_credentials"] = "password"
    client_id: str | None = None
    client_secret: Callable[[], str] | None = None
    """Returns the client's secret. Called off the event loop."""
    client_in_body: bool = False
    """Whether the body has the client's id and secret, instead of a header with HTTP Basic."""
    scope: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further parameters of every request."""
    json: bool = False
    """Whether requests are sent as JSON, instead of a form."""


class LoginMethod(Frozen):
    """How to log in: the source of OAuth2 tokens, by default the service, and their use."""

    session: bool = True
    """Whether to start a session with the token, instead of using it directly."""
    endpoint: TokenEndpoint | None = None
    command: Callable[[], str] | None = None
    """Returns a token. Called off the event loop."""


OWN_DIALECT = "console"
"""The dialect of `docs/events.md`."""
HINTS_DIALECT = "hints"
"""The dialect of channels that only say which lists changed."""

QUIET_SECONDS = 60.0
"""Silence after which a channel of another protocol is opened again, if the profile names no other."""


class ChannelSettings(Frozen):
    """Settings of the event channel beyond its URL. Every dialect gets them."""

    dialect: str = OWN_DIALECT
    """Name of the protocol, see `client.dialects`."""
    present: Presentation | None = None
    """How the channel carries the credential; None means as for the core service."""
    say: tuple[str, ...] = ()
    """Texts to send after opening. `{token}` stands for the credential."""
    quiet: float | None = None
    """Seconds of silence after which a channel of another protocol is opened again; None for `QUIET_SECONDS`."""
    resource: str = ""
    """Path in a frame of the text that is looked up in `lists`."""
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Lists to ask again, by that text or by what it begins with."""
    subprotocols: tuple[str, ...] = ()
    """WebSocket subprotocols to offer. `{token}` stands for the credential."""

    @property
    def is_own(self) -> bool:
        """Whether the channel speaks our own protocol, which proves that nothing was lost."""
        return self.dialect == OWN_DIALECT

    @property
    def seconds_of_silence(self) -> float | None:
        """After how long a silence the channel is opened again; None leaves it to the heartbeats of our protocol."""
        return None if self.is_own else self.quiet or QUIET_SECONDS


class Node(Frozen):
    """The base URLs at which one of several equal services is reached."""

    core: str
    provisioning: str | None = None
    events: str | None = None


class Endpoint(Frozen):
    """The settings of one deployment for the client. `check` validates them."""

    core: str
    """Base URL of the core service, with any path prefix: `http://127.0.0.1:8080/core`."""
    provisioning: str | None = None
    events: str | None = None
    """URL of the event channel; None means polling. See `events_beside`."""
    others: tuple[Node, ...] = ()
    """Further nodes of the deployment, which have the same data."""
    channel: ChannelSettings = field(default_factory=ChannelSettings)
    variant: Variant = Variant.LATER
    provisioning_variant: Variant = Variant.LATER
    present: Presentation = field(default_factory=Presentation)
    provisioning_present: Presentation | None = None
    """How requests to the provisioning service carry the credential; None means as for the core service."""
    provisioning_token: Callable[[], str] | None = None
    """Returns the token for the provisioning service; None: the core service's token. Called off the event loop."""
    login: LoginMethod = field(default_factory=LoginMethod)
    tls: Tls = field(default_factory=Tls)
    proxy: str | None = None
    """The proxy to use; its URL may contain a login, which is a secret."""
    trust_env: bool = False
    """Whether to use proxies from the environment. Off, because they would see the credentials of plain HTTP."""
    read_only: bool = False
    routes: Mapping[str, Route | None] = field(default_factory=dict[str, Route | None])
    """Routes of the deployment by operation name, replacing the declared ones; None for an operation that it lacks."""
    adapter: Path | None = None
    """File, or name, of the deployment's own code for requests and answers (`client.adapter`)."""
    origins: Mapping[str, str] = field(default_factory=dict[str, str])
    """File and line of each key of the profile that is set, for errors."""
    meanings: Meanings = USUAL
    """Meanings of refusals that differ from the standard."""
    states: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    """Words of the deployment for states, by list, and the words that the console knows; see `client.state_names`."""
    times: ZoneInfo | None = None
    """The zone of times that answers write without one; None for UTC."""
    page_size: int | None = None
    """Rows per page of lists that are read to their end, and the most of others; None for the usual ones."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Headers of every request, beside the credential. The values may be secrets."""
    connect_seconds: float = 4.0
    answer_seconds: float = 20.0
    """Timeout for a complete answer."""

    def __repr__(self) -> str:
        """Omit secrets: headers, and the login for the proxy."""
        return f"Endpoint({self.core!r})"

    def check(self) -> None:
        """Raise ValueError with a message about the first invalid URL."""
        for node in (Node(self.core, self.provisioning, self.events), *self.others):
            _check_url("core", node.core, {"http", "https"})
            if node.provisioning is not None:
                _check_url("provisioning", node.provisioning, {"http", "https"})
            if node.events is not None:
                schemes = {"ws", "wss"} if self.channel.is_own else {"ws", "wss", "http", "https"}
                _check_url("events", node.events, schemes, query_allowed=True)
        if self.login.endpoint is not None:
            _check_url("login.url", self.login.endpoint.url, {"http", "https"})
        if self.proxy is not None:
            _check_url("proxy", self.proxy, {"http", "https"}, user_allowed=True)

    @property
    def urls_of_requests(self) -> tuple[str, ...]:
        """The base URLs to which requests are sent, at all nodes, and the URL of the login."""
        others = [url for node in self.others for url in (node.core, node.provisioning)]
        login = self.login.endpoint.url if self.login.endpoint is not None else None
        return tuple([url for url in (self.core, self.provisioning, *others, login) if url is not None])

    def proxy_for(self, url: str) -> str | None:
        """Return the proxy for a URL, from the profile or the environment; None for none."""
        return proxy_of_environment(url) if self.proxy is None and self.trust_env else self.proxy

    def at_next_node(self) -> Endpoint:
        """Return the same deployment at the next of its nodes, in turn."""
        if not self.others:
            return self
        following, *rest = self.others
        here = Node(self.core, self.provisioning, self.events)
        return replace(
            self,
            core=following.core,
            provisioning=following.provisioning,
            events=following.events,
            others=(*rest, here),
        )

    def base(self, service: Service) -> str | None:
        """Return the base URL of a service without a trailing slash, or None if the deployment has none."""
        url = self.core if service is Service.CORE else self.provisioning
        return url.rstrip("/") if url is not None else None

    def variant_of(self, service: Service) -> Variant:
        """Return the contract variant of a service."""
        return self.variant if service is Service.CORE else self.provisioning_variant

    def presentation(self, service: Service) -> Presentation:
        """Return how requests to a service carry the credential."""
        return self.present if service is Service.CORE else self.provisioning_present or self.present

    def route(self, operation: Operation) -> Route:
        """Return the route of an operation; `lacks` tells whether it exists."""
        return self.routes.get(operation.name) or operation.route

    def words_of(self, operation: Operation) -> Mapping[str, str]:
        """Return the deployment's words in requests and answers of an operation, with the known words."""
        # The list of support chats is the only one with a shorter name.
        resource = operation.name.partition(".")[0]
        return self.states.get(resource) or self.states.get(resource.removeprefix("support-")) or {}

    def lacks(self, operation: Operation) -> str | None:
        """Return why this deployment lacks an operation, or None if it has it."""
        variant = self.variant_of(operation.service)
        if self.base(operation.service) is None:
            return "this profile names no provisioning service"
        if operation.variant not in {None, variant}:
            return f"the {variant} variant of the service has no such operation"
        if operation.name in self.routes and self.routes[operation.name] is None:
            return "this deployment has no such operation"
        return None


def events_beside(core: str) -> str:
    """Return the default URL of the event channel: `/events` on the host of the core service, as ws or wss."""
    parts = urlsplit(core)
    scheme = "wss" if parts.scheme == "https" else "ws"
    return urlunsplit(SplitResult(scheme, parts.netloc, "/events", "", ""))


def _check_url(
    what: str, url: str, schemes: set[str], *, user_allowed: bool = False, query_allowed: bool = False
) -> None:
    names = " or ".join(sorted(schemes))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"{what}: {url!r} is not a URL: {error}") from None
    if parts.scheme not in schemes or not parts.hostname:
        raise ValueError(f"{what}: {url!r} must look like {names}://host[:port]/path")
    if port == 0:
        raise ValueError(f"{what}: {url!r} names port 0")
    if (parts.username or parts.password) and not user_allowed:
        raise ValueError(f"{what}: a URL must not contain a user name or password")
    if (parts.query and not query_allowed) or parts.fragment:
        raise ValueError(f"{what}: {url!r} must not contain ? or #")
