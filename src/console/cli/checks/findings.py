"""The results of `console doctor` by operation, and hints about fields and states that the console does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from console.api.listed import rows_of
from console.api.shape import ShapeDifference
from console.base.frozen import Frozen
from console.base.text import clean
from console.kinds.calls.states import STATES as CALLS
from console.kinds.conferences.states import STATES as CONFERENCES
from console.kinds.presence.states import STATES as PRESENCE
from console.records.fields import resolved_fields
from console.views.states import States

_WORDS: Mapping[str, tuple[str, States]] = {
    "calls": ("state", CALLS),
    "conferences": ("state", CONFERENCES),
    "presence": ("activity", PRESENCE),
    "agents": ("activity", PRESENCE),
}
"""By list: the field with the state, and the known words."""
MOST = 6
"""Most words and names of fields that are listed."""


def unknown_words(operation: str, answer: object) -> str:
    """Return a hint about the unknown words in an answer, with the key that gives them a meaning; empty without any."""
    kind = operation.partition(".")[0]
    if kind not in _WORDS:
        return ""
    field, states = _WORDS[kind]
    unknown_states = Counter(
        word
        for row in rows_of(answer)
        if isinstance(word := getattr(row, field, None), str) and word and not states.knows(word)
    )
    if not unknown_states:
        return ""
    safe_texts = [clean(word, 40) for word, _ in unknown_states.most_common(MOST)]
    more = f" and {len(unknown_states) - MOST} more" if len(unknown_states) > MOST else ""
    example = ", ".join(f'"{word}" = "…"' for word in safe_texts)
    return f"states without a known meaning{more}: states.{kind} = {{ {example} }}"


def unmatched_fields(answer: object, names: Mapping[str, str]) -> str:
    """Return a hint about fields that may have other names in this deployment; empty without any.

    `names` are the deployment's names of fields in the routes file, by the contract's names.

    A field that is absent everywhere is usual: most are optional. It may have another name only if there are also
    fields that the console does not know.
    """
    rows = rows_of(answer)
    unknown = dict.fromkeys(name for row in rows for name in row.model_extra or ())
    for path in names.values():
        unknown.pop(path.partition(".")[0], None)
    if not unknown:
        return ""
    present = {name for row in rows for name in row.model_fields_set}
    missing = [field.wire for name, field in resolved_fields(type(rows[0])).items() if name not in present]
    if not missing:
        return ""
    return f"in no row: {_listed(missing)}; not known: {_listed([clean(name, 40) for name in unknown])}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return f"{', '.join(names[:MOST])}{more}"


EVENTS = "events"
"""Name of the event channel in the results."""


class State(StrEnum):
    """Result of an operation."""

    WORKS = "works"
    NOT_OFFERED = "not offered"
    """Excluded by the profile, its variant or its routes file; not called."""
    UNPROVEN = "unproven"
    """Could not be called, or the answer proves nothing."""
    NOT_BOUND = "not bound"
    """The service has nothing at this method and path."""
    REFUSED = "refused"
    DIFFERS = "shape differs"
    FAILED = "failed"
    UNREACHABLE = "unreachable"


AS_IT_SHOULD_BE = frozenset({State.WORKS, State.UNPROVEN, State.NOT_OFFERED})


class Finding(Frozen):
    """Result of one operation."""

    name: str
    state: State
    reason: str = ""
    """Partly remote text: clean before printing."""
    differences: tuple[ShapeDifference, ...] = ()
    seconds: float | None = None
    """Duration of the request; None without one."""
    request: str = ""
    """Method and URL of a failed request, without a query."""
    answer: str = ""
    """Status, content type and first line of its answer: remote text."""
    advice: str = ""
    """The likeliest cause, and the key of the profile that mends it."""
