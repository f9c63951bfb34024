"""Tiles of the home screen for a caller who sees only what is their own: chats, offers, calls, alerts, groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from console.base.signs import drawn
from console.kinds.agents.facts import cover
from console.kinds.alerts.facts import active, active_exact
from console.kinds.calls.facts import begun, over, waiting, waits_exact
from console.kinds.chats import AGE
from console.kinds.chats.facts import own_chats, started
from console.kinds.groups.facts import attendance, groups_of, members_exact
from console.kinds.notifications.facts import offers, what
from console.kinds.presence.facts import Availability
from console.kinds.skills.facts import colleagues, colleagues_exact
from console.kinds.status.summary import Figure
from console.records.extent import Extent
from console.views import wording
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.thresholds import Threshold, level
from console.views.wording import age_words, known_count

if TYPE_CHECKING:
    from console.records.people import Group
    from console.records.traffic import Call


def own_numbers(render: RenderContext) -> Sequence[Figure | None]:
    """Return the numbers of the home screen, in the order of the tiles; None for offers the service lacks."""
    return [_chats(render), _offers(render), _calls(render), _alerts(render), _groups(render), _free(render)]


def _figure(
    title: str,
    kind: str,
    since: Sequence[float | None],
    render: RenderContext,
    *,
    none: str,
    note: str = "",
    short: str = "",
    exact: bool = True,
    threshold: Threshold | None = None,
    tone: Tone = Tone.STRONG,
) -> Figure:
    """Return the number of records that began at these times, and the age of the oldest."""
    many, first = len(since), min((at for at in since if at is not None), default=None)
    longest = render.ms_since(first)
    exact = exact and render.extent(kind) is Extent.WHOLE
    at_least = "" if exact and None not in since else drawn("≥", render.symbols)
    return Figure(
        title,
        known_count(many, render, exact=exact),
        note if many else none if exact else "not known",
        short=short,
        tone=tone if many else Tone.STRONG,
        second="" if longest is None else age_words(longest, at_least),
        second_tone=Tone.STRONG if threshold is None else level(threshold, render).tone(longest, calm=Tone.STRONG),
    )


def _chats(render: RenderContext) -> Figure:
    since = [started(chat, render) for chat in own_chats(render).values()]
    first = min((at for at in since if at is not None), default=None)
    # A chat that does not tell when it started may be older.
    note = "" if first is None or None in since else f"since {wording.clock(first, render)}"
    return _figure("Your chats", "chats", since, render, note=note, none="no open chat", short="Chats", threshold=AGE)


def _offers(render: RenderContext) -> Figure | None:
    if render.extent("notifications") is Extent.UNKNOWN:
        return None
    waiting_offers = offers(render)
    since = [wording.at(offer.created_at) for offer in waiting_offers]
    note = what(waiting_offers[0]) if waiting_offers else ""
    return _figure(
        "Offered to you", "notifications", since, render, note=note, none="nothing", short="Offered", tone=Tone.BAD
    )


def _calls(render: RenderContext) -> Figure:
    calls = [call for call in cast("Iterable[Call]", render.lookup("calls").values()) if not over(call)]
    many, exact = sum(map(waiting, calls)), waits_exact(render)
    note = f"{known_count(many, render, exact=exact)} waiting" if many or not exact else "none waits"
    since = [begun(call) for call in calls]
    return _figure("Your calls", "calls", since, render, note=note, none="no call", short="Calls", exact=exact)


def _alerts(render: RenderContext) -> Figure:
    alerts = active(render)
    note = (alerts[0].title or "") if alerts else ""
    since = [wording.at(alert.created_at) for alert in alerts]
    exact = active_exact(render)
    return _figure("Your alerts", "alerts", since, render, note=note, none="none open", short="Alerts", exact=exact)


def _groups(render: RenderContext) -> Figure:
    groups = cast("Mapping[str, Group]", render.lookup("groups"))
    mine = {group.key for group in groups_of(render.me, render)}
    people = {person for key in mine for person in groups[key].participants} - {render.me}
    there, exact = attendance(people, render), members_exact(render)
    online = known_count(there.online, render, exact=exact and there.complete)
    return Figure(
        "Your groups",
        known_count(len(mine), render, exact=exact),
        f"{online} of {known_count(len(people), render, exact=exact)} online" if mine else "" if exact else "not known",
        short="Groups",
    )


def _free(render: RenderContext) -> Figure:
    covers = [cover(colleague) for colleague in colleagues(render)]
    many, unknown = covers.count(Availability.FREE), covers.count(Availability.UNKNOWN)
    is_known = colleagues_exact(render)
    exact = is_known and not unknown
    return Figure(
        "Free colleagues",
        known_count(many, render, exact=exact),
        f"of {known_count(len(covers), render, exact=is_known)}" if covers else "nobody" if is_known else "not known",
        short="Free",
        more="with your skills",
    )
