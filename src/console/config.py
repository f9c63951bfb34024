"""What a person or a deployment decides: profiles, looks, keys, columns. Values only; `config_file` reads them.

Everything that the API contract leaves open about a deployment is a field of `Profile`.
"""

from __future__ import annotations

import shlex
import zoneinfo
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from console.frozen import field
from console.settings import Checked, Meta, Settings, Spelled

VariantName = Literal["later", "earlier"]
StatusMeaning = Literal["faulty", "login", "forbidden", "missing", "conflict", "busy", "absent"]


def _url(schemes: tuple[str, ...]) -> Checked:
    def check(value: str) -> str:
        looks = " or ".join(f"{scheme}://host[:port]/path" for scheme in schemes)
        try:
            parts = urlsplit(value)
            port = parts.port
        except ValueError:
            raise ValueError(f"is no URL of the form {looks}") from None
        if parts.scheme not in schemes or not parts.hostname or port == 0:
            raise ValueError(f"is no URL of the form {looks}")
        if parts.username or parts.password:
            raise ValueError("may hold no user name or password: use username and password_command")
        if parts.query or parts.fragment:
            raise ValueError("may hold no ? or #")
        return value

    return Checked(check)


def _events(value: str) -> str:
    if value in {"auto", "off"}:
        return value
    parts = urlsplit(value)
    if parts.scheme not in {"ws", "wss"} or not parts.hostname:
        raise ValueError("must be auto, off, or a URL of the form ws://host[:port]/path or wss://…")
    return value


def _words(value: Any) -> Any:
    """Let a command be written as one line, as in a shell; no shell ever runs it."""
    return shlex.split(value) if isinstance(value, str) else value


def _zone(value: str) -> str:
    try:
        zoneinfo.ZoneInfo(value)
    except (ValueError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise ValueError("is no time zone; write it like Europe/Madrid or UTC") from None
    return value


def _home(value: Path) -> Path:
    return value.expanduser()


File = Annotated[Path, Checked(_home)]
HttpUrl = Annotated[str, _url(("http", "https"))]
ProxyUrl = Annotated[str, _url(("http", "https", "socks5", "socks5h"))]
NotEmpty = Annotated[str, Meta(min_length=1)]
Command = Annotated[tuple[str, ...], Spelled(_words)]


class Present(Settings):
    """How a request shows its credential. `"bearer"` alone stands for the defaults."""

    header: Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]+$")] = "Authorization"
    """Name of the header."""
    scheme: str = "Bearer"
    """Word before the token in the header; may be empty."""
    query: NotEmpty | None = None
    """Name of a query parameter; if given, the token travels there instead of in a header."""


def _present(value: Any) -> Any:
    if value == "bearer":
        return {}
    if isinstance(value, str):
        raise ValueError('must be "bearer", or a table with header and scheme, or with query')
    return value


Shown = Annotated[Present, Spelled(_present)]


class Profile(Settings):
    """One deployment: where its services are and how they want to be talked to."""

    core: HttpUrl
    """Base URL of the core service, such as `https://voice.example/core`."""
    provisioning: HttpUrl | None = None
    """Base URL of the provisioning service, if there is one."""
    events: Annotated[str, Checked(_events)] = "auto"
    """Event channel: `auto` for `/events` on the core service's host, a ws or wss URL, or `off` for polling."""
    username: NotEmpty | None = None
    """Who logs in, unless the command line says otherwise."""
    password_command: Command = ()
    """Command whose first line of output is the password. Run without a shell."""
    variant: VariantName = "later"
    """Which of the contract's two coexisting variants the core service speaks."""
    provisioning_variant: VariantName = "later"
    """Which variant the provisioning service speaks."""
    present: Shown = Present()
    """How requests show the credential: `"bearer"`, `{ header = …, scheme = … }` or `{ query = … }`."""
    provisioning_present: Shown | None = None
    """How requests to the provisioning service show it, if in another way."""
    provisioning_token_command: Command = ()
    """Command whose first line of output is the provisioning service's token, if it takes another than the core
    service's. Run without a shell."""
    statuses: dict[Annotated[int, Meta(ge=300, le=599)], StatusMeaning] = field(
        default_factory=dict[int, StatusMeaning]
    )
    """What the deployment's own status codes mean, such as `{ 440 = "login" }`; the usual ones need no entry."""
    tls_ca: File | None = None
    """File of certificates to trust instead of the system's."""
    tls_cert: File | None = None
    """The client's own certificate (PEM), where the service asks for one."""
    tls_key: File | None = None
    """Key of the client's own certificate, if it is in a file of its own."""
    proxy: ProxyUrl | None = None
    """Proxy to go through."""
    trust_env: bool = False
    """Whether proxies named by environment variables count. They see the credentials of plain HTTP."""
    read_only: bool = False
    """Forbid every change from this profile."""
    max_rows: Annotated[int, Meta(ge=1_000, le=1_000_000)] = 50_000
    """Rows of one list that are loaded; of a longer list the first ones are shown, and it is said so."""
    time_zone: Annotated[str, Checked(_zone)] | None = None
    """Time zone that times are shown in, such as `Europe/Madrid`; the machine's own if not given."""
    routes: File | None = None
    """Routes file: method and path of operations where this deployment differs. Relative to this file."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Miss the certificate that a key belongs to."""
        if self.tls_key is not None and self.tls_cert is None:
            yield "tls_key", "needs tls_cert beside it"


class Level(Settings):
    """From which value on a number is worth a look. Ages in seconds."""

    warn: float
    """First level."""
    bad: float
    """Second level."""


class SavedView(Settings):
    """What a list shows, kept under a name. What is left out stays as it is when the view is chosen."""

    filter: str = ""
    """Which rows, as it would be typed after `/`; empty for all."""
    sort: str = ""
    """Column to sort by, with `-` before it for descending."""
    columns: tuple[str, ...] = ()
    """Columns, in order."""


class Config(Settings):
    """Everything that can be decided, with the defaults of what was not."""

    profile: str | None = None
    """Profile to use when none is named on the command line."""
    profiles: dict[str, Profile] = field(default_factory=dict[str, Profile])
    """The deployments, by name."""
    theme: str = "dark"
    """Theme, by the name of its file in the program's `themes/` or in a `themes/` beside your configuration."""
    symbols: Literal["unicode", "ascii"] = "unicode"
    """Symbols the terminal can show."""
    keys: dict[str, str] = field(default_factory=dict[str, str])
    """Key map: action id to a key, or several with commas between. `console config show` does not list the defaults;
    `docs/keys.md` and the help screen do."""
    hold_seconds: Annotated[float, Meta(ge=0, le=30)] = 3.0
    """Seconds for which a small change without an inverse is held back, so that `u` can take it back; 0 for none."""
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Columns of a list, in order, by the list's name."""
    views: dict[str, dict[str, SavedView]] = field(default_factory=dict[str, dict[str, SavedView]])
    """Saved views of a list, by the list's name and their own; the console keeps them here."""
    bell: bool = True
    """Ring the terminal's bell for an alert that was not there before, and for a new chat of your own."""
    thresholds: dict[str, Level] = field(default_factory=dict[str, Level])
    """Warning and critical levels by `list.column`: `"calls.wait" = { warn = 60, bad = 120 }`. Ages in seconds."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Miss the profile that is to be used."""
        if self.profile is not None and self.profile not in self.profiles:
            near = get_close_matches(self.profile, self.profiles, n=1)
            known = f"; did you mean {near[0]}?" if near else ""
            yield "profile", f"profile {self.profile!r} is not among profiles{known}"
