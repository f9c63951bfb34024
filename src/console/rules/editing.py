"""Change rules: check what was typed, and describe all rules as rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from console.records.episodes import Episode
from console.records.rules import RuleRow
from console.rules.compiled import RuleFault, compiled
from console.rules.reading import faults_of_settings, made_of
from console.rules.rule import Rule

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
"""Names of rules."""
TYPED = ("filter", "condition", "critical", "each", "severity", "title", "words")
"""The keys of a rule that a person types."""


def texts_of(rule: Rule) -> dict[str, str]:
    """Return the typed keys of a rule."""
    texts = {"condition": rule.condition_text, "critical": rule.critical_text}
    return {key: texts.get(key, getattr(rule, key, "")) for key in TYPED}


def faults_of_typed(name: str, values: Mapping[str, Any], rules: Iterable[Rule], *, new: bool) -> dict[str, str]:
    """Return the errors of a rule by key. `values` has its list and the typed keys."""
    others = {rule.name: {"list": rule.list} for rule in rules}
    faults: dict[str, str] = {}
    if NAME.fullmatch(name) is None:
        faults["name"] = "takes letters, digits and hyphens"
    elif new and name in others:
        faults["name"] = "is the name of another rule"
    settings = {key: value for key, value in values.items() if value}
    faults |= dict(faults_of_settings(name, settings, {**others, name: settings}))
    if not faults:
        try:
            compiled(made_of(name, 0, settings, ""))
        except RuleFault as fault:
            faults[fault.key] = fault.message
    return faults


def new_name(kind: str, filter_text: str, rules: Iterable[Rule]) -> str:
    """Return a free name for a rule about a filtered list: `calls-waiting-yes`."""
    known = {candidate.name for candidate in rules}
    name_parts = re.findall(r"[a-z0-9]+", f"{kind} {filter_text}".lower())
    name = "-".join(name_parts)[:40].rstrip("-")
    return next(
        candidate
        for number in range(1, 10_000)
        if (candidate := f"{name}-{number}" if number > 1 else name) not in known
    )


def rows_of(
    rules: Iterable[Rule], faults: Mapping[str, RuleFault], episodes: Iterable[Episode] | None
) -> list[RuleRow]:
    """Return all rules as rows, with the number of their current episodes if these are known."""
    now: Counter[str] = Counter()
    muted: Counter[str] = Counter()
    for episode in episodes or ():
        if episode.ended_at is None:
            now[episode.rule or ""] += 1
            muted[episode.rule or ""] += episode.muted_until is not None
    return [
        RuleRow(
            **texts_of(rule),
            name=rule.name,
            state="off" if not rule.enabled else "invalid" if rule.name in faults else "on",
            list=rule.list,
            episodes=None if episodes is None else now[rule.name],
            muted=None if episodes is None else muted[rule.name],
            fault=str(faults[rule.name]) if rule.name in faults else None,
            origin=rule.origin,
            record=rule.key or None,
        )
        for rule in rules
    ]
