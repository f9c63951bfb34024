"""How the part of a list that the caller is shown reads: in counts, titles, and where nothing is listed."""

from __future__ import annotations

from collections.abc import Sequence

from console.views.render_context import RenderContext
from console.views.scope import Scope, active_calls, scope
from console.views.words import amount, plural

_AFTER = {Scope.FOLLOWED: " you follow", Scope.DOMAIN: " of your domain", Scope.PART: " you see"}


_SHORT = {Scope.FOLLOWED: " followed", Scope.DOMAIN: " of your domain", Scope.PART: " seen"}


def counted(kind: str, many: int, one: str, render: RenderContext, several: str = "") -> str:
    """Write at the beginning of a line how many are listed, and which: `120 calls`, `Your 3 calls`, `12 addresses you
    follow`. `several` is given where more than one are not written with an `s`."""
    found = scope(kind, render)
    words = f"{amount(many)} {several}" if several and many != 1 else plural(many, one)
    return f"Your {words}" if found is Scope.OWN else words + _AFTER.get(found, "")


def of_them(kind: str, render: RenderContext) -> str:
    """Return what stands after a number within a sentence: ` of yours`, ` you see`, or nothing where it is all."""
    found = scope(kind, render)
    return " of yours" if found is Scope.OWN else _AFTER.get(found, "")


def nothing_wrong(parts: Sequence[str], unknown: Sequence[str], render: RenderContext) -> str:
    """Say that nothing needs attention, as far as that can be told: `parts` are kinds of which a part is shown."""
    if any(scope(kind, render) is Scope.OWN for kind in parts):
        return "nothing of yours"
    return "nothing that you see" if parts else "nothing that is known" if unknown else "nothing: all is well"


def only(kinds: Sequence[str], render: RenderContext) -> str:
    """Say of which kinds the caller is shown a part: `only your calls and alerts`."""
    whose = "your" if any(scope(kind, render) is Scope.OWN for kind in kinds) else "the"
    after = "" if whose == "your" else " you see"
    return f"only {whose} {' and '.join(kinds)}{after}"


def titled(kind: str, title: str, many: int, render: RenderContext) -> str:
    """Write a list's title with its count: `Calls 120`, `Your calls 3`, `Presence 12 followed`."""
    found = scope(kind, render)
    words = f"Your {title.lower()}" if found is Scope.OWN else title
    return f"{words} {amount(many)}{_SHORT.get(found, '')}"


def none_listed(kind: str, title: str, render: RenderContext) -> str:
    """Return the sentence for a list that is empty, with what the list does not show."""
    title = title.lower()
    match scope(kind, render):
        case Scope.OWN:
            return f"You have no {title}.{_elsewhere(kind, render) or ' Those of others are not shown to you.'}"
        case Scope.FOLLOWED:
            return "You follow nobody."
        case Scope.DOMAIN:
            return f"There are no {title} in your domain."
        case Scope.PART:
            return f"No {title} are shown to you.{_elsewhere(kind, render)}"
        case Scope.ALL:
            return f"There are no {title}."


def nobody_waits(render: RenderContext) -> str:
    """Return the sentence for when no caller waits, as far as the caller of the console is shown."""
    match scope("calls", render):
        case Scope.ALL:
            return "Nobody is waiting."
        case Scope.OWN:
            return f"None of your calls is waiting.{_elsewhere('calls', render)}"
        case _:
            return f"None of the calls you see is waiting.{_elsewhere('calls', render)}"


def _elsewhere(kind: str, render: RenderContext) -> str:
    """Return a sentence about the active calls that the service has, where that is known and about calls."""
    active = active_calls(render) if kind == "calls" else None
    if not active:
        return ""
    own = "you see your own" if scope(kind, render) is Scope.OWN else f"you see {amount(len(render.lookup(kind)))}"
    return f" The service has {plural(active, 'active call')}; {own}."
