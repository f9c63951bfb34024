"""What is watched: one entry per kind says what is listed, what its rows are, and how often when nothing tells.

The classes of requests and records are imported when a kind is listed first, on the engine's thread: making them takes
as long as drawing the first screen, which needs none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from console.frozen import Frozen
from console.live.expiry import Expires
from console.records.bounded import LARGEST_TEXT, bounded_row
from console.records.raw import Glance, Json, fields, glancing, rows
from console.records.state_words import ACTIVE_ALERT, SERVER_ERROR, WAITING

if TYPE_CHECKING:
    from console.api.request import Request
    from console.records.record import Record
    from console.records.support import Alert

DAY_MS = 24 * 60 * 60 * 1000
PAGE = 500
"""Rows asked for per page: the only page size that a sample in the contract shows (8)."""

Listing = Callable[[str | None], "Request[Any]"]
"""Makes the request for a list, or with a cursor for its next page."""


def _rows(body: bytes, most: int) -> Iterable[Json]:
    """Take an array, or the one that an object has in `data`. Any other shape must never look like an empty list."""
    match body[:1]:
        case b"[":
            return rows(body, most)
        case b"{":
            found = fields(body, ("data",)).get("data")
            if found is None:
                raise ValueError("it is an object without a list")
            return _listed(bytes(found), most)
        case b"":
            raise ValueError("it is empty")
        case _:
            raise ValueError("it is not a list")


def _listed(value: bytes, most: int) -> list[Json]:
    if not value.startswith(b"["):
        raise ValueError("it is an object without a list")
    return rows(value, most)


def _one(body: bytes, _most: int) -> Iterable[Json]:
    """Take the object itself as the only row."""
    if body[:1] != b"{":
        raise ValueError("it is not an object" if body else "it is empty")
    fields(body, ())
    return (Json(body.rstrip()),)


def _alerts(body: bytes, most: int) -> Iterable[Json]:
    """Flatten the lists by state (contract 4.7) into rows that name their state; one that is missing has no alerts."""
    if body[:1] != b"{":
        raise ValueError("it is not an object" if body else "it is empty")
    lists = fields(body, _STATES)
    if not lists:
        raise ValueError("it is an object without any list of alerts")
    for state in _STATES:
        found = bytes(lists.get(state, b"[]"))
        for row in _listed(b"[]" if found == b"null" else found, most):
            yield Json(_with_state(bytes(row).strip(), state))


_STATES = ("active", "accepted", "expired", "canceled")


def _alert_expires(alert: Alert) -> float | None:
    """Alerts that have ended are asked for by how long ago that is: a span that includes its end."""
    if alert.state == "active" or alert.resolved_at is None:
        return None
    return alert.resolved_at + DAY_MS + 1


def _with_state(row: bytes, state: str) -> bytes:
    """Add the state at the end of an object, where it outweighs any other; leave alone what is none."""
    if not (row.startswith(b"{") and row.endswith(b"}")):
        return row
    fields = row[:-1].rstrip()
    return fields + (b"" if fields == b"{" else b",") + f'"state":"{state}"}}'.encode()


class Feed(Frozen, dict=True):
    """How one kind is kept up to date. Its name is that of the table and of the topic of events."""

    kind: str
    finds: Callable[[], type[Record]]
    """Imports its kind of record."""
    listings: tuple[Listing, ...]
    """Ways to list it, the best first; the next is tried where a deployment does not have one."""
    own: Listing | None = None
    """Lists the caller's own records, for callers who may not list them all."""
    rows: Callable[[bytes, int], Iterable[Json]] = _rows
    """Cuts an answer, out of its wrapper and without blanks before it, into raw rows: where there are more than so
    many, one more at least. Raises ValueError for another shape."""
    expires: Expires | None = None
    """Says when the list stops showing a record although nothing happens to it."""
    apart: frozenset[str] = frozenset()
    """States, in their plain form, whose records somebody always wants to know of, and that are so kept at hand."""
    shown_seconds: float = 2.0
    hidden_seconds: float = 15.0
    extension: bool = False
    """Whether it is none of the contract's lists: a deployment that does not have it is asked once, then on demand."""

    @cached_property
    def record(self) -> type[Record]:
        """Its kind of record."""
        return self.finds()

    def key_of(self, row: bytes | Json) -> str | None:
        """Return the key of a raw row without making a record of it; None when only the record can tell."""
        if self.rows is _one:
            return self.kind
        found = _key_reader(self.record)(row)
        return found.key or None if found is not None else None

    @property
    def is_plain(self) -> bool:
        """Whether its rows are simply those of the array that it is answered with."""
        return self.rows is _rows

    def bounded(self, row: bytes | Json, key: str | None = None) -> bytes:
        """Return the bytes of a row, without what is too large in it to be kept."""
        kept = bytes(row)
        if len(kept) <= LARGEST_TEXT:
            return kept
        return bounded_row(kept, self.record.key_wire(), key or self.key_of(kept))

    def read(self, row: bytes, key: str | None = None) -> Record:
        """Make the record of a raw row, lazy where possible; whatever the row holds, there is a record."""
        return self._reading(row, key)

    @cached_property
    def _reading(self) -> Callable[[bytes, str | None], Record]:
        from console.records.lazy_record import reading

        return reading(self.record)


@cache
def _key_reader(record: type[Record]) -> Glance:
    return glancing([("key", record.key_wire(), str, "")])


def _pages(finds: Callable[[], type[Request[Any]]], size: int | None) -> Listing:
    """List page by page, of a size that not every service allows."""

    def listing(after: str | None) -> Request[Any]:
        wanted = {"page_size": size, "page_after": after}
        return finds().model_validate({name: value for name, value in wanted.items() if value is not None})

    return listing


def _records_of_traffic():
    from console.records import traffic

    return traffic


def _records_of_support():
    from console.records import support

    return support


def _records_of_people():
    from console.records import people

    return people


def _traffic():
    from console.api.operations import traffic

    return traffic


def _support():
    from console.api.operations import support

    return support


def _presence():
    from console.api.operations import presence

    return presence


def _people():
    from console.api.operations import people

    return people


def _sessions():
    from console.api.operations import sessions

    return sessions


def _extensions():
    from console.api.operations import extensions

    return extensions


def _records_of_deliveries():
    from console.records import deliveries

    return deliveries


def _records_of_meetings():
    from console.records import meetings

    return meetings


def _records_of_notifications():
    from console.records import notifications

    return notifications


FEEDS: Mapping[str, Feed] = {
    feed.kind: feed
    for feed in (
        Feed(
            "status", lambda: _records_of_traffic().StatusSummary, (lambda _after: _traffic().GetStatus(),), rows=_one
        ),
        Feed(
            "calls",
            lambda: _records_of_traffic().Call,
            (lambda _after: _traffic().ListCalls(),),
            apart=WAITING | SERVER_ERROR,
        ),
        Feed("conferences", lambda: _records_of_traffic().Conference, (lambda _after: _traffic().ListConferences(),)),
        Feed(
            "presence",
            lambda: _records_of_support().Presence,
            # An admin looks after everybody, whom the embedded service lists by an input of its own.
            (
                lambda _after: _presence().ListPresences(all_users=True),
                lambda _after: _presence().ListPresences(),
            ),
        ),
        Feed("agents", lambda: _records_of_support().Agent, (lambda _after: _support().ListAgents(),)),
        Feed(
            "skills", lambda: _records_of_support().Skill, (lambda _after: _support().ListSkills(),), shown_seconds=3.0
        ),
        Feed("chats", lambda: _records_of_support().SupportChat, (lambda _after: _support().ListSupportChats(),)),
        Feed(
            "alerts",
            lambda: _records_of_support().Alert,
            (lambda _after: _support().ListAlerts(accepted_since=DAY_MS, expired_since=DAY_MS, canceled_since=DAY_MS),),
            rows=_alerts,
            expires=_alert_expires,
            apart=ACTIVE_ALERT,
        ),
        Feed(
            "templates",
            lambda: _records_of_support().AlertTemplate,
            (lambda _after: _support().ListTemplates(),),
            shown_seconds=5.0,
            hidden_seconds=30.0,
        ),
        Feed(
            "groups",
            lambda: _records_of_people().Group,
            (
                _pages(lambda: _people().PageGroups, PAGE),
                _pages(lambda: _people().PageGroups, None),
                lambda _after: _people().ListGroups(),
            ),
        ),
        Feed(
            "users",
            lambda: _records_of_people().User,
            (
                _pages(lambda: _people().PageUsers, PAGE),
                _pages(lambda: _people().PageUsers, None),
                lambda _after: _people().ListUsers(),
            ),
            shown_seconds=5.0,
            hidden_seconds=30.0,
        ),
        Feed(
            "sessions",
            lambda: _records_of_people().Session,
            (lambda _after: _sessions().ListSessions(),),
            own=lambda _after: _sessions().ListOwnSessions(),
            shown_seconds=5.0,
            hidden_seconds=30.0,
        ),
        Feed(
            "alarms",
            lambda: _records_of_traffic().CallAlarm,
            (lambda _after: _traffic().ListCallAlarms(),),
            shown_seconds=3.0,
        ),
        Feed(
            "notifications",
            lambda: _records_of_notifications().Notification,
            (lambda _after: _extensions().ListNotifications(),),
            extension=True,
        ),
        Feed(
            "missed-calls",
            lambda: _records_of_meetings().MissedCall,
            (lambda _after: _extensions().ListMissedCalls(),),
            shown_seconds=3.0,
            hidden_seconds=60.0,
            extension=True,
        ),
        Feed(
            "deliveries",
            lambda: _records_of_deliveries().Delivery,
            (lambda _after: _extensions().ListDeliveries(),),
            shown_seconds=3.0,
            hidden_seconds=60.0,
            extension=True,
        ),
    )
}
"""Every kind there is. A new one is one entry here."""
