"""The configuration: profiles, theme, keys, columns. Values only; `config_file` reads them.

Everything that the API contract leaves open about a deployment is a field of `Profile`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, ClassVar, Literal, cast

from console.base.frozen import field
from console.config.address_forms import AddressForms
from console.config.login_settings import CredentialField, HeaderSettings, HeaderSource, Login, LoginSettings, Shown
from console.config.notice_settings import NoticeSettings
from console.config.recording_settings import RecordingSettings
from console.config.rule_settings import RuleName, RuleSettings
from console.config.settings import Meta, Settings, Spelled
from console.config.values import (
    ChannelUrl,
    Colour,
    Command,
    EventsUrl,
    File,
    HeaderName,
    HttpUrl,
    NotEmpty,
    ProxyUrl,
    StatusMeaning,
    VariantName,
    ZoneName,
    is_token,
)
from console.config.wallboard_settings import WallboardSettings

ENVIRONMENT_PROFILE = "environment"
"""Name of the profile that comes from environment variables; screens show its host instead."""


def _frames(value: Any) -> Any:
    """Accept one frame instead of several, and tables, which become JSON."""
    several = cast("list[Any]", value if isinstance(value, list) else [value])
    return [item if isinstance(item, str) else json.dumps(item, default=str) for item in several]


class EventChannel(Settings):
    """An event channel with another address or another protocol than the default."""

    dialect: NotEmpty | None = None
    """Protocol of the channel: `console`, `hints`, or the name of an installed dialect. Default: `hints` with `lists`,
    otherwise `console`."""
    url: ChannelUrl | None = None
    """Address: a ws or wss URL, or an http or https URL of a stream of server-sent events. Default: `/events` on the
    core service's host."""
    token: Shown | None = None
    """How the channel shows the token, as in `present`. Default: as other requests."""
    quiet: Annotated[float, Meta(ge=1, le=3600)] | None = None
    """Seconds of silence after which a channel of another dialect than `console` is opened again. Default: 60."""
    say: Annotated[tuple[str, ...], Spelled(_frames)] = ()
    """Frames to send after opening, for `hints`: texts, or tables that are sent as JSON. `{token}` in them stands for
    the token."""
    resource: str = ""
    """Text of a frame to look up in `lists`, for `hints`: a dotted path such as `data.topic`, or a regular expression
    with a group. Default: the name of the server-sent event, and the whole frame."""
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Lists to request again, for `hints`, by that text or its beginning: `"/calls" = ["calls", "agents"]`."""
    subprotocols: tuple[str, ...] = ()
    """WebSocket subprotocols to offer, such as `["voice.v1"]`. `{token}` in them stands for the token."""

    @property
    def protocol(self) -> str:
        """The name of the dialect to use."""
        return self.dialect or ("hints" if self.lists else "console")

    def faults(self) -> Iterator[tuple[str, str]]:
        """Report keys that the dialect needs, or cannot use."""
        if self.protocol == "console":
            if (self.url or "").startswith("http"):
                yield "url", "must be a ws or wss URL for the dialect console"
            for key, value in (("say", self.say), ("resource", self.resource), ("quiet", self.quiet)):
                if value:
                    yield key, "needs lists, or another dialect"
            if self.lists:
                yield "lists", "cannot be combined with the dialect console"
        if self.protocol == "hints":
            if self.url is None:
                yield "url", "is missing: the dialect hints needs it"
            if not self.lists:
                yield "lists", "is missing: the dialect hints needs it"
        if (self.url or "").startswith("http"):
            if self.say:
                yield "say", "cannot be sent: server-sent events have one direction"
            if self.subprotocols:
                yield "subprotocols", "cannot be offered: server-sent events have none"
        if not all(is_token(subprotocol.replace("{token}", "t")) for subprotocol in self.subprotocols):
            yield "subprotocols", "must be words of letters, digits and hyphens"


_OWN_HEADERS = frozenset(
    (
        *("host", "content-length", "content-type", "transfer-encoding", "connection", "upgrade", "te", "trailer"),
        *("accept-encoding", "idempotency-key", "if-none-match", "expect", "proxy-authorization"),
    )
)
"""Headers whose value the console decides."""
_UNVERIFIED = "is not offered: certificates are always verified; set tls_ca to trust another authority"
_SECRET = "is not read from this file: use password_command, the keyring, or CONSOLE_PASSWORD"


class Profile(Settings):
    """One deployment: its services and their interface."""

    declined: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("insecure", "ssl_verify", "tls_insecure", "tls_verify", "verify", "verify_ssl"), _UNVERIFIED),
        **dict.fromkeys(("pass", "password", "secret"), _SECRET),
        "token": "is not read from this file: use login = { command = … }",
    }

    several: ClassVar[Mapping[str, str]] = {
        "core": "other_core",
        "provisioning": "other_provisioning",
        "events": "other_events",
    }

    core: HttpUrl
    """Base URL of the core service, such as `https://voice.example/core`; a list if several nodes have the same data:
    the console begins at one of them by lot, and goes on at the next when it fails."""
    other_core: tuple[HttpUrl, ...] = ()
    """All nodes but the first, if `core` is not a list."""
    provisioning: HttpUrl | None = None
    """Base URL of the provisioning service, if any; a list with one for each node, or one for all."""
    other_provisioning: tuple[HttpUrl, ...] = ()
    """The URLs of all nodes but the first, if `provisioning` is not a list."""
    events: EventsUrl = "auto"
    """Event channel: `auto` for `/events` on the core service's host, a ws or wss URL, or `off` for polling; a list
    with one for each node, or one for all."""
    other_events: tuple[EventsUrl, ...] = ()
    """The channels of all nodes but the first, if `events` is not a list."""
    channel: EventChannel | None = None
    """Event channel with other settings, instead of `events`: `[profiles.NAME.channel]`."""
    username: NotEmpty | None = None
    """User name to log in with."""
    password_command: Command = ()
    """Command that prints the password on its first line of output. Runs without a shell. Here and in other commands, a
    program with a `/` is relative to this file."""
    login: Login = LoginSettings()
    """How to log in: `"session"` for a session of the service, `"token"` to use the OAuth2 token of `tokens.issue`
    directly, `{ url = …, grant = …, client_id = … }` for a token endpoint, or `{ command = … }` for the command of an
    identity provider."""
    variant: VariantName = "later"
    """Variant of the API contract that the core service uses."""
    provisioning_variant: VariantName = "later"
    """Variant of the API contract that the provisioning service uses."""
    present: Shown = CredentialField()
    """How requests send the token: `"bearer"`, `{ header = …, scheme = … }` or `{ query = … }`."""
    provisioning_present: Shown | None = None
    """How requests to the provisioning service send the token, if different."""
    provisioning_token_command: Command = ()
    """Command that prints the token of the provisioning service on its first line of output, if it is not the token of
    the core service. Runs without a shell."""
    headers: dict[HeaderName, HeaderSource] = field(default_factory=dict[str, HeaderSettings])
    """Further headers of every request and of the event channel, such as `{ "X-Tenant" = "7" }`, or for the key of a
    gateway `{ "X-Key" = { command = "pass gateway" } }` or `{ "X-Key" = { environment = "GATEWAY_KEY" } }`. `console
    config show` hides their values."""
    statuses: dict[Annotated[int, Meta(ge=300, le=599)], StatusMeaning] = field(
        default_factory=dict[int, StatusMeaning]
    )
    """Meanings of non-standard status codes, such as `{ 440 = "login" }`."""
    refusals: dict[NotEmpty, StatusMeaning] = field(default_factory=dict[str, StatusMeaning])
    """Meanings of refusals by a code or a part of the text in their bodies, such as `{ "session expired" = "login" }`,
    for a service that does not tell by the status code."""
    states: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """Words of this deployment for states, by list, with the words that the console knows:
    `[profiles.NAME.states.calls]` with `queuetimeout = "abandoned"`."""
    addresses: AddressForms | None = None
    """Forms of addresses in this deployment, such as `{ user = "wac-user:{id}", group = "wac-group:{id}" }`. Default:
    users as in the list of presences, otherwise as in the API contract."""
    tls_ca: File | None = None
    """File of CA certificates to trust instead of the system's."""
    tls_cert: File | None = None
    """Client certificate (PEM), if the service requires one."""
    tls_key: File | None = None
    """Key of the client certificate, if it is in a separate file."""
    proxy: ProxyUrl | None = None
    """Proxy to use."""
    proxy_command: Command = ()
    """Command that prints `user:password` for the proxy on its first line of output, if the proxy requires a login.
    Runs without a shell. Default: CONSOLE_PROXY_PASSWORD, in the same form."""
    trust_env: bool = False
    """Whether to use the proxies in environment variables, but for the hosts and networks in NO_PROXY. They can read
    the credentials of plain HTTP."""
    chats_per_agent: Annotated[int, Meta(ge=1, le=1000)] = 6
    """Open chats and conferences at which an agent gets no more when several chats are transferred by load."""
    production: bool = False
    """Whether this is a production service: red, and read-only unless `read_only` says otherwise."""
    read_only: bool | None = None
    """Whether to refuse all changes with this profile. Default: true for a production service."""
    colour: Colour | None = None
    """Colour of the profile's name and tab, to tell profiles apart. Default with several profiles: red for production,
    the others in turn."""
    max_rows: Annotated[int, Meta(ge=1_000, le=1_000_000)] = 50_000
    """Maximum number of rows to load for one list. A longer list is cut, and marked as cut."""
    page_size: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    """Rows per page of lists, for a service that limits them. Default: 500, and the limit that a refusal names."""
    times: ZoneName | None = None
    """Time zone of times that the service writes without one, such as `Europe/Madrid`. Default: UTC."""
    time_zone: ZoneName | None = None
    """Time zone for displayed times, such as `Europe/Madrid`. Default: the time zone of the machine."""
    record: bool = True
    """Whether to record the lists of this deployment while the console runs, unless `[recording]` says otherwise."""
    rules: dict[RuleName, RuleSettings] = field(default_factory=dict[str, RuleSettings])
    """Rules of this deployment, and changes of others: `[profiles.NAME.rules.wait]`. `docs/rules.md` describes them."""
    adapter: File | None = None
    """Python file with functions that change requests and answers, for what routes cannot say, or the name of an
    installed one. It is trusted, and sees every credential: see `docs/your-backend.md`. Relative to this file.
    """
    routes: File | None = None
    """Routes file with the methods and paths that differ in this deployment. Relative to this file."""

    @property
    def refuses_changes(self) -> bool:
        """Whether all changes are refused."""
        return self.production if self.read_only is None else self.read_only

    def faults(self) -> Iterator[tuple[str, str]]:
        """Report a key without its certificate, a channel that is named twice, and headers that are set elsewhere."""
        if self.tls_key is not None and self.tls_cert is None:
            yield "tls_key", "needs tls_cert"
        for key in ("other_provisioning", "other_events"):
            if getattr(self, key) and len(getattr(self, key)) != len(self.other_core):
                yield key.removeprefix("other_"), "must have one entry for each one of core"
        if self.channel is not None and self.events != "auto":
            yield "events", "cannot be combined with channel: set channel.url instead"
        shown = {shows.header.lower() for shows in (self.present, self.provisioning_present) if shows is not None}
        for name in self.headers:
            if name.lower() in shown | {"authorization"}:
                yield f"headers.{name}", "carries the token: use present, and login for the token"
            elif name.lower() in _OWN_HEADERS:
                yield f"headers.{name}", "is set by the console"


class ThresholdLevels(Settings):
    """Thresholds of a number. Ages in seconds."""

    warn: float
    """Threshold for a warning."""
    bad: float
    """Threshold for critical."""


class SavedView(Settings):
    """Filter, order and columns of a list, saved under a name. Missing parts do not change when the view is chosen."""

    filter: str = ""
    """Filter, as typed after `/`; empty for all rows."""
    sort: str = ""
    """Column to sort by, with `-` before it for descending."""
    columns: tuple[str, ...] = ()
    """Columns, in order."""


class Config(Settings):
    """The configuration, with defaults."""

    profile: str | None = None
    """Profile to use by default."""
    profiles: dict[str, Profile] = field(default_factory=dict[str, Profile])
    """Deployments, by name."""
    theme: str = "dark"
    """Theme: the name of a file in `themes/` of the program or next to your configuration."""
    symbols: Literal["full", "plain", "ascii"] = "full"
    """Set of symbols: `full` draws charts with braille dots, `plain` with blocks that every font has. Without this key
    it is `full`, or `plain` if the terminal or its locale may not show braille; `console info` says why."""
    keys: dict[str, str] = field(default_factory=dict[str, str])
    """Key map: action id to a key, or to several keys separated by commas. `docs/keys.md` and the help screen list the
    defaults."""
    hold_seconds: Annotated[float, Meta(ge=0, le=30)] = 3.0
    """Seconds to wait before sending a small change that has no inverse; `u` cancels it in that time. 0 for no wait."""
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Columns of each list, in order."""
    views: dict[str, dict[str, SavedView]] = field(default_factory=dict[str, dict[str, SavedView]])
    """Saved views, by list and name. The console writes them here."""
    bell: bool = True
    """Whether notices may ring the terminal bell."""
    notices: NoticeSettings = NoticeSettings()
    """How you are told about episodes of rules: `[notices]`."""
    wallboard: WallboardSettings = WallboardSettings()
    """Boards of `console wallboard` and `W`: `[wallboard]`."""
    recording: RecordingSettings = RecordingSettings()
    """Recording while the console runs: `[recording]`."""
    thresholds: dict[str, ThresholdLevels] = field(default_factory=dict[str, ThresholdLevels])
    """Warning and critical thresholds by `list.column`: `"calls.wait" = { warn = 60, bad = 120 }`. Ages in seconds."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Report an unknown default profile."""
        if self.profile is not None and self.profile not in self.profiles:
            near = get_close_matches(self.profile, self.profiles, n=1)
            known = f"; did you mean {near[0]}?" if near else ""
            yield "profile", f"profile {self.profile!r} is not defined in profiles{known}"
