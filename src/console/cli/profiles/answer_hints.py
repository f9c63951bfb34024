"""Hints about fields and words of states in the answers of a deployment that the console does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from console.api.listed import rows_of
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
    words = Counter(
        word
        for row in rows_of(answer)
        if isinstance(word := getattr(row, field, None), str) and word and not states.knows(word)
    )
    if not words:
        return ""
    safe_texts = [clean(word, 40) for word, _ in words.most_common(MOST)]
    more = f" and {len(words) - MOST} more" if len(words) > MOST else ""
    example = ", ".join(f'"{word}" = "…"' for word in safe_texts)
    return f"states without a known meaning{more}: states.{kind} = {{ {example} }}"


def unmatched_fields(answer: object, names: Mapping[str, str]) -> str:
    """Return a hint about fields that may have other names in this deployment; empty without any.

    `names` are the deployment's names of fields that the routes file has, by those of the contract.

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
