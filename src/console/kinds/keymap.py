"""The key map: default keys with configured changes, and errors in the configuration.

Keys are in Textual's syntax: `a`, `A`, `shift+up`, `ctrl+r`, `exclamation_mark`; a single character is accepted for its
name. An invalid entry has no effect: its action keeps the default key.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from console.base.frozen import Frozen, field
from console.base.text import SafeText, clean
from console.kinds.catalogue import KINDS, RESOURCES
from console.kinds.view_keys import VIEW_KEYS

_NAMED = frozenset({
    "up", "down", "left", "right", "home", "end", "pageup", "pagedown", "tab", "enter", "escape", "space", "backspace",
    "delete", "insert", *(f"f{number}" for number in range(1, 25)),
})  # fmt: skip
_MODIFIERS = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_RENAMED = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_SIGNS = """!"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"""


def _sign_name(sign: str) -> str:
    name = unicodedata.name(sign).lower().replace("-", "_").replace(" ", "_")
    return _RENAMED.get(name, name)


_SIGN_NAMES: Mapping[str, str] = {sign: _sign_name(sign) for sign in _SIGNS}
_KNOWN_NAMES = _NAMED | frozenset(_SIGN_NAMES.values())


class Bound(Frozen):
    """An action or view key with its keys."""

    id: str
    title: str
    keys: tuple[str, ...]
    """The default keys, in Textual's syntax."""
    where: str
    """`everywhere`, `list` for every list, a table's kind, a screen, or an overlay: `grid`, `answer`."""
    meaning: str = ""
    """Meaning of its keys on every screen."""
    screen: bool = False
    """Whether `where` is a screen, with all of its lists."""
    gives_way: bool = False
    """Whether keys of the past may take its keys there: it is an action, which is refused there, or has another key."""


class KeyFault(Frozen):
    """An error in one entry of the key map."""

    id: str
    """The entry as written; raw."""
    words: SafeText
    """The error, as a sentence."""
    nearest: str = ""
    """The nearest valid id or key name."""


class KeyMap(Frozen):
    """The effective keys, and the errors of the configuration."""

    keys: Mapping[str, tuple[str, ...]]
    """By id, in Textual's syntax; empty if the key was removed."""
    faults: tuple[KeyFault, ...] = field(default=())


FIXED: tuple[Bound, ...] = (
    Bound("fixed.screens", "going to a screen", tuple("0123456789"), "everywhere"),
    Bound("fixed.palette", "the palette", ("ctrl+p",), "everywhere"),
    Bound("fixed.move", "moving around", ("up", "down", "left", "right", "home", "end", "pageup", "pagedown"), "list"),
    Bound("fixed.stop", "leaving the console", ("ctrl+c", "ctrl+q"), "everywhere"),
    Bound("fixed.suspend", "the shell", ("ctrl+z",), "everywhere"),
)
"""Keys that cannot be configured."""


def everything_bound() -> tuple[Bound, ...]:
    """Return all actions and view keys with their default keys."""
    # Takes 75 ms, and only a configuration with keys needs it.
    from console.kinds.actions import ACTIONS

    actions = tuple(
        Bound(action.id, action.title, (action.key,) if action.key else (), action.kind, action.meaning, gives_way=True)
        for action in ACTIONS
    )
    views = tuple(
        Bound(
            view_key.id,
            view_key.title,
            view_key.keys,
            view_key.where,
            view_key.meaning,
            screen=True,
            gives_way=view_key.gives_way,
        )
        for view_key in VIEW_KEYS
    )
    return actions + views


def key_map(configured: Mapping[str, str | Sequence[str]]) -> KeyMap:
    """Apply configured keys to the defaults.

    A value is a key, several separated by commas or in a list, or empty to remove the key. All errors are returned, in
    the order of the entries; nothing is raised.
    """
    bound = everything_bound()
    known = {entry.id: entry for entry in bound}
    chosen: dict[str, tuple[str, ...]] = {}
    faults: list[KeyFault] = []
    for action_id, value in configured.items():
        if action_id not in known:
            near = _nearest(action_id, known)
            hint = f"; did you mean {near}?" if near else "."
            faults.append(KeyFault(action_id, clean(f"Unknown action {action_id[:64]}{hint}", 200), near))
            continue
        keys, fault = _read_keys(action_id, value)
        if fault is not None:
            faults.append(fault)
        else:
            chosen[action_id] = keys
    while (clash := _first_clash((*bound, *FIXED), chosen)) is not None:
        loser, winner, key = clash
        named = f"{winner.title} ({winner.id})" if winner.id in known else winner.title
        text = f"{format_key(key)} is already the key of {named}."
        faults.append(KeyFault(loser.id, clean(text, 200)))
        del chosen[loser.id]
    order = {action_id: place for place, action_id in enumerate(configured)}
    faults.sort(key=lambda fault: order[fault.id])
    return KeyMap({entry.id: chosen.get(entry.id, entry.keys) for entry in bound}, tuple(faults))


def clashes(bound: Sequence[Bound], keys: Mapping[str, tuple[str, ...]]) -> tuple[tuple[Bound, Bound, str], ...]:
    """Return each pair with the same key in the same place, and the key."""
    taken: dict[str, list[Bound]] = {}
    clashing: list[tuple[Bound, Bound, str]] = []
    for entry in bound:
        for key in keys.get(entry.id, entry.keys):
            clashing.extend((other, entry, key) for other in taken.get(key, ()) if together(other, entry))
            taken.setdefault(key, []).append(entry)
    return tuple(clashing)


def in_the_past(keys: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    """Return the keys while a recording is shown: the keys of the past have no other use."""
    past = {view_key.id for view_key in VIEW_KEYS if view_key.where == "past"}
    taken = {key for value in past for key in keys[value]}
    return {
        name: some if name in past else tuple(key for key in some if key not in taken) for name, some in keys.items()
    }


def together(one: Bound, other: Bound) -> bool:
    """Return whether two are available in the same place with different meanings."""
    if one.meaning and one.meaning == other.meaning:
        return False
    if "past" in {one.where, other.where}:
        return not (one.gives_way or other.gives_way)
    if "everywhere" in {one.where, other.where}:
        return True
    if {one.where, other.where} & _OVERLAYS.keys():
        return one.where == other.where or _in_overlay(one, other) or _in_overlay(other, one)
    if "list" in {one.where, other.where}:
        return True
    return not _lists_of(one).isdisjoint(_lists_of(other))


def _in_overlay(one: Bound, other: Bound) -> bool:
    return one.id in _OVERLAYS.get(other.where, ())


_OVERLAYS: Mapping[str, frozenset[str]] = {
    "grid": frozenset({"view.mark", "view.filter"}),
    "answer": frozenset(),
}
"""Overlays with their own keys, and the keys of lists that work there too."""


def _lists_of(bound: Bound) -> frozenset[str]:
    """Return the lists in which a key works."""
    if not bound.screen:
        return frozenset({bound.where, *_ALSO_IN.get(bound.where, ())})
    match bound.where:
        case "admin":
            return frozenset({"admin", *RESOURCES})
        case "home":
            # It has the keys of the alert or offer under its cursor.
            return frozenset({"home", "alerts", "notifications"})
        case screen:
            return frozenset({screen, *(kind.name for kind in KINDS if kind.shown_on == screen)})


_ALSO_IN: Mapping[str, frozenset[str]] = {
    **{kind.acts_like: frozenset({kind.name}) for kind in KINDS if kind.acts_like},
    # The oldest offer can be accepted or rejected from every list of the agents' screen.
    "notifications": frozenset({"agents", "skills", "chats"}),
}
"""The further lists in which the keys of a kind's actions work."""


def _first_clash(bound: Sequence[Bound], chosen: Mapping[str, tuple[str, ...]]) -> tuple[Bound, Bound, str] | None:
    """Return loser, winner and key of a conflict. Defaults win over configured keys, then earlier entries win."""
    entries = list(chosen)
    for one, other, key in clashes(bound, chosen):
        configured = [entry for entry in (one, other) if entry.id in chosen]
        if configured:
            loser = max(configured, key=lambda entry: entries.index(entry.id))
            return loser, one if loser is other else other, key
    return None


def _nearest(wanted: str, known: Iterable[str]) -> str:
    return next(iter(difflib.get_close_matches(wanted, list(known), n=1, cutoff=0.5)), "")


# -- syntax ----------------------------------------------------------------------------------------------------------


def _read_keys(action_id: str, value: str | Sequence[str]) -> tuple[tuple[str, ...], KeyFault | None]:
    written: list[str] = list(value)
    if isinstance(value, str):
        written = [value] if value == "," else value.split(",")
    keys: list[str] = []
    for key_text in written:
        if not key_text.strip() and key_text != " ":
            continue
        try:
            keys.append(parse_key(key_text))
        except ValueError as error:
            near = _suggestion(key_text)
            hint = f" Did you mean {near}?" if near else ""
            return (), KeyFault(action_id, clean(f"{error}{hint}", 200), near)
    return tuple(dict.fromkeys(keys)), None


def _suggestion(written: str) -> str:
    """Return the modifier or key name nearest to an invalid text; empty if it is too short."""
    *modifiers, key = (part.strip().lower() for part in written.split("+"))
    for modifier in modifiers:
        if modifier not in _MODIFIERS:
            return _nearest(modifier, _MODIFIERS)
    return _nearest(key, sorted(_KNOWN_NAMES)) if len(key) > 2 else ""


def parse_key(written: str) -> str:
    """Convert a key to Textual's syntax: `!` is `exclamation_mark`, `Ctrl+R` is `ctrl+r`, `shift+a` is `A`.

    Raise ValueError with a sentence if it is not a key.
    """
    text = "space" if written == " " else written.strip()
    if text == "+" or text.endswith("++"):
        text = text[:-1] + "plus"
    *modifiers, key = text.split("+")
    used = [modifier.strip().lower() for modifier in modifiers]
    unknown = next((modifier for modifier in used if modifier not in _MODIFIERS), None)
    if unknown is not None:
        raise ValueError(f"{clean(unknown, 20)} in {clean(written.strip(), 40)} is not a modifier.")
    name = _key_name(key.strip(), bool({"ctrl", "alt", "super", "hyper", "meta"} & set(used)))
    if name is None:
        raise ValueError(f"{clean(written.strip(), 40)} is not a key.")
    if used == ["shift"] and len(name) == 1:
        if not name.isalpha():
            raise ValueError(f"{clean(written.strip(), 40)} is not a key: write the character that it types.")
        return name.upper()
    return "+".join((*sorted({*used}), name))


def _key_name(key: str, lower: bool) -> str | None:
    if len(key) == 1:
        if key.isalnum():
            return key.lower() if lower else key
        return _SIGN_NAMES.get(key)
    name = key.lower()
    return name if name in _KNOWN_NAMES else None


_SPOKEN = {name: sign for sign, name in _SIGN_NAMES.items()}


def format_key(key: str) -> str:
    """Return a key for display: `!` for `exclamation_mark`, `^r` for `ctrl+r`; arrows and names are unchanged."""
    *modifiers, name = key.split("+")
    text = _SPOKEN.get(name, name)
    if modifiers == ["ctrl"] and len(text) == 1:
        return f"^{text}"
    return "+".join((*modifiers, text))
