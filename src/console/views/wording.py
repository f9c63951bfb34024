"""Formats of values: ages, times, sizes, numbers, addresses. A missing value is a dash."""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import TYPE_CHECKING, cast

from console.base.signs import drawn
from console.base.text import SafeText, clean, of_number
from console.records.addresses import without_scheme
from console.records.moments import at
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.records.people import User
    from console.records.support import Agent, Presence

_OTHER_PREFIXES = ("sip:", "sips:", "tel:", "xmpp:")
_SHORT, _LONG = 8, 32
_LARGEST = 1e18
"""Larger than any time, size or count; as milliseconds 30 million years."""
_SHOWN = ((3_600_000, 1_000), (86_400_000, 60_000), (100 * 86_400_000, 3_600_000), (math.inf, 86_400_000))
"""Durations below which `span_words` shows a unit, and the unit, in ms."""
CLOCKS_DIFFER_MS = 5_000
"""The clocks of the service and of this machine may differ by less: what just began has the age 0."""
_RANDOM_ID = re.compile(r"(?!.{14}[67].{21}$)(?=.*[a-f])[0-9a-f-]{13,}", re.IGNORECASE)
"""UUIDs and other hexadecimal ids, except UUIDs that begin with the time. Digits alone usually count up."""


def number(value: object) -> float | None:
    """Return a value if it is a finite number, otherwise None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e300 < value < 1e300:
        return None
    return None if math.isnan(value) else value


def bounded(value: float) -> float:
    """Return a number from a service as one that can be computed with: JSON has no limit, floats and calendars do."""
    return max(-_LARGEST, min(value, _LARGEST))


def dash(render: RenderContext) -> SafeText:
    """Return the text of a missing value."""
    return clean(drawn("–", render.symbols))


def age(ms: float | None, render: RenderContext) -> SafeText:
    """Format a duration or the time since a moment: `0:07`, `14:02`, `1h 04m`, `3d 07h`, `100d`, `in 0:33`."""
    return dash(render) if ms is None else clean(age_words(ms))


def least(text: SafeText, render: RenderContext, *, exact: bool) -> SafeText:
    """Return the text of a value; `≥ 1.5 MB` if it may be higher."""
    return text if exact else clean(f"{drawn('≥', render.symbols)} {text}")


def least_age(ms: float | None, render: RenderContext, *, exact: bool, width: int = 9) -> SafeText:
    """Format the longest known duration; `≥ 0:42` if another one may be longer, `≥ 1h` if `width` has no room."""
    words = age(ms, render)
    if exact or ms is None or not has_begun(0, ms):
        return words
    return least(words if len(words) + 2 <= width else clean(words.partition(" ")[0]), render, exact=False)


def has_begun(moment_ms: float, now_ms: float) -> bool:
    """Return whether a moment is not still to come, by clocks that may differ a little."""
    return moment_ms < now_ms + CLOCKS_DIFFER_MS


def age_words(ms: float, least: str = "") -> str:
    """Format the time since a moment, in at most seven characters; after `least` for one that may be longer ago.

    Of a moment that is still to come, as after a clock was set back, it is negative: `in 0:33`.
    """
    if ms >= 0 or has_begun(0, ms):
        return f"{least}{span_words(ms)}"
    return f"in {span_words(-ms).partition(' ')[0]}"


def span_words(ms: float) -> str:
    """Format a duration in milliseconds, in at most seven characters; a negative one as zero."""
    seconds = int(max(0, min(ms, _LARGEST)) // 1000)  # not `bounded`: every age is formatted here
    minutes, second = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes}:{second:02}"
    hours, minute = divmod(minutes, 60)
    if hours < 24:
        return f"{hours}h {minute:02}m"
    days, hour = divmod(hours, 24)
    return f"{days}d {hour:02}h" if days < 100 else f"{days}d"


def shown_unit(ms: float) -> float:
    """Return the smallest unit, in milliseconds, that `span_words` shows of a duration."""
    return next(unit for below, unit in _SHOWN if ms < below)


def seconds_words(seconds: float) -> str:
    """Format a duration in seconds while below a minute: `42s`, then `2:31`."""
    seconds = bounded(seconds)
    return f"{seconds:.0f}s" if seconds < 59.5 else span_words(seconds * 1000)


def duration(ms: float) -> str:
    """Format a duration as for a filter, which matches it: `700ms`, `45s`, `6m`, `1h 30m`."""
    ms = bounded(ms)
    seconds = int(ms // 1000)
    parts = [(seconds // 86400, "d"), (seconds // 3600 % 24, "h"), (seconds // 60 % 60, "m"), (seconds % 60, "s")]
    said = [f"{number}{unit}" for number, unit in parts if number]
    return " ".join(said[:2]) if said else f"{ms:g}ms" if ms else "0s"


def oldest_first(ms: float | None) -> tuple[bool, float]:
    """Return the key that sorts by a time: the oldest first, and what tells no time last."""
    return ms is None, ms or 0.0


def clock(ms: float | None, render: RenderContext) -> SafeText:
    """Format a time: `10:42:17` today, `20 Nov 10:42` this year, otherwise the date."""
    local = _local(ms, render)
    if local is None:
        return dash(render)
    today = _local(render.now_ms, render)
    if today is not None and local.date() == today.date():
        return clean(f"{local:%H:%M:%S}")
    if today is not None and local.year == today.year:
        return clean(f"{local.day} {local:%b %H:%M}")
    return clean(f"{local:%Y-%m-%d}")


def minute(ms: float | None, render: RenderContext) -> SafeText:
    """Format a time of day below a chart: `10:42`."""
    local = _local(ms, render)
    return dash(render) if local is None else clean(f"{local:%H:%M}")


def ago(ms: float) -> str:
    """Format the time since a moment in a sentence: `2:31 ago`; `in 2:31` for a negative one."""
    return f"{span_words(ms)} ago" if ms >= 0 else f"in {span_words(-ms)}"


def moment(ms: float | None, render: RenderContext) -> SafeText:
    """Format a time with zone and age: `10:42:17 CET, 2:31 ago`; on another day with the date."""
    local = _local(ms, render)
    if local is None or ms is None:
        return dash(render)
    today = _local(render.now_ms, render)
    when = f"{local:%H:%M:%S}" if today is not None and local.date() == today.date() else f"{local:%Y-%m-%d %H:%M}"
    return clean(f"{when} {local:%Z}, {ago(render.now_ms - ms)}")


def _local(ms: float | None, render: RenderContext) -> datetime | None:
    ms = at(ms)
    return None if ms is None else datetime.fromtimestamp(ms / 1000, render.zone)


def size(amount: float | None, render: RenderContext) -> SafeText:
    """Format a number of bytes: `412 MB`."""
    if amount is None:
        return dash(render)
    amount = bounded(amount)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        tenths = f"{amount:.1f}"
        text = f"{amount:.0f}" if unit == "B" or abs(float(tenths)) >= 10 else tenths
        if abs(float(text)) < 1000 or unit == "TB":  # as rounded: 999.6 B are 1.0 kB
            return clean(f"{text} {unit}")
        amount /= 1000
    raise AssertionError("the last unit takes everything")


def amount(number: float) -> str:
    """Format a whole number with separated thousands: `1 234`."""
    return f"{max(-_LARGEST, min(number, _LARGEST)):,.0f}".replace(",", " ")


def percent(value: float, digits: int) -> str:
    """Format a percentage without its sign, rounded down so that a goal is shown only when reached; 0 only for none."""
    step = 10**-digits
    # Rounded first, because 0.3 / 0.1 is less than 3.
    shown = math.floor(round(bounded(value) / step, 6)) * step
    return f"{max(step, shown) if value > 0 else shown:.{digits}f}"


def whole_percent(value: float) -> int:
    """Return a percentage as `percent` shows it, without digits."""
    return int(percent(value, 0))


def share(part: float, whole: float) -> str:
    """Format a part of a whole: `3 of 1 234`."""
    return f"{amount(part)} of {amount(whole)}"


def count(value: object, render: RenderContext) -> SafeText:
    """Format a number: a whole one like `amount`, others with six digits."""
    found = number(value)
    if found is None:
        return dash(render)
    return clean(amount(found) if found == int(found) or abs(found) >= 1e6 else f"{found:g}", 32)


def known_count(many: float, render: RenderContext, *, exact: bool) -> SafeText:
    """Format a number of what was counted; `≥ 3` if there may be more, and a dash if nothing is known."""
    return least(clean(amount(many)), render, exact=exact) if many or exact else dash(render)


def known_share(percentage: float | None, render: RenderContext, *, exact: bool) -> SafeText:
    """Format a share of what was counted: `82 %`; `≈ 82 %` if there may be more, and a dash if nothing was counted."""
    if percentage is None:
        return dash(render)
    about = "" if exact else f"{drawn('≈', render.symbols)} "
    return clean(f"{about}{whole_percent(percentage)} %")


def user_id(address: str | None, render: RenderContext) -> str | None:
    """Return the user id in an address, or None. The address of a known user may have any prefix."""
    if not address:
        return None
    forms = render.addresses
    owner_id = forms.user_id(address)
    if owner_id is not None:
        return owner_id
    if forms.user.is_bare and render.find("users", address) is not None:
        return address
    if ":" not in address or forms.group.id_of(address) is not None:
        return None
    rest = without_scheme(address)
    return rest if rest and (rest == render.me or render.find("users", rest) is not None) else None


def user_address(identifier: str, render: RenderContext) -> str:
    """Return the address of a user in calls, presence and chats."""
    return render.addresses.user.of(identifier)


NAMING = ("users", "presence", "agents")
"""Kinds with the names of people, on which the texts of other records depend."""


def person(identifier: str, render: RenderContext) -> str:
    """Return the name of a user, not cleaned: display name, otherwise user name or shortened id."""
    presence = cast("Presence | None", render.find("presence", user_address(identifier, render)))
    if presence is not None and presence.display_name:
        return presence.display_name
    agent = cast("Agent | None", render.find("agents", identifier))
    if agent is not None and agent.display_name:
        return agent.display_name
    user = cast("User | None", render.find("users", identifier))
    if user is not None and (user.username or user.alias):
        return user.alias or user.username or ""
    if presence is not None and presence.username:
        return presence.username
    return short(identifier)


def elsewhere(identifier: str, render: RenderContext) -> str:
    """Return the first part of a user's domain, ` @shop`, if it is not the caller's; empty otherwise.

    Lists of users and presences have a column with the whole domain.
    """
    if not render.domain:
        return ""
    user = cast("User | None", render.find("users", identifier))
    presence = cast("Presence | None", render.find("presence", user_address(identifier, render))) if not user else None
    domain = user.domain if user is not None else presence.domain if presence is not None else None
    return f" @{domain.partition('.')[0]}" if domain and domain != render.domain else ""


def name(address: str | None, render: RenderContext) -> str | None:
    """Return the name of an address, not cleaned: the name of a user, or the address without its scheme.

    A user of another domain than the caller's is named with it: `Alba Vidal @shop`.

    Some fields contain plain user ids; known ones are named as well.
    """
    if not address:
        return None
    identifier = user_id(address, render)
    if identifier is not None:
        return person(identifier, render) + elsewhere(identifier, render)
    if ":" not in address:
        return person(address, render) if render.find("users", address) else address
    for prefix in _OTHER_PREFIXES:
        if address.startswith(prefix):
            return address[len(prefix) :]
    return address


def short(identifier: str) -> str:
    """Return an id as short as distinguishes it: the first digits of a random one, both ends of another long one."""
    if _RANDOM_ID.fullmatch(identifier):
        return identifier[:_SHORT]
    return identifier if len(identifier) <= _LONG else f"{identifier[:_SHORT]}…{identifier[-_SHORT * 2 :]}"


def in_sentence(title: str) -> str:
    """Return a title as it is written within a sentence: `alert templates`, but `SIP identities`."""
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def capitalized(text: str) -> str:
    """Return words with a capital letter at the beginning, and the rest unchanged."""
    return text[:1].upper() + text[1:]


def known_plural(many: int | None, one: str, render: RenderContext) -> SafeText:
    """Format a count that may not be known: `3 agents` or `– agents`."""
    return clean(plural(many, one) if many is not None else f"{dash(render)} {of_number(0, one)}")


def plural(many: int, one: str) -> str:
    """Format a count: `1 call`, `1 234 calls`, `3 entries`, `0 people`."""
    return f"{amount(many)} {of_number(many, one)}"
