"""Find out how a deployment is reached: scheme, path prefix, provisioning service, credential, variant, event channel.

Each probe is a request that changes nothing. What it found is said in words, with the request and its answer.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from console.api.annotations import Variant
from console.api.errors import ApiError, BadCertificate, Forbidden, LoginNeeded, NotFound, NotOffered, Unreachable
from console.api.listed import PAGE_SIZE, rows_of
from console.api.operations.people import GetCurrentUser
from console.api.operations.provisioning import ListProvisionedUsers
from console.api.operations.traffic import ListRecordings, PageRecordings
from console.api.request import Request
from console.base.frozen import Frozen, replace
from console.base.text import clean
from console.client.client import Client
from console.client.endpoint import Endpoint, Presentation, events_beside
from console.client.http import Http
from console.client.network import certificate_fault
from console.kinds.catalogue import FEEDS

PREFIXES = ("", "/core", "/api", "/api/v1", "/api/v2", "/api/core", "/sapi", "/rest", "/v1", "/v2")
"""Path prefixes to try below the given address."""
PRESENTATIONS: Mapping[str, Presentation] = {
    "bearer": Presentation(),
    '{ scheme = "" }': Presentation(scheme=""),
    '{ scheme = "OAuth" }': Presentation(scheme="OAuth"),
    '{ scheme = "Token" }': Presentation(scheme="Token"),
    '{ header = "X-Auth-Token", scheme = "" }': Presentation(name="X-Auth-Token", scheme=""),
    '{ header = "X-Access-Token", scheme = "" }': Presentation(name="X-Access-Token", scheme=""),
    '{ header = "X-Api-Key", scheme = "" }': Presentation(name="X-Api-Key", scheme=""),
    '{ query = "access_token" }': Presentation("query", "access_token", ""),
}
"""Ways to send the token, by their form in the configuration, in the order in which they are tried."""
NOWHERE = "/no-such-service"
"""A path that no service has, to recognise a gateway that answers every path alike."""
CHANNEL_SECONDS = 4.0
_ABSENT = frozenset({404, 405, 410, 501})
_FIRST_LINE = 120


class Came(Frozen):
    """A request of a probe, and what came back."""

    request: str
    """Method and URL, without a query."""
    answer: str = ""
    """Status, content type and first line; or why there is none. Remote text, not cleaned."""
    status: int = 0
    """0 without an answer."""
    is_page: bool = False
    """Whether it is a web page or a redirect, and not a service's answer."""
    error: ApiError | None = None

    @property
    def is_service(self) -> bool:
        """Whether a service answered that knows the path."""
        return self.error is None and not self.is_page and self.status not in _ABSENT and self.status < 500

    @property
    def words(self) -> str:
        """Request and answer as one line."""
        return f"{self.request}: {self.answer}"

    def reasons(self) -> tuple[str, str]:
        """Return the two most likely reasons why this answer is not from the service."""
        if isinstance(self.error, BadCertificate):
            return (
                "the authority of the certificate is your own: name its file as tls_ca",
                "the address belongs to another host, or a proxy opens the connection",
            )
        if self.error is not None:
            return (
                "host or port of the address are wrong, or the service is not running",
                "it is reached over a proxy or VPN only: set proxy, or connect first",
            )
        if 300 <= self.status < 400:
            return (
                "the service has moved: give the address to which this one redirects",
                "a portal asks for a login in a browser first",
            )
        if self.is_page:
            return (
                "the address leads to a web page; the API has another path or host",
                "a portal asks for a login in a browser first",
            )
        if self.status >= 500:
            return "the service has failed, or is starting", "a gateway does not reach the service behind it"
        return (
            "the API has another path prefix: add it to the address",
            "the deployment has paths of its own: name a routes file",
        )


class Reached(Frozen):
    """Result of the first probe: the base URL at which the service answers, and every request that was sent."""

    base: str | None
    tried: tuple[Came, ...]

    @property
    def best_answer(self) -> Came:
        """The most informative answer: the service's, otherwise one other than a missing path, or the first."""
        if self.base is not None:
            return self.tried[-1]
        of_last_host = [came for came in self.tried if _host(came) == _host(self.tried[-1])]
        return next((came for came in of_last_host if came.status not in _ABSENT), of_last_host[0])


def _host(came: Came) -> str:
    return came.request.partition("://")[0] + urlsplit(came.request.partition(" ")[2]).netloc


async def ask(http: Http, method: str, url: str, headers: Mapping[str, str]) -> Came:
    """Send a request without a credential, and describe the answer. Never raise an ApiError."""
    request = f"{method} {url}"
    try:
        came = await http.exchange(method, url, headers=headers, body=b"{}" if method != "GET" else None)
    except ApiError as error:
        return Came(request, error.in_full, error=error)
    media = came.headers.get("content-type", "").partition(";")[0].strip().lower()
    text = came.body[:4096].decode("utf-8", errors="replace").strip()
    line = text.partition("\n")[0][:_FIRST_LINE] or "no content"
    # Old services call their JSON a page.
    is_page = 300 <= came.status < 400 or text[:1] == "<" or ("html" in media and text[:1] not in {"{", "["})
    target = f", redirects to {came.headers['location'][:200]}" if "location" in came.headers else ""
    return Came(request, f"{came.status} {media or 'no content type'}{target}: {line}", came.status, is_page)


def addresses(text: str) -> list[str]:
    """Return the URLs that a person may have meant, in the order in which they are tried.

    Without a scheme, https comes first; http is tried after it.
    """
    text = text.strip().rstrip("/")
    return [text] if "://" in text else [f"https://{text}", f"http://{text}"]


async def find_core(endpoint: Endpoint, text: str) -> Reached:
    """Find the base URL of the core service below an address. `endpoint` has TLS, proxy and routes."""
    route = endpoint.route(_probe(endpoint).operation)
    tried: list[Came] = []
    for address in addresses(text):
        http = Http(replace(endpoint, core=address))
        # Some are keys: they are sent without encryption only where that was asked for.
        headers: Mapping[str, str] = (
            endpoint.headers if address.startswith("https:") or address == addresses(text)[0] else {}
        )
        try:
            for base in _bases(address):
                came = await ask(http, route.method, base + route.template, headers)
                tried.append(came)
                if came.is_service:
                    return Reached(base, tuple(tried))
                if came.error is not None:
                    break
        finally:
            await http.close()
        error = tried[-1].error
        if not isinstance(error, Unreachable) or isinstance(certificate_fault(error), ssl.SSLCertVerificationError):
            break  # It speaks TLS, or HTTP: the other scheme cannot be meant.
    return Reached(None, tuple(tried))


def _bases(address: str) -> list[str]:
    """Return the base URLs to try: the address itself, below it, and below its host."""
    parts = urlsplit(address)
    root = f"{parts.scheme}://{parts.netloc}"
    return list(dict.fromkeys(place + prefix for place in (address, root) for prefix in PREFIXES))


def _probe(endpoint: Endpoint) -> type[Request[Any]]:
    """Return the operation to ask for: the current user, or a list that the routes file has."""
    lists = (type(listing) for feed in FEEDS.values() for listing in feed.listings if not feed.extension)
    offered = (candidate for candidate in (GetCurrentUser, *lists) if endpoint.lacks(candidate.operation) is None)
    return next((candidate for candidate in offered if not endpoint.route(candidate.operation).fields), GetCurrentUser)


async def find_provisioning(endpoint: Endpoint) -> Reached:
    """Find the provisioning service beside the core service."""
    core = endpoint.core.rstrip("/")
    route = endpoint.route(ListProvisionedUsers.operation)
    parts = urlsplit(core)
    root = f"{parts.scheme}://{parts.netloc}"
    above = core.rpartition("/")[0] if parts.path.strip("/") else root
    tried: list[Came] = []
    http = Http(endpoint)
    try:
        for base in dict.fromkeys((f"{above}/provisioning", f"{core}/provisioning", f"{root}/provisioning")):
            came = await ask(http, route.method, base + route.template, endpoint.headers)
            tried.append(came)
            if came.is_service and came.status != 200:
                beside = await ask(
                    http, route.method, base.rpartition("/")[0] + NOWHERE + route.template, endpoint.headers
                )
                if beside.status != came.status:
                    return Reached(base, tuple(tried))
    finally:
        await http.close()
    return Reached(None, tuple(tried))


async def find_prefix(client: Client) -> str | None:
    """Find the base URL of the core service with a logged-in client, and set it; None if no path is known.

    A gateway that refuses every path without a login hides which of them exist.
    """
    first = client.endpoint
    for base in _bases(first.core.rstrip("/")):
        client.endpoint = replace(first, core=base)
        if await _is_known(client, _probe(first)()):
            return base
    client.endpoint = first
    return None


async def find_presentation(client: Client) -> str | None:
    """Find how the token is sent, with a logged-in client, and set it; None if the service accepts no way."""
    first = client.endpoint
    for name, presentation in PRESENTATIONS.items():
        client.endpoint = replace(first, present=presentation)
        if await is_accepted(client):
            return name
    client.endpoint = first
    return None


async def is_accepted(client: Client) -> bool:
    """Return whether the service accepts the client's token as it is sent."""
    try:
        await client.send(GetCurrentUser())
    except (LoginNeeded, Forbidden, Unreachable):
        # The client calls the refusal of a new token a missing permission.
        return False
    except ApiError:
        return True
    return True


async def find_variant(client: Client) -> Variant:
    """Find the variant of the contract, by the two ways to list recordings. The later one if neither tells."""
    if not await _is_known(client, PageRecordings(page_size=1)):
        client.endpoint = replace(client.endpoint, variant=Variant.EARLIER)
        if await _is_known(client, ListRecordings()):
            return Variant.EARLIER
        client.endpoint = replace(client.endpoint, variant=Variant.LATER)
    return Variant.LATER


async def _is_known(client: Client, request: Request[Any]) -> bool:
    try:
        await client.send(request)
    except (NotFound, NotOffered):
        return False
    except ApiError:
        pass
    return True


async def find_events(client: Client) -> tuple[str | None, str]:
    """Find the event channel. Return its URL, or None for polling; and the words of the last answer."""
    endpoint = client.endpoint
    beside = events_beside(endpoint.core)
    below = f"ws{endpoint.core.rstrip('/').removeprefix('http')}/events"
    reason = ""
    for url in dict.fromkeys((endpoint.events or beside, beside, below)):
        client.endpoint = replace(endpoint, events=url)
        try:
            async with asyncio.timeout(CHANNEL_SECONDS), client.stream(tuple(FEEDS)) as stream:
                async for messages in stream:
                    if messages:
                        return url, f"open at {url}"
        except TimeoutError:
            reason = f"{url}: opened, but said nothing that is understood within {CHANNEL_SECONDS:g} s"
        except ApiError as error:
            reason = f"{url}: {error.in_full}"
    client.endpoint = replace(endpoint, events=None)
    return None, reason


async def visible(client: Client, kinds: Sequence[str]) -> list[tuple[str, str]]:
    """Return what the user may see of each kind: the number of rows of a first page, or why there is none."""

    async def one(kind: str) -> tuple[str, str]:
        return kind, await _rows_in_words(client, FEEDS[kind].listings)

    return list(await asyncio.gather(*map(one, kinds)))


def _first(request: Request[Any]) -> Request[Any]:
    """Return a list's request with the size of a page that is read as a person scrolls."""
    return request.model_copy(update={"page_size": PAGE_SIZE}) if "page_size" in request.declared_fields else request


async def _rows_in_words(client: Client, listings: Sequence[Request[Any]]) -> str:
    text = "not offered"
    for request in listings:
        try:
            answer = await client.send(_first(request))
        except NotOffered:
            continue
        except ApiError as error:
            text = clean(error.in_full, 100)
            continue
        rows, more = len(rows_of(answer)), getattr(getattr(getattr(answer, "meta", None), "page", None), "next", None)
        return f"{rows}+" if more else str(rows)
    return text
