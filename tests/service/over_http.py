"""A small scenario: an admin, three agents, a user of the same domain, one of another, and a group."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from typing import Any

import httpx

from console.records.people import User
from console.service.auth.caller import NOBODY
from console.service.domain import domains, groups, people, sessions, tokens
from console.service.platform import Platform
from console.service.store.outbox import OutboxEntry
from tests.background import Running

PASSWORD = "demo"
DOMAIN = "desk.example"
LogIn = Callable[[str], httpx.Client]
"""Return a client with the login of a user."""
Serve = Callable[..., Running]
"""Return a service with other settings, and possibly with the clock of a test."""
TRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Saves the 20 ms in which a client loads all certificate authorities."""
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE


def fill(platform: Platform) -> Platform:
    """Create the users and one group on an empty platform."""
    domains.add(platform, DOMAIN)
    domains.add(platform, "other.example", parent=DOMAIN, services=("chat", "login"))
    stored = platform.passwords.hash(PASSWORD)
    for number, (name, role, domain) in enumerate(
        (
            ("eva", "admin", DOMAIN),
            ("ana", "user", DOMAIN),
            ("bob", "user", DOMAIN),
            ("carla", "user", DOMAIN),
            ("pat", "user", DOMAIN),
            ("otto", "user", "other.example"),
        )
    ):
        people.add_user(
            platform,
            User(
                id=name,
                username=name,
                domain=domain,
                role=role,
                alias=f"{name.title()} {'ABCDEF'[number]}.",
                email=f"{name}@{domain}",
                created=platform.now_ms() - (6 - number) * 1000,
                capabilities=("+c2cagent",) if name in {"bob", "carla"} else (),
                mobile_phone=(f"+3460000000{number}",),
                locale="es-ES",
            ),
            password_hash=stored,
        )
    with platform.read() as tx:
        ana = people.need_user(tx, "ana")
    groups.create(platform, ana, "Night shift", "night", participants=("bob", "carla"))
    return platform


def grant(client: httpx.Client, name: str, password: str = PASSWORD, **more: str) -> httpx.Response:
    """Exchange a password for tokens."""
    return client.post("/oauth2/token", json={"grant_type": "password", "username": name, "password": password, **more})


def token_of(base_url: str, name: str, password: str = PASSWORD) -> str:
    """Exchange a password for a token and that for a session, as a login does; return the session token."""
    with _client(f"{base_url}/core") as client:
        asked = {"token": "" if name == "guest" else data(grant(client, name, password))["access_token"]}
        return str(data(client.post("/sessions/start", json=asked))["access_token"])


def session_of(platform: Platform, name: str) -> str:
    """Start a session without HTTP and return its token. `guest` is anonymous."""
    with platform.write() as tx:
        token = ""
        if name != "guest":
            user = people.find_user(tx, name)
            assert user is not None, name
            token = tokens.issue(platform, user.id).access_token
        return sessions.start(platform, NOBODY, token, None).access_token


def log_in(service: Running, name: str) -> httpx.Client:
    """Return a client of the core service with a user's login; `nobody` has no login, `guest` is anonymous."""
    client = _client(service.core_url)
    if name != "nobody":
        client.headers["Authorization"] = f"Bearer {session_of(service.platform, name)}"
    return client


def _client(url: str) -> httpx.Client:
    return httpx.Client(base_url=url, trust_env=False, verify=TRUSTING)


def get(url: str) -> httpx.Response:
    """Get what needs no login."""
    return httpx.get(url, trust_env=False, verify=TRUSTING)


def told_since(running: Running, offset: int) -> list[OutboxEntry]:
    """Return the events after an offset, without those of the status, which are sent every five seconds."""
    with running.database.read() as tx:
        found = running.database.events_after(tx, offset, 10_000)
    return [each for each in found if each.topic != "status"]


def data(response: httpx.Response) -> Any:
    """Return the JSON of a successful answer."""
    assert response.is_success, response.text
    return response.json()


def assert_unavailable(answer: httpx.Response) -> None:
    """Check that the service refuses for now, and says when to try again."""
    assert answer.status_code == 503, answer.text
    assert answer.json()["code"] == 503
    assert int(answer.headers["Retry-After"]) > 0
