"""The context of all screens: the backend, the caller, and the display settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from console.api.annotations import Service, Variant
from console.api.request import declared
from console.api.services import not_offered
from console.base.clock import Clock
from console.client.endpoint import Endpoint
from console.commands.action import IN_THE_PAST, Situation
from console.config.paths import Places
from console.config.schema import ENVIRONMENT_PROFILE, Config, Profile, SavedView
from console.kinds.agents.facts import Covers
from console.kinds.calls.facts import Waits
from console.kinds.catalogue import FEEDS, LIVE, RESOURCES
from console.kinds.keymap import format_key, in_the_past, key_map
from console.kinds.presence.asked import AskedPresence
from console.kinds.presence.facts import ASKED
from console.kinds.scope import nobody_waits
from console.live.backend_api import BackendApi
from console.live.command import Stage
from console.live.delta import Freshness
from console.live.rest import Worker
from console.live.store import Store
from console.recording.files import recording_file
from console.recording.notes import Notes, notes_file
from console.records import state_words
from console.records.addresses import CONTRACT, Addresses, configured_addresses, learnt_addresses
from console.records.extent import Extent
from console.records.people import name_of
from console.ui.screens.remembered import texts_file
from console.views.cell import Tone
from console.views.chart import CHANGE
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold

if TYPE_CHECKING:
    from console.api.operation import Operation
    from console.live.command import Ticket
    from console.recording.identities import Identity
    from console.recording.past import Past
    from console.records.people import Capabilities
    from console.records.record import Record
    from console.rules.watch import Watch

_WRITTEN = {"escape": "esc", "shift+up": "shift+↑", "shift+down": "shift+↓", "right_square_bracket": "]"}

Arrangement = tuple[tuple[str, bool], tuple[str, ...]]
"""How a list is sorted: column and whether descending; and its columns."""
_CLOSING = ("view.quit", "view.help", "view.activity")


@dataclass
class AppContext:
    """The objects that all screens of a profile share."""

    backend: BackendApi
    config: Config
    profile_name: str
    profile: Profile
    clock: Clock
    zone: ZoneInfo
    places: Places
    """The directories of this operator's files."""
    identity: Callable[[], Identity | None] = lambda: None
    """Returns the account whose files are shown: the connected one, otherwise the last one; None if there was none."""
    thresholds: Mapping[str, Threshold] = field(default_factory=dict[str, Threshold])
    """Warning and critical levels by `list.column`."""
    endpoint: Endpoint | None = None
    """The deployment with its routes. Without it, the available operations follow from the profile alone."""
    jumps: list[tuple[str, str, str, bool]] = field(default_factory=list[tuple[str, str, str, bool]])
    """The screens left, the newest last: screen, kind, key, and whether the operator followed a link to another
    record.
    """
    views: dict[str, dict[str, SavedView]] = field(default_factory=dict[str, dict[str, SavedView]])
    """The operator's own views by kind and name, for the lists whose views were opened."""
    arranged: dict[tuple[str, str], Arrangement] = field(default_factory=dict[tuple[str, str], "Arrangement"])
    """How the operator arranged lists, by screen and kind. A profile and its past share it."""
    opened_sections: dict[str, bool] = field(default_factory=dict[str, bool])
    """Whether the operator opened or closed sections in details, by their ids: the raw record."""
    settled: set[int] = field(default_factory=set[int])
    """Numbers of the commands whose conflict has been shown."""

    quiet: bool = False
    """Whether only arrived data can change the screen on this refresh: no recent key, and no new second.

    Texts that depend on anything else are not computed again then: they were most of the cost of an idle screen.
    """
    busy: bool = False
    """Whether data arrives all the time. What surrounds the rows is then updated once a second, and by keys."""
    worker: Worker = field(default_factory=Worker)
    _notes: tuple[str, Notes] | None = None
    _addresses: Addresses | None = None
    """The forms of addresses, once known."""
    _lacking: tuple[Endpoint | None, Capabilities | None, int, Mapping[str, str]] | None = None
    """The answer of `lacking`, after the endpoint, the capabilities and the number of operations for which it holds."""

    mode_prefix: str = ""
    """Distinguishes the screens of this profile from another profile's in the same console."""
    colour: Tone | None = None
    """Tone of the profile's name and tab, if there are several profiles."""

    watch: Watch | None = None
    """The rules, and what they found."""
    past: Past | None = None
    """The recording that is shown instead of the service."""
    file: str = ""
    """The name of that recording if there is no service to return to, else empty."""

    opened_ms: int = 0
    """When the profile was opened in this console, in ms since the epoch."""

    elsewhere: Callable[[], tuple[Ticket, ...]] = tuple
    """Returns the commands of the other profiles of this console."""

    def __post_init__(self) -> None:
        """Note when it was created."""
        self.opened_ms = self.opened_ms or self.clock.now_ms()

    @cached_property
    def profile_title(self) -> str:
        """The name of the profile as shown: the host of one that comes from the environment."""
        if self.profile_name == ENVIRONMENT_PROFILE:
            return urlsplit(self.profile.core).hostname or self.profile_name
        return self.profile_name

    @property
    def notes(self) -> Notes | None:
        """The hand-over notes of the service; None until it is known."""
        identity = self.identity()
        if identity is None:
            return None
        if self._notes is None or self._notes[0] != identity.service.key:
            self._notes = identity.service.key, Notes(notes_file(self.places, identity.service.key))
        return self._notes[1]

    @property
    def recording(self) -> Path | None:
        """The recording that is shown, otherwise the account's; None if there can be none."""
        if self.past is not None:
            return self.past.recording.path
        identity = self.identity()
        return None if identity is None else recording_file(self.places, identity.key)

    @property
    def texts(self) -> Path | None:
        """The file of texts that the account typed before; None if it is unknown."""
        identity = self.identity()
        return None if identity is None else texts_file(self.places, identity.key)

    @property
    def who(self) -> str:
        """The name of the logged-in user, otherwise the id; empty if nobody is."""
        return name_of(self.backend.me)

    def mode_of(self, screen: str) -> str:
        """Return the name of the mode with a screen of this profile."""
        return self.mode_prefix + screen

    @cached_property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Action or view key id to the keys that trigger it, after the configuration's key map."""
        keys = key_map(self.config.keys).keys
        return keys if self.past is None else in_the_past(keys)

    @property
    def why_no_rules(self) -> str:
        """Why nothing can be changed about rules and episodes, if `watch` is None."""
        return "Rules are off." if self.past is None else IN_THE_PAST

    @property
    def heard(self) -> frozenset[str]:
        """The lists that rules watch: they are kept fresh while another profile is shown."""
        rules = self.watch.rules if self.watch is not None else ()
        return frozenset(rule.list for rule in rules if rule.enabled)

    @property
    def watched(self) -> tuple[str, ...]:
        """The lists of the service that rules watch. All must be listed before all can be well.

        Extensions, which a deployment may lack, are left out.
        """
        rules = self.watch.rules if self.watch is not None else ()
        lists = dict.fromkeys(rule.list for rule in rules if rule.enabled)
        return tuple(name for name in lists if name in FEEDS and not FEEDS[name].extension)

    @property
    def user_id(self) -> str:
        """The caller's id, empty before the first answer."""
        me = self.backend.me
        return me.user.id if me and me.user.identified else ""

    @cached_property
    def waits(self) -> Waits:
        """All waiting calls. Shared by the screens, since each shows the longest."""
        return Waits(partial(self.backend.delta, "calls"))

    @cached_property
    def covers(self) -> Covers:
        """The availability of all agents, for the screen's thread."""
        return Covers(partial(self.backend.delta, "agents"))

    @cached_property
    def store(self) -> Store:
        """Data that is requested only while it is displayed."""
        return Store(lambda: self.backend, self.clock, self.profile.max_rows)

    @cached_property
    def asked(self) -> AskedPresence:
        """The presence of visible users whom the caller does not follow."""
        return AskedPresence(self.store)

    @property
    def addresses(self) -> Addresses:
        """The forms of the deployment's addresses: configured, otherwise learnt from the first known presence."""
        if self._addresses is None:
            known = self.backend.records
            self._addresses = configured_addresses(self.profile.addresses) or learnt_addresses(
                self.user_id, known("presence"), known("users")
            )
        return self._addresses or CONTRACT

    def lookup(self, kind: str) -> Mapping[str, Record]:
        """Return the known records of a kind: those that are followed, or that were requested."""
        if kind in LIVE:
            return self.backend.records(kind)
        if kind == ASKED:
            return self.asked.rows
        return self.store.records(kind)

    def extent(self, kind: str) -> Extent:
        """Return how much of a kind is known."""
        if kind in LIVE:
            return self.backend.extent(kind)
        return self.store.extent(kind) if kind in RESOURCES else Extent.WHOLE

    def total(self, kind: str) -> int | None:
        """Return the total number of rows of a list that is known in part, if the service tells."""
        return self.backend.health(kind).total if kind in LIVE else None

    def changes(self) -> Sequence[tuple[float, str]]:
        """Return moment, in ms since the epoch, and words of own changes that took effect, in the order of time."""
        if self.past is not None:
            now = self.clock.now_ms()
            events = self.past.events()
            return [(event.at_ms, event.words) for event in events if event.sign == CHANGE and event.at_ms <= now]
        return [
            (ticket.decided_at, f"{done[0]}, and {len(done) - 1} more" if len(done) > 1 else done[0])
            for ticket in reversed(self.backend.commands.tickets())
            if (done := [outcome.step.words for outcome in ticket.outcomes if outcome.stage is Stage.DONE])
        ]

    def render_context(self) -> RenderContext:
        """Return the render context of this moment."""
        me = self.backend.me
        return RenderContext(
            now_ms=self.clock.now_ms(),
            zone=self.zone,
            me=self.user_id,
            domain=(me.user.domain or "") if me else "",
            lookup=self.lookup,
            extent=self.extent,
            total=self.total,
            changes=self.changes,
            symbols=self.config.symbols,
            role=state_words.role(me.user.role) or "user" if me else "",
            thresholds=self.thresholds,
            addresses=self.addresses,
            chats_per_agent=self.profile.chats_per_agent,
            past=self.past is not None,
        )

    def why_no_wait(self) -> str:
        """Return why there is no waiting call to go to: none is visible to the caller, or the calls are unknown."""
        health = self.backend.health("calls")
        if health.extent is not Extent.UNKNOWN:
            return nobody_waits(self.render_context())
        refused = health.state is Freshness.REFUSED
        return f"The service does not show you calls: {health.reason}" if refused else "The calls are still loading."

    def why_no_chat(self) -> str:
        """Return why there is no support chat to go to: there is none, or the chats are unknown."""
        unknown = [
            health for kind in ("chats", "agents") if (health := self.backend.health(kind)).extent is Extent.UNKNOWN
        ]
        if not unknown:
            return "There are no support chats."
        reason = next((health.reason for health in unknown if health.reason), "")
        return f"Support chats are not known: {reason}" if reason else "The support chats are still loading."

    def situation(self, selected: Record | None = None) -> Situation:
        """Return the situation for deciding what the operator may do."""
        user = self.backend.me.user if self.backend.me else None
        return Situation(
            render=self.render_context(),
            user_id=user.id if user else "",
            username=(user.username or "") if user else "",
            role=(state_words.role(user.role) or "user") if user else "anonymous",
            read_only=self.profile.refuses_changes,
            selected=selected,
            variant=Variant(self.profile.variant),
            session_id=self.backend.session_id,
            lacking=self.lacking,
        )

    @property
    def lacking(self) -> Mapping[str, str]:
        """The operations that the deployment or the caller's domain does not have, by name with the reason."""
        # Modules of operations are imported on demand.
        offered, operations = self.backend.capabilities, len(declared)
        known = self._lacking
        if known is None or known[0] is not self.endpoint or known[1] is not offered or known[2] != operations:
            self._lacking = known = self.endpoint, offered, operations, self._lacking_now(offered)
        return known[3]

    def _lacking_now(self, offered: Capabilities | None) -> Mapping[str, str]:
        endpoint = self.endpoint or Endpoint(
            self.profile.core,
            self.profile.provisioning,
            variant=self.variant(Service.CORE),
            provisioning_variant=self.variant(Service.PROVISIONING),
        )
        lacking: dict[str, str] = {}
        for operation in [request.operation for request in declared]:
            reason = endpoint.lacks(operation) or (not_offered(offered.domain, operation.name) if offered else None)
            if reason is not None:
                lacking[operation.name] = reason
        return lacking

    def lacks(self, operation: Operation) -> str | None:
        """Return why the deployment or the caller's domain does not have an operation, None if it does."""
        return self.lacking.get(operation.name)

    def variant(self, service: Service) -> Variant:
        """Return the variant of one of the profile's services."""
        profile = self.profile
        return Variant(profile.variant if service is Service.CORE else profile.provisioning_variant)

    @property
    def closing_keys(self) -> frozenset[str]:
        """The keys that close read-only dialogs: the keys of back, help and own changes."""
        return frozenset(key for name in _CLOSING for key in self.keys.get(name, ()))

    def press(self, identifier: str, does: str) -> str:
        """Return the sentence that names the key of an action and what it does; empty if it has none."""
        key = self.key_words(identifier)
        return f"Press {key} to {does}." if key else ""

    def key_words(self, identifier: str) -> str:
        """Return the first key of an action as shown to people: `^r`, `space`, `/`."""
        return self.first_keys.get(identifier, "")

    @cached_property
    def first_keys(self) -> Mapping[str, str]:
        """The first key of each action and view key that has one, as shown to people."""
        return {name: _WRITTEN.get(keys[0]) or format_key(keys[0]) for name, keys in self.keys.items() if keys}
