"""Rows for commands: kind, columns, order, and related kinds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from console.api.errors import ApiError, NotFound, NotOffered
from console.api.listed import PAGE, first_page
from console.api.request import Request
from console.base.clock import SystemClock
from console.base.frozen import Frozen, replace
from console.base.zone import zone_of
from console.cli.exits import Exit, Failure
from console.cli.lists.resources import all_rows, listed
from console.client.client import Client
from console.config.schema import Config, Profile
from console.config.settings import nearest
from console.kinds.calls.facts import may_wait
from console.kinds.catalogue import DERIVED, FEEDS, LIVE, RESOURCES, THRESHOLDS
from console.kinds.resources import list_of
from console.kinds.scope import hides_those_of_others
from console.kinds.tables import TABLES
from console.live.backend_api import ListsApi
from console.live.bounds import Bounds
from console.live.delta import Delta, Freshness, Health
from console.live.listing import Lister
from console.records import state_words
from console.records.addresses import CONTRACT, configured_addresses, learnt_addresses
from console.records.extent import Extent
from console.records.people import User
from console.records.record import Record
from console.views.filter import Filter, FilterFault, parse
from console.views.render_context import RenderContext
from console.views.table import Column, Table
from console.views.thresholds import configured
from console.views.view import View

_COMPUTED = frozenset(DERIVED.keys() & TABLES.keys())
"""Computed lists that a single look at their sources can tell; the others need observation."""
ROUNDS = 4
"""Most rounds of loading further kinds that rendering requires."""


class Wanted(Frozen):
    """The rows and columns to show."""

    table: Table[Any]
    columns: tuple[Column[Any], ...]
    filter: Filter[Any] | None
    sort: tuple[str, bool]
    expects: bool = False
    """Whether the number of matching rows is compared."""

    def view(self, render: RenderContext) -> View[Any]:
        """Return a view with these settings."""
        view: View[Any] = View(self.table, render)
        view.set_sort(*self.sort)
        view.set_filter(self.filter)
        return view

    def possible_matches(self, view: View[Any]) -> range:
        """Return how many rows of a view may match: several numbers if that depends on what is not known.

        Only an expectation needs to know, since asking takes several times as long as matching.
        """
        if not self.expects:
            return range(view.matched, view.matched + 1)
        render = view.render_context
        unlisted = may_wait(render) if view.table.kind == "queues" else 0
        if self.filter is None:
            return range(view.matched, view.matched + unlisted + 1)
        found = [self.filter.matches_if_known(record, render) for record in view.records.values()]
        least = found.count(True)
        return range(least, least + found.count(None) + unlisted + 1)


def watched() -> tuple[str, ...]:
    """Return the lists that are kept up to date, and can be watched."""
    return tuple(kind for kind in (*FEEDS, *DERIVED) if kind in TABLES)


def check_name(name: str, known: Sequence[str]) -> None:
    """Raise Failure with the nearest valid name for an unknown list."""
    if name not in known:
        known_once = ", ".join(dict.fromkeys(known))
        raise Failure(Exit.USAGE, f"unknown list {name!r}{nearest(name, known) or f'; known: {known_once}'}")


def wanted(
    name: str,
    filter: str,
    sort: str | None,
    columns: str | None,
    config: Config,
    table: Table[Any] | None = None,
    *,
    expects: bool = False,
) -> Wanted:
    """Parse the arguments for a list that is kept up to date, or for `table`.

    Raise Failure with the nearest valid word.
    """
    if table is None:
        check_name(name, watched())
        table = TABLES[name]
    try:
        read = parse(filter, table)
    except FilterFault as fault:
        raise Failure(Exit.USAGE, f"--filter: {fault}") from None
    order = sort or table.order
    column = _column(table, order.lstrip("-+"), "--sort")
    if columns is None:
        chosen = _chosen(table, config.columns.get(name, ()), f"columns.{name}")
        chosen = chosen or tuple(column for column in table.columns if column.priority < 9)
    elif columns.strip() == "all":
        chosen = table.columns
    else:
        chosen = _chosen(table, [part.strip() for part in columns.split(",")], "--columns")
    return Wanted(table, chosen, None if read.empty else read, (column.id, order.startswith("-")), expects)


def _chosen(table: Table[Any], ids: Sequence[str], option: str) -> tuple[Column[Any], ...]:
    """Return columns in the order of their ids. Raise Failure if one is unknown, missing or repeated."""
    chosen: dict[str, Column[Any]] = {}
    for value in ids:
        if value == "all":
            raise Failure(Exit.USAGE, f"{option}: 'all' cannot be combined with columns")
        if not value:
            raise Failure(Exit.USAGE, f"{option}: a name is missing; write columns separated by commas, or all")
        if value in chosen:
            raise Failure(Exit.USAGE, f"{option}: {value!r} is repeated")
        chosen[value] = _column(table, value, option)
    return tuple(chosen.values())


def _column(table: Table[Any], column_id: str, option: str) -> Column[Any]:
    ids = [column.id for column in table.columns]
    if column_id not in ids:
        near = nearest(column_id, ids) or f"; known: {', '.join(ids)}"
        raise Failure(Exit.USAGE, f"{option}: {table.kind} have no column {column_id!r}{near}")
    return table.column(column_id)


@dataclass
class LoadedKinds:
    """Other kinds for rendering rows. Notes the requested ones, so that only those are loaded."""

    records: dict[str, Mapping[str, Record]] = field(default_factory=dict[str, Mapping[str, Record]])
    missed: set[str] = field(default_factory=set[str])
    own: set[str] = field(default_factory=set[str])
    """Kinds of which the caller may list only their own records."""
    unlisted: set[str] = field(default_factory=set[str])
    """Kinds that could not be listed."""
    cut: set[str] = field(default_factory=set[str])
    """Kinds that have more rows than were loaded."""
    faults: list[str] = field(default_factory=list[str])
    """Messages about kinds that could not be listed."""
    render: Callable[[], RenderContext] = field(default=lambda: RenderContext(SystemClock().now_ms(), zone_of(None)))
    """Returns the render context, for lists that are computed."""

    def note(self, kind: str, error: ApiError) -> None:
        """Note that a kind could not be listed. Most deployments lack the lists outside the contract."""
        feed = FEEDS.get(kind)
        if feed is None or not feed.extension or not isinstance(error, NotFound | NotOffered):
            self.faults.append(f"{kind} could not be listed ({error.reason}), so some names are missing")
        self.records[kind] = {}
        self.unlisted.add(kind)

    def extent(self, kind: str) -> Extent:
        """Return how much of a kind was loaded; a list that was not loaded is noted as missing."""
        if kind not in LIVE and kind not in RESOURCES:
            return Extent.WHOLE
        if kind in self.unlisted or not (kind in self.records or self(kind)):
            return Extent.UNKNOWN
        return Extent.PART if kind in self.cut else Extent.WHOLE

    def compute(self, kind: str) -> None:
        """Compute a list from loaded ones; figures that need observation are empty."""
        derived_kind = DERIVED[kind].load_derived()(kind, FetchedOnce(self), self.render)
        derived_kind.update()
        self.records[kind] = derived_kind.collection.copy()

    def __call__(self, kind: str) -> Mapping[str, Record]:
        """Return the loaded records of a kind."""
        if kind not in self.records and (kind in FEEDS or kind in _COMPUTED or kind in listed()):
            self.missed.add(kind)
        return self.records.get(kind, {})


class FetchedOnce(ListsApi):
    """The backend of a computed list whose sources were fetched once."""

    def __init__(self, known: LoadedKinds) -> None:
        self._known = known

    @property
    def link(self) -> Health:
        """The connection: requests are answered."""
        return Health(Freshness.POLLING, 0.0)

    def records(self, kind: str) -> Mapping[str, Record]:
        """Return the fetched rows of a list."""
        return self._known(kind)

    def delta(self, kind: str, since: int) -> Delta[Any]:
        """Return all rows at first, then no change."""
        return Delta(1, whole=not since, upserts={} if since else self.records(kind))

    def health(self, kind: str) -> Health:
        """Return whether a list was fetched, and whether completely."""
        if kind in self._known.unlisted:
            return Health(Freshness.REFUSED)
        cut = "not all rows were loaded" if kind in self._known.cut else ""
        return Health(Freshness.POLLING, 0.0, cut=cut) if kind in self._known.records else Health()


async def _fetch_sources(client: Client, kind: str, known: LoadedKinds, bounds: Bounds) -> str:
    """Fetch the lists from which a list is computed. Raise `api.errors` if the first cannot be listed."""
    main, *others = DERIVED[kind].derived
    cut = "" if main in known.records else await fetch(client, main, known, bounds)
    for other in others:
        try:
            if other not in known.records:
                await fetch(client, other, known, bounds)
        except ApiError as error:
            known.note(other, error)
    return cut


async def fetch(
    client: Client, kind: str, known: LoadedKinds, bounds: Bounds, first: Request[Any] | None = None
) -> str:
    """List a kind once, by `first` if given; return the message for a list that has more rows, empty if complete.

    `known` stores the rows, and notes if they are only the caller's own records. Raise `api.errors`.
    """
    if kind in DERIVED:
        cut = await _fetch_sources(client, kind, known, bounds)
        known.compute(kind)
        return cut
    if kind not in FEEDS:
        first = first or first_page(list_of(RESOURCES[kind], client.endpoint.lacks), {}, PAGE)
        paging = await all_rows(client, first, bounds)
        known.records[kind] = paging.rows
        known.cut |= {kind} if paging.cut else set()
        return paging.cut
    feed = FEEDS[kind]
    lister = Lister(feed, client, bounds)
    listed = await lister.list()
    if lister.own:
        known.own.add(kind)
    known.records[kind] = listed.fresh
    known.cut |= {kind} if listed.cut else set()
    return listed.cut


def render_context_of(
    profile: Profile,
    config: Config,
    me: User | None,
    known: Callable[[str], Mapping[str, Record]],
    extent: Callable[[str], Extent],
) -> RenderContext:
    """Return the current render context; `me` is None if the caller is unknown."""
    levels = configured(config.thresholds, THRESHOLDS)
    return RenderContext(
        SystemClock().now_ms(),
        zone_of(profile.time_zone),
        me.id if me else "",
        known,
        config.symbols,
        thresholds=levels,
        domain=(me.domain or "") if me else "",
        addresses=configured_addresses(profile.addresses) or CONTRACT,
        chats_per_agent=profile.chats_per_agent,
        extent=extent,
        role=(state_words.role(me.role) or "user") if me else "",
    )


class Filled(Frozen):
    """Parts that are missing after loading."""

    cut: str
    """Message for a list that has more rows than were loaded; empty if complete."""
    faults: tuple[str, ...]
    """Messages about missing data."""


async def fill(
    client: Client,
    view: View[Any],
    known: LoadedKinds,
    columns: tuple[Column[Any], ...],
    bounds: Bounds,
    first: Request[Any] | None = None,
) -> Filled:
    """Load the rows of the view, and the kinds that rendering requires. Return what is missing.

    `first` is the first request, for a list with inputs. Raise `api.errors` if the kind itself cannot be listed.
    """
    kind = view.table.kind
    known.render = lambda: view.render_context
    cut = await fetch(client, kind, known, bounds, first)
    _apply(view, known)
    _learn_addresses(view, known)
    main = _main(kind)
    faults = (
        [f"showing only your own {main}: only admins see the others"]
        if main in known.own or hides_those_of_others(main, view.render_context)
        else []
    )
    for _ in range(ROUNDS):
        for record in view.shown():
            for column in columns:
                column.cell(record, view.render_context)
                column.value(record, view.render_context)
        if not known.missed:
            break
        missing = sorted(known.missed)
        known.missed.clear()
        results = await asyncio.gather(
            *(fetch(client, value, known, bounds) for value in missing), return_exceptions=True
        )
        for name, outcome in zip(missing, results, strict=True):
            if isinstance(outcome, ApiError):
                known.note(name, outcome)
            elif isinstance(outcome, BaseException):
                raise outcome
            elif outcome:
                faults.append(f"{name}: {outcome}, so some names may be missing")
        if kind in DERIVED:
            known.compute(kind)
        if kind in DERIVED or view.table.combined is not None:
            _apply(view, known)
        view.refresh()
        _learn_addresses(view, known)
    return Filled(cut, (*faults, *known.faults))


def _apply(view: View[Any], known: LoadedKinds) -> None:
    """Give the view the loaded rows, with those that records of other kinds show."""
    combined = view.table.combined
    rows = known.records[view.table.kind] if combined is None else combined(view.render_context)
    view.apply(Delta(version=1, whole=True, upserts=rows))


def _main(kind: str) -> str:
    """Return the kind from which a list is computed in the first place; a listed kind itself."""
    return _main(DERIVED[kind].derived[0]) if kind in DERIVED else kind


def _learn_addresses(view: View[Any], known: LoadedKinds) -> None:
    """Use the form of the addresses of known presences, unless the profile names one."""
    render = with_learnt_addresses(view.render_context, lambda kind: known.records.get(kind, {}))
    if render is not view.render_context:
        view.look(render)


def with_learnt_addresses(render: RenderContext, known: Callable[[str], Mapping[str, Record]]) -> RenderContext:
    """Return the context with the form of the addresses of known presences; itself if the profile names a form."""
    presences = known("presence")
    if render.addresses is not CONTRACT or not presences:
        return render
    addresses = learnt_addresses(render.me, presences, known("users"))
    return render if addresses is None or addresses is CONTRACT else replace(render, addresses=addresses)
