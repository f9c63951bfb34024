"""From a profile to its deployment. Opening the console needs no other part of the connection code."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote, urlsplit, urlunsplit
from zoneinfo import ZoneInfo

from console.api.annotations import Variant
from console.api.errors import LoginNeeded
from console.api.route import Route
from console.cli.exits import Failure
from console.cli.profiles.credentials import PROXY_PASSWORD, from_command
from console.client.endpoint import (
    ChannelSettings,
    Endpoint,
    LoginMethod,
    Node,
    Presentation,
    Tls,
    TokenEndpoint,
    events_beside,
)
from console.client.meanings import Meanings
from console.config.login_settings import CredentialField, HeaderSettings, LoginSettings
from console.config.schema import EventChannel, Profile
from console.config.values import header_value


def endpoint_of(profile: Profile, origins: Mapping[str, str] | None = None) -> Endpoint:
    """Convert a profile to the client's settings. Raise ConfigFault for an invalid routes file.

    `origins` has file and line of the keys that are set, for errors.
    """
    routes: Mapping[str, Route | None] = {}
    if profile.routes is not None:
        # Takes 15 ms, and few profiles have a file of routes.
        from console.api.routes_file import load_routes

        routes = load_routes(profile.routes)
    return Endpoint(
        core=profile.core,
        provisioning=profile.provisioning,
        events=_events(profile, profile.core, profile.events),
        others=tuple(_others(profile)),
        channel=_channel(profile.channel) if profile.channel is not None else ChannelSettings(),
        variant=Variant(profile.variant),
        provisioning_variant=Variant(profile.provisioning_variant),
        present=_presentation(profile.present),
        provisioning_present=_presentation(profile.provisioning_present) if profile.provisioning_present else None,
        provisioning_token=_secret("provisioning_token_command", profile.provisioning_token_command),
        login=_login(profile.login, routes),
        tls=Tls(profile.tls_ca, profile.tls_cert, profile.tls_key),
        proxy=_proxy(profile),
        trust_env=profile.trust_env,
        read_only=profile.refuses_changes,
        routes=routes,
        adapter=profile.adapter,
        meanings=Meanings(profile.statuses, profile.refusals),
        states=profile.states,
        page_size=profile.page_size,
        times=ZoneInfo(profile.times) if profile.times is not None else None,
        headers={name: _header(name, source) for name, source in profile.headers.items()},
        origins=origins or {},
    )


def _others(profile: Profile) -> Iterator[Node]:
    """Return the nodes of a deployment but the first. A single URL of another service serves all nodes."""
    for place, core in enumerate(profile.other_core):
        provisioning = profile.other_provisioning[place] if profile.other_provisioning else profile.provisioning
        events = profile.other_events[place] if profile.other_events else profile.events
        yield Node(core, provisioning, _events(profile, core, events))


def _events(profile: Profile, core: str, events: str) -> str | None:
    if events == "off":
        return None
    named = profile.channel.url if profile.channel is not None else None
    return named or (events_beside(core) if events == "auto" else events)


def _proxy(profile: Profile) -> str | None:
    """Return the proxy with the login that it requires, if any. Raise LoginNeeded if the command fails."""
    if profile.proxy is None:
        return None
    command = _secret("proxy_command", profile.proxy_command)
    login = command() if command is not None else os.environ.get(PROXY_PASSWORD)
    if not login:
        return profile.proxy
    user, colon, password = login.partition(":")
    if not (user and colon):
        source = "proxy_command" if command is not None else PROXY_PASSWORD
        raise LoginNeeded(f"{source}: the login for the proxy must be of the form user:password")
    parts = urlsplit(profile.proxy)
    place = f"{quote(user, safe='')}:{quote(password, safe='')}@{parts.netloc}"
    return urlunsplit((parts.scheme, place, parts.path, parts.query, parts.fragment))


def _header(name: str, source: HeaderSettings) -> str:
    """Return the value of a header. Raise LoginNeeded, without it, if it cannot be had or sent."""
    if source.value is not None:
        return source.value
    key = f"headers.{name}"
    command = _secret(f"{key}.command", source.command)
    value = command() if command is not None else os.environ.get(source.environment or "", "")
    if not value:
        raise LoginNeeded(f"{key}: the environment variable {source.environment} is not set")
    try:
        return header_value(value)
    except ValueError as error:
        raise LoginNeeded(f"{key}: the value {error}") from None


def _channel(channel: EventChannel) -> ChannelSettings:
    return ChannelSettings(
        dialect=channel.protocol,
        present=_presentation(channel.token) if channel.token is not None else None,
        say=channel.say,
        quiet=channel.quiet,
        resource=channel.resource,
        lists=channel.lists,
        subprotocols=channel.subprotocols,
    )


def _presentation(present: CredentialField) -> Presentation:
    if present.query is not None:
        return Presentation("query", present.query, "")
    return Presentation("header", present.header, present.scheme)


def _login(login: LoginSettings, routes: Mapping[str, Route | None]) -> LoginMethod:
    session = login.session
    if session is None:
        session = login.url is None and not login.command and routes.get(SESSIONS, True) is not None
    return LoginMethod(session, _token_endpoint(login), _secret("login.command", login.command))


SESSIONS = "sessions.start"


def _token_endpoint(login: LoginSettings) -> TokenEndpoint | None:
    if login.url is None:
        return None
    return TokenEndpoint(
        login.url,
        login.grant,
        login.client_id,
        _secret("login.client_secret_command", login.client_secret_command),
        client_in_body=login.client_auth == "body",
        scope=login.scope,
        parameters=login.parameters,
        json=login.body == "json",
    )


def _secret(key: str, command: tuple[str, ...]) -> Callable[[], str] | None:
    """Return a function that runs a command of the profile; None without one."""
    if not command:
        return None

    def secret() -> str:
        try:
            return from_command(key, command)
        except Failure as failure:
            raise LoginNeeded(str(failure)) from failure

    return secret
