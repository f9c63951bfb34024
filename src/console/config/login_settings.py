"""The part of the configuration about credentials: how to log in, and what requests show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from console.base.frozen import field
from console.config.settings import Meta, Settings, Spelled
from console.config.values import Command, HeaderValue, HttpUrl, NotEmpty, header_value


class CredentialField(Settings):
    """How a request sends its credential. `"bearer"` alone means the defaults."""

    header: Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]+$")] = "Authorization"
    """Name of the header."""
    scheme: str = "Bearer"
    """Prefix of the token in the header; may be empty. A space follows it, unless it ends with `=`, as for a cookie."""
    query: NotEmpty | None = None
    """Name of a query parameter to send the token in, instead of a header."""


def _present(value: Any) -> Any:
    if value == "bearer":
        return {}
    if isinstance(value, str):
        raise ValueError('must be "bearer", or a table with header and scheme, or with query')
    return value


Shown = Annotated[CredentialField, Spelled(_present)]


class LoginSettings(Settings):
    """How to log in. `"session"` and `"token"` alone set only `session`."""

    url: HttpUrl | None = None
    """OAuth2 token endpoint (RFC 6749), possibly of another host. Default: the operation `tokens.issue`."""
    grant: Literal["password", "client_credentials"] = "password"
    """OAuth2 grant: with the user's password, or with the client's id and secret alone."""
    client_id: NotEmpty | None = None
    """Id of the OAuth2 client."""
    client_secret_command: Command = ()
    """Command that prints the secret of the OAuth2 client on its first line of output. Runs without a shell."""
    client_auth: Literal["basic", "body"] = "basic"
    """Whether the client's id and secret are sent by HTTP Basic or in the body."""
    scope: NotEmpty | None = None
    """OAuth2 scope to request."""
    parameters: dict[str, str] = field(default_factory=dict[str, str])
    """Further parameters of the token endpoint, such as `{ audience = "voice" }`."""
    body: Literal["form", "json"] = "form"
    """Whether parameters are sent as a form, as OAuth2 requires, or as JSON."""
    command: Command = ()
    """Command of an identity provider that prints a token on its first line of output, instead of a token endpoint.
    Runs without a shell, again when the service refuses the token."""
    session: bool | None = None
    """Whether to start a session with the token (`sessions.start`), or to use the token directly. Default: true without
    `url` and `command`, if the deployment offers `sessions.start`."""

    @property
    def alone(self) -> bool:
        """Whether no user name and password are needed."""
        return bool(self.command) or self.grant == "client_credentials"

    def faults(self) -> Iterator[tuple[str, str]]:
        """Report keys without effect, missing keys and secrets."""
        if self.command and self.url is not None:
            yield "command", "cannot be combined with url"
        needing_url = {
            "grant": self.grant != "password",
            "client_id": self.client_id is not None,
            "client_secret_command": bool(self.client_secret_command),
            "client_auth": self.client_auth != "basic",
            "scope": self.scope is not None,
            "parameters": bool(self.parameters),
            "body": self.body != "form",
        }
        if self.url is None:
            yield from ((key, "needs url, the token endpoint") for key, value in needing_url.items() if value)
        elif self.grant == "client_credentials" and not (self.client_id and self.client_secret_command):
            yield "grant", "needs client_id and client_secret_command"
        elif self.client_secret_command and self.client_id is None:
            yield "client_secret_command", "needs client_id"
        for name in self.parameters.keys() & _LOGIN_PARAMETERS.keys():
            yield f"parameters.{name}", f"is set by the console: use {_LOGIN_PARAMETERS[name]} instead"


_LOGIN_PARAMETERS = {
    "client_id": "client_id",
    "client_secret": "client_secret_command",
    "grant_type": "grant",
    "password": "password_command",
    "refresh_token": "command",
    "scope": "scope",
    "username": "username",
}
"""Parameters of a token endpoint that other keys set. Some are secrets, which this file must not contain."""


class HeaderSettings(Settings):
    """Source of the value of a header. A text alone is the value."""

    value: HeaderValue | None = None
    """The value itself."""
    command: Command = ()
    """Command that prints the value on its first line of output. Runs without a shell."""
    environment: NotEmpty | None = None
    """Environment variable with the value."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Report a header with no source, or with several."""
        sources = [key for key in ("value", "command", "environment") if getattr(self, key)]
        if not sources:
            yield "value", "is missing: set value, command or environment"
        for key in sources[1:]:
            yield key, f"cannot be combined with {sources[0]}"


def _header(value: Any) -> Any:
    return {"value": header_value(value)} if isinstance(value, str) else value


HeaderSource = Annotated[HeaderSettings, Spelled(_header)]


def _login(value: Any) -> Any:
    if value in ("session", "token"):
        return {"session": value == "session"}
    if isinstance(value, str):
        raise ValueError('must be "session", "token", or a table with url or command')
    return value


Login = Annotated[LoginSettings, Spelled(_login)]
