"""Resolve pasted lines to users: ids, addresses, user names, e-mail addresses or names, in any mixture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from console.base.frozen import Frozen
from console.base.text import SafeText, clean
from console.commands.lookup import lookup, user_name
from console.records.people import Group, User
from console.views.cell import Cell, Line, Tone
from console.views.render_context import RenderContext
from console.views.wording import user_address


class Found(StrEnum):
    """Result for a line."""

    ADDS = "to add"
    ALREADY_IN = "already in"
    TWICE = "listed twice"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


_TONES = {
    Found.ADDS: Tone.GOOD,
    Found.ALREADY_IN: Tone.QUIET,
    Found.TWICE: Tone.QUIET,
    Found.AMBIGUOUS: Tone.WARN,
    Found.UNKNOWN: Tone.BAD,
}


class Resolved(Frozen):
    """A pasted name and its user."""

    written: SafeText
    found: Found
    user: User | None = None
    candidates: tuple[User, ...] = ()
    """The matching users, if there are several."""

    @property
    def line(self) -> Line:
        """The line in a list of results."""
        tone = _TONES[self.found]
        text = self.found.value
        if self.found is Found.AMBIGUOUS:
            text += ": " + ", ".join(
                user_name(candidate) + f" ({clean(candidate.id, 24)})" for candidate in self.candidates[:4]
            )
        elif self.user is not None and user_name(self.user) != self.written:
            text += f": {user_name(self.user)}"
        return (Cell(clean(f"{self.written}  ", 80)), Cell(clean(text, 160), tone))


def resolve_members(text: str, render: RenderContext, group: Group) -> tuple[Resolved, ...]:
    """Return for each pasted name whether it would be added to the group, or why not."""
    return resolve_people(text, render, frozenset(group.participants))


def resolve_people(text: str, render: RenderContext, already: frozenset[str] = frozenset()) -> tuple[Resolved, ...]:
    """Return for each pasted name its user; `already` contains user ids that are not added again."""
    index = _Index(lookup(render, "users", User), render)
    seen: set[str] = set()
    results: list[Resolved] = []
    for written in split_names(text):
        matches = index.match(written)
        if len(matches) != 1:
            outcome = Found.AMBIGUOUS if matches else Found.UNKNOWN
            results.append(Resolved(clean(written, 64), outcome, candidates=matches))
            continue
        user = matches[0]
        outcome = Found.TWICE if user.id in seen else Found.ALREADY_IN if user.id in already else Found.ADDS
        seen.add(user.id)
        results.append(Resolved(clean(written, 64), outcome, user))
    return tuple(results)


def split_names(text: str) -> Iterator[str]:
    """Split a pasted text at line ends, commas, semicolons and tabs; of `Ana <ana@x>` use the part in brackets."""
    for part in re.split(r"[\n\r,;\t]+", text):
        name = part.strip().strip("\"'").strip()
        bracketed = re.search(r"<([^<>]+)>$", name)
        name = bracketed[1].strip() if bracketed else name
        if name:
            yield name


def summary(results: tuple[Resolved, ...]) -> str:
    """Return the counts as a text: `3 to add, 1 unknown`."""
    counts = [(sum(result.found is found for result in results), found.value) for found in Found]
    return ", ".join(f"{count} {word}" for count, word in counts if count)


def lines_of(results: tuple[Resolved, ...]) -> tuple[Line, ...]:
    """Return the lines for a pasted list: first the counts, then each name in order."""
    total = (Cell(clean(summary(results)), Tone.STRONG),)
    return (total, *(result.line for result in results)) if results else ()


class _Index:
    """Users by all their names; the most specific kind of name has precedence."""

    def __init__(self, users: list[User], render: RenderContext) -> None:
        self._tiers: tuple[dict[str, dict[str, User]], ...] = ({}, {}, {}, {})
        for user in users:
            full = f"{user.username}@{user.domain}" if user.username and user.domain else None
            tiers = ((user.id, user_address(user.id, render)), (full, user.username), (user.email,), (user.alias,))
            for tier, names in zip(self._tiers, tiers, strict=True):
                for name in names:
                    if name:
                        tier.setdefault(name.casefold(), {})[user.id] = user

    def match(self, written: str) -> tuple[User, ...]:
        for tier in self._tiers:
            users = tier.get(written.casefold())
            if users:
                return tuple(users.values())
        return ()
