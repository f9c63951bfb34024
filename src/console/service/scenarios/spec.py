"""The file of a scenario: numbers of records, rates of events, and records to add unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from console.base.frozen import field
from console.config.paths import resource_dir
from console.config.settings import Meta, Settings, read_file
from console.config.toml_source import ConfigFault, FileProblem

Count = Annotated[int, Meta(ge=0)]
Rate = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
Span = Annotated[float, Meta(gt=0)]


def fault(message: str, key: str = "") -> ConfigFault:
    """Return the error of a scenario that cannot be used."""
    return ConfigFault([FileProblem(None, 0, key, message)])


class People(Settings):
    """The users. The five seeded accounts count towards `users` and `agents`."""

    users: Annotated[int, Meta(ge=5)] = 5
    agents: Count = 3
    online: Share = 0.0
    """Share of the users who are online."""


class Calls(Settings):
    """Calls at the start, and new ones."""

    listed: Count = 0
    """Number of calls; the simulator keeps it about constant."""
    live: Count = 0
    """Number of them that are ringing, queued or connected."""
    queued: Count = 0
    """Number of live calls that wait in a queue."""
    failing: Share = 0.02
    """Share of calls that end in `servererror`."""
    per_minute: Rate = 0.0
    talk_seconds: Span = 180.0
    patience_seconds: Span = 150.0
    """Mean time in seconds that a caller waits in a queue before hanging up."""
    through_queues: Share = 0.6
    """Share of the calls from outside to a service number."""


class Conferences(Settings):
    """Conferences at the start, and new ones."""

    listed: Count = 0
    active: Count = 0
    per_hour: Rate = 0.0


class Chats(Settings):
    """Support chats at the start, and new ones."""

    open: Count = 0
    held: dict[str, int] = field(default_factory=dict[str, int])
    """Number of open chats that these agents have, by user name."""
    per_hour: Rate = 0.0
    minutes: Span = 12.0


class Alerts(Settings):
    """Alerts at the start, by state, and new ones."""

    active: Count = 0
    accepted: Count = 0
    expired: Count = 0
    canceled: Count = 0
    per_hour: Rate = 0.0


class Meetings(Settings):
    """Meetings at the start: half belong to conferences, the others are in the future."""

    listed: Count = 0


class MissedCalls(Settings):
    """Missed calls at the start."""

    listed: Count = 0
    """Number for each seeded account."""


class Recordings(Settings):
    """Recordings at the start: the number of answered calls with a recording."""

    listed: Count = 0


class Contacts(Settings):
    """Contacts and phonebooks."""

    static: Count = 0
    """Number of static contacts of the domain; it has half as many in the cloud."""
    personal: Count = 0
    """Number of user contacts of each seeded account, and of its contacts in backends."""
    phonebooks: Count = 0


class Groups(Settings):
    """Groups: their number, and the number owned by eva."""

    count: Count = 0
    owned_by_eva: Count = 0


class Quality(Settings):
    """Call alarms at the start, and new ones."""

    alarms: Count = 0
    per_hour: Rate = 0.0


class Reach(Settings):
    """Addresses of users, except by calls."""

    sip_identities: Count = 0
    """SIP identities in the domain's pool."""
    sip_spare: Count = 0
    """Number of them without a mapping; the others are mapped to accounts, groups and users in turn."""
    with_push: Share = 0.0
    """Share of the users who have a device with a push token."""
    resolved: Count = 0
    """Number of users that each account has resolved."""
    caller_ids: Annotated[int, Meta(ge=0, le=20)] = 0
    """Entries of the caller-id table."""


class SkillPlan(Settings):
    """A skill, which is also a queue: its number of agents, and its telephone number."""

    skill: str
    agents: Count = 0
    number: str | None = None


class DomainPlan(Settings):
    """A domain below another, by default the scenario's own, with its differences from the defaults."""

    domain: str
    parent: str | None = None
    share: Share = 0.0
    """Share of the generated users that belong to it."""
    origins: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    anonymous: bool = False
    anonymous_capabilities: tuple[str, ...] = ()
    recording: str | None = None
    """Recording type of its users' calls; without it, the domain has no permissions."""
    profile: str = "always"
    voicemail: bool = False


class ClientPlan(Settings):
    """A registered OAuth2 client."""

    name: str
    redirect_uri: str | None = None


class TemplatePlan(Settings):
    """An alert template with the names of its receivers."""

    id: str
    title: str
    payload: str
    retries: Count = 3
    every_ms: Count = 60_000
    expires_ms: Count | None = None
    receivers: tuple[str, ...] = ()


class Records(Settings):
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


class WorldSpec(Settings):
    """The content of a scenario's file."""

    title: str
    about: str = ""
    domain: str = "desk.example"
    seed: int = 1
    people: People = People()
    calls: Calls = Calls()
    conferences: Conferences = Conferences()
    meetings: Meetings = Meetings()
    missed_calls: MissedCalls = MissedCalls()
    recordings: Recordings = Recordings()
    contacts: Contacts = Contacts()
    chats: Chats = Chats()
    alerts: Alerts = Alerts()
    groups: Groups = Groups()
    quality: Quality = Quality()
    reach: Reach = Reach()
    skills: tuple[SkillPlan, ...] = ()
    templates: tuple[TemplatePlan, ...] = ()
    domains: tuple[DomainPlan, ...] = ()
    clients: tuple[ClientPlan, ...] = ()
    records: Records = Records()


def worlds() -> dict[str, Path]:
    """Return the files of the included scenarios in `seeds`, by name."""
    try:
        return {file.stem: file for file in sorted(resource_dir("seeds").glob("*.toml"))}
    except FileNotFoundError as error:
        raise fault(str(error)) from error


def find_world(name: str | Path) -> Path:
    """Return the file of a scenario, given by name or as the path of a `.toml` file. Raise ConfigFault."""
    if isinstance(name, Path) or name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise fault(f"there is no world file {path}")
        return path
    known = worlds()
    if name not in known:
        raise fault(f"there is no world {name!r}; use one of {', '.join(known)} or the path of a .toml file")
    return known[name]


def load_spec(name: str | Path) -> WorldSpec:
    """Read and check a scenario's file. Raise ConfigFault with all errors and their lines."""
    return read_file(WorldSpec, find_world(name))
