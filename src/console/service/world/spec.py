"""The file of a scenario: numbers of records, rates of events, and records to add unchanged."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from console.paths import resource_dir


class WorldFault(Exception):
    """A scenario's file cannot be used; the message contains the file and the reason."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class People(_Part):
    """The users. The five seeded accounts count towards `users` and `agents`."""

    users: int = Field(default=5, ge=5)
    agents: int = Field(default=3, ge=0)
    online: float = Field(default=0.0, ge=0, le=1)
    """Share of the users who are online."""


class Calls(_Part):
    """Calls at the start, and new ones."""

    listed: int = Field(default=0, ge=0)
    """Number of calls; the simulator keeps it about constant."""
    live: int = Field(default=0, ge=0)
    """Number of them that are ringing, queued or connected."""
    queued: int = Field(default=0, ge=0)
    """Number of live calls that wait in a queue."""
    failing: float = Field(default=0.02, ge=0, le=1)
    """Share of calls that end in `servererror`."""
    per_minute: float = Field(default=0.0, ge=0)
    talk_seconds: float = Field(default=180.0, gt=0)
    patience_seconds: float = Field(default=150.0, gt=0)
    """Mean time in seconds that a caller waits in a queue before hanging up."""
    through_queues: float = Field(default=0.6, ge=0, le=1)
    """Share of the calls from outside to a service number."""


class Conferences(_Part):
    """Conferences at the start, and new ones."""

    listed: int = Field(default=0, ge=0)
    active: int = Field(default=0, ge=0)
    per_hour: float = Field(default=0.0, ge=0)


class Chats(_Part):
    """Support chats at the start, and new ones."""

    open: int = Field(default=0, ge=0)
    held: dict[str, int] = Field(default_factory=dict[str, int])
    """Number of open chats that these agents have, by user name."""
    per_hour: float = Field(default=0.0, ge=0)
    minutes: float = Field(default=12.0, gt=0)


class Alerts(_Part):
    """Alerts at the start, by state, and new ones."""

    active: int = Field(default=0, ge=0)
    accepted: int = Field(default=0, ge=0)
    expired: int = Field(default=0, ge=0)
    canceled: int = Field(default=0, ge=0)
    per_hour: float = Field(default=0.0, ge=0)


class Meetings(_Part):
    """Meetings at the start: half belong to conferences, the others are in the future."""

    listed: int = Field(default=0, ge=0)


class MissedCalls(_Part):
    """Missed calls at the start."""

    listed: int = Field(default=0, ge=0)
    """Number for each seeded account."""


class Recordings(_Part):
    """Recordings at the start: the number of answered calls with a recording."""

    listed: int = Field(default=0, ge=0)


class Contacts(_Part):
    """Contacts and phonebooks."""

    static: int = Field(default=0, ge=0)
    """Number of static contacts of the domain; it has half as many in the cloud."""
    personal: int = Field(default=0, ge=0)
    """Number of user contacts of each seeded account, and of its contacts in backends."""
    phonebooks: int = Field(default=0, ge=0)


class Groups(_Part):
    """Groups: their number, and the number owned by eva."""

    count: int = Field(default=0, ge=0)
    owned_by_eva: int = Field(default=0, ge=0)


class Quality(_Part):
    """Call alarms at the start, and new ones."""

    alarms: int = Field(default=0, ge=0)
    per_hour: float = Field(default=0.0, ge=0)


class Reach(_Part):
    """Addresses of users, except by calls."""

    sip_identities: int = Field(default=0, ge=0)
    """SIP identities in the domain's pool."""
    sip_spare: int = Field(default=0, ge=0)
    """Number of them without a mapping; the others are mapped to accounts, groups and users in turn."""
    with_push: float = Field(default=0.0, ge=0, le=1)
    """Share of the users who have a device with a push token."""
    resolved: int = Field(default=0, ge=0)
    """Number of users that each account has resolved."""
    caller_ids: int = Field(default=0, ge=0, le=20)
    """Entries of the caller-id table."""


class SkillPlan(_Part):
    """A skill, which is also a queue: its number of agents, and its telephone number."""

    skill: str
    agents: int = Field(default=0, ge=0)
    number: str | None = None


class DomainPlan(_Part):
    """A domain below another, by default the scenario's own, with its differences from the defaults."""

    domain: str
    parent: str | None = None
    share: float = Field(default=0.0, ge=0, le=1)
    """Share of the generated users that belong to it."""
    origins: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    anonymous: bool = False
    anonymous_capabilities: tuple[str, ...] = ()
    recording: str | None = None
    """Recording type of its users' calls; without it, the domain has no permissions."""
    profile: str = "always"
    voicemail: bool = False


class ClientPlan(_Part):
    """A registered OAuth2 client."""

    name: str
    redirect_uri: str | None = None


class TemplatePlan(_Part):
    """An alert template with the names of its receivers."""

    id: str
    title: str
    payload: str
    retries: int = Field(default=3, ge=0)
    every_ms: int = Field(default=60_000, ge=0)
    expires_ms: int | None = Field(default=None, ge=0)
    receivers: tuple[str, ...] = ()


class Records(_Part):
    """Records in wire format to add unchanged to the generated ones."""

    users: tuple[dict[str, Any], ...] = ()
    groups: tuple[dict[str, Any], ...] = ()
    skills: tuple[dict[str, Any], ...] = ()
    calls: tuple[dict[str, Any], ...] = ()
    conferences: tuple[dict[str, Any], ...] = ()
    presences: tuple[dict[str, Any], ...] = ()
    agents: tuple[dict[str, Any], ...] = ()
    chats: tuple[dict[str, Any], ...] = ()
    alerts: tuple[dict[str, Any], ...] = ()
    templates: tuple[dict[str, Any], ...] = ()
    alarms: tuple[dict[str, Any], ...] = ()
    meetings: tuple[dict[str, Any], ...] = ()
    missed_calls: tuple[dict[str, Any], ...] = ()
    recordings: tuple[dict[str, Any], ...] = ()
    contacts: tuple[dict[str, Any], ...] = ()
    user_contacts: tuple[dict[str, Any], ...] = ()
    static_contacts: tuple[dict[str, Any], ...] = ()
    phonebooks: tuple[dict[str, Any], ...] = ()


class WorldSpec(_Part):
    """The content of a scenario's file."""

    title: str
    about: str = ""
    domain: str = "desk.example"
    seed: int = 1
    people: People = Field(default_factory=People)
    calls: Calls = Field(default_factory=Calls)
    conferences: Conferences = Field(default_factory=Conferences)
    meetings: Meetings = Field(default_factory=Meetings)
    missed_calls: MissedCalls = Field(default_factory=MissedCalls)
    recordings: Recordings = Field(default_factory=Recordings)
    contacts: Contacts = Field(default_factory=Contacts)
    chats: Chats = Field(default_factory=Chats)
    alerts: Alerts = Field(default_factory=Alerts)
    groups: Groups = Field(default_factory=Groups)
    quality: Quality = Field(default_factory=Quality)
    reach: Reach = Field(default_factory=Reach)
    skills: tuple[SkillPlan, ...] = ()
    templates: tuple[TemplatePlan, ...] = ()
    domains: tuple[DomainPlan, ...] = ()
    clients: tuple[ClientPlan, ...] = ()
    records: Records = Field(default_factory=Records)


def worlds() -> dict[str, Path]:
    """Return the files of the included scenarios in `seeds`, by name."""
    try:
        return {file.stem: file for file in sorted(resource_dir("seeds").glob("*.toml"))}
    except FileNotFoundError as error:
        raise WorldFault(str(error)) from error


def find_world(name: str | Path) -> Path:
    """Return the file of a scenario, given by name or as the path of a `.toml` file. Raise WorldFault."""
    if isinstance(name, Path) or name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise WorldFault(f"there is no world file {path}")
        return path
    known = worlds()
    if name not in known:
        raise WorldFault(f"there is no world {name!r}; use one of {', '.join(known)} or the path of a .toml file")
    return known[name]


def load_spec(name: str | Path) -> WorldSpec:
    """Read and check a scenario's file. Raise WorldFault with the file and all errors."""
    path = find_world(name)
    try:
        return WorldSpec.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WorldFault(f"{path}: {error}") from error
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(str(part) for part in each['loc'])}: {each['msg']}" for each in error.errors())
        raise WorldFault(f"{path}: {faults}") from error
