"""The part of a kind's records that the caller may see (contract 4.5, 4.7), and the texts that tell it.

A list of the caller's own records must not be presented as complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from console.base.text import of_number
from console.kinds.alerts.facts import active_exact
from console.kinds.calls.facts import waits_exact
from console.kinds.catalogue import KINDS
from console.kinds.kind import Scope
from console.records.extent import Extent
from console.views.index import Derived
from console.views.wording import amount, dash, in_sentence, known_count, plural

if TYPE_CHECKING:
    from console.records.traffic import StatusSummary
    from console.views.render_context import RenderContext

ADMIN = "admin"
_SCOPES = {kind.name: (kind.scope, kind.scope_of_admins) for kind in KINDS}
_AFTER = {Scope.FOLLOWED: " you follow", Scope.DOMAIN: " of your domain", Scope.PART: " you see"}
_SHORT = {Scope.FOLLOWED: " followed", Scope.DOMAIN: " of your domain", Scope.PART: " seen"}


def scope(kind: str, render: RenderContext) -> Scope:
    """Return the part of a kind's records that the caller sees, by role and by the service's counts.

    Until the role is known, it is an admin's part.
    """
    others, admins = _SCOPES.get(kind, (Scope.ALL, Scope.ALL))
    seen = others if render.role and render.role != ADMIN else admins
    return Scope.ALL if seen is Scope.PART and not hidden_calls(render) else seen


def sees_only_own(render: RenderContext) -> bool:
    """Return whether the caller is known to be no admin, and sees only calls and alerts of their own."""
    return render.role not in {"", ADMIN}


def hides_those_of_others(kind: str, render: RenderContext) -> bool:
    """Return whether the caller sees only their own records of a kind, of which admins see all."""
    return scope(kind, render) is Scope.OWN and _SCOPES[kind][1] is not Scope.OWN


def active_calls(render: RenderContext) -> int | None:
    """Return the number of active calls that the service counts, or None if unknown."""
    return _ACTIVE_CALLS.of(render)


def _active_calls(render: RenderContext) -> int | None:
    status = cast("StatusSummary | None", render.lookup("status").get("status"))
    return None if status is None else status.calls_now


_ACTIVE_CALLS = Derived("status", _active_calls)


def hidden_calls(render: RenderContext) -> bool:
    """Return whether the service counts more active calls than the list contains, including ended ones."""
    active = active_calls(render)
    # The extent last: it is rarely needed, and this is asked for each tab.
    many = len(render.lookup("calls"))
    return active is not None and active > many and render.extent("calls") is not Extent.UNKNOWN


def is_exact(kind: str, render: RenderContext) -> bool:
    """Return whether all that needs attention in a list is known: it is complete, with states of known meaning."""
    is_known = {"calls": waits_exact, "queues": waits_exact, "alerts": active_exact}.get(kind)
    return is_known(render) if is_known is not None else render.extent(kind) is Extent.WHOLE


def counted(kind: str, many: int, one: str, render: RenderContext) -> str:
    """Return the count of a list with its scope: `120 calls`, `Your 3 calls`, `12 addresses you follow`.

    A part of a list is `100 of 250 users`, or `first 100 users` if the total is unknown, and an unknown one `– users`.
    """
    scope_here, extent = scope(kind, render), render.extent(kind)
    text = plural(many, one) if extent is not Extent.UNKNOWN else f"{dash(render)} {of_number(2, one)}"
    total = render.total(kind) if extent is Extent.PART else None
    if total is not None and total > many:
        text = f"{amount(many)} of {amount(total)} {of_number(total, one)}"
    elif extent is Extent.PART:
        text = f"first {text}"
    return f"Your {text}" if scope_here is Scope.OWN else text + _AFTER.get(scope_here, "")


def counted_of(kind: str, many: int, one: str, render: RenderContext, *, exact: bool) -> str:
    """Return how many records of a list are of a sort, with its scope: `Your 3 open alerts`, `≥ 3 open alerts`."""
    if render.extent(kind) is Extent.UNKNOWN:
        many, exact = 0, False
    text = f"{known_count(many, render, exact=exact)} {of_number(many, one)}"
    kind_scope = scope(kind, render)
    return f"Your {text}" if kind_scope is Scope.OWN else text + _AFTER.get(kind_scope, "")


def of_them(kind: str, render: RenderContext) -> str:
    """Return the scope after a number within a sentence: ` of yours`, ` you see`, or nothing for all."""
    kind_scope = scope(kind, render)
    return " of yours" if kind_scope is Scope.OWN else _AFTER.get(kind_scope, "")


def nothing_wrong(parts: Sequence[str], unknown: Sequence[str], render: RenderContext) -> str:
    """Return the text if nothing needs attention, as far as known; `parts` are partially visible kinds."""
    if any(scope(kind, render) is Scope.OWN for kind in parts):
        return "nothing of yours"
    return "nothing that you see" if parts else "nothing that is known" if unknown else "nothing: all is well"


def only(kinds: Sequence[str], render: RenderContext) -> str:
    """Return the text for partially visible kinds: `only your calls and alerts`."""
    whose = "your" if any(scope(kind, render) is Scope.OWN for kind in kinds) else "the"
    after = "" if whose == "your" else " you see"
    return f"only {whose} {' and '.join(filter(None, (', '.join(kinds[:-1]), kinds[-1])))}{after}"


def count_words(many: int, extent: Extent, total: int | None = None) -> str | None:
    """Return the number of records of a list: `120`, None while it is unknown.

    A part is `100 of 250` if the total is known, otherwise `first 100`.
    """
    if extent is Extent.UNKNOWN:
        return None
    if extent is Extent.PART and total is not None and total > many:
        return f"{amount(many)} of {amount(total)}"
    return f"first {amount(many)}" if extent is Extent.PART else amount(many)


def titled(kind: str, title: str, count: str, render: RenderContext, *, short: bool = False) -> str:
    """Return a list's title with its count: `Calls 120`, `Your calls 3`, `Presence 12 followed`, `Users first 100`.

    A `short` title leaves out that the rows are those one follows, which is one's own choice: `Presence 12`. That a
    count is only a part is always said.
    """
    kind_scope = scope(kind, render)
    text = f"Your {in_sentence(title)}" if kind_scope is Scope.OWN else title
    return f"{text} {count}{'' if short and kind_scope is Scope.FOLLOWED else _SHORT.get(kind_scope, '')}"


def none_listed(kind: str, title: str, render: RenderContext) -> str:
    """Return the sentence for an empty list, with its scope."""
    title = in_sentence(title)
    if render.extent(kind) is not Extent.WHOLE or (kind == "queues" and not waits_exact(render)):
        return f"It is not known whether there are {title}."
    match scope(kind, render):
        case Scope.OWN:
            return f"You have no {title}.{_elsewhere(kind, render) or ' The service shows you only your own.'}"
        case Scope.FOLLOWED:
            return "You follow nobody."
        case Scope.LISTED:
            return f"No {title} is listed."
        case Scope.DOMAIN:
            return f"There are no {title} in your domain."
        case Scope.PART:
            return f"No {title} are shown to you.{_elsewhere(kind, render)}"
        case Scope.ALL:
            return f"There are no {title}."


def only_if_known(refusal: str, kind: str, title: str, render: RenderContext) -> str:
    """Return a refusal that rests on a whole list, otherwise one that says how much of the list is known."""
    match render.extent(kind):
        case Extent.UNKNOWN:
            return f"The {title} are not known."
        case Extent.PART:
            return f"Only some {title} are listed."
        case Extent.WHOLE:
            return refusal


def nobody_waits(render: RenderContext) -> str:
    """Return the sentence if no caller is known to wait, as far as visible."""
    match render.extent("calls"):
        case Extent.UNKNOWN:
            return "It is not known who waits: the calls cannot be listed."
        case Extent.PART:
            return "It is not known who waits: not all calls are listed."
        case Extent.WHOLE if not waits_exact(render):
            return "It is not known who waits: calls are in states that the console does not know."
        case Extent.WHOLE:
            pass
    match scope("calls", render):
        case Scope.ALL:
            return "Nobody is waiting."
        case Scope.OWN:
            return f"None of your calls is waiting.{_elsewhere('calls', render)}"
        case _:
            return f"None of the calls you see is waiting.{_elsewhere('calls', render)}"


def _elsewhere(kind: str, render: RenderContext) -> str:
    """Return a sentence about the service's active calls, for calls and if known."""
    active = active_calls(render) if kind == "calls" else None
    if not active:
        return ""
    own = "you see your own" if scope(kind, render) is Scope.OWN else f"you see {amount(len(render.lookup(kind)))}"
    return f" The service has {plural(active, 'active call')}; {own}."
