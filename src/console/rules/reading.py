"""Read the rules of the console, of the operator and of the profile."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeGuard

from console.base.frozen import Frozen
from console.config.paths import Places
from console.config.rule_settings import RuleSettings, RulesFile
from console.config.settings import nearest, read
from console.config.toml_source import ConfigFault, FileProblem, Place, key_of, read_toml
from console.kinds.catalogue import LIVE
from console.rules.condition import Condition, ConditionFault, duration, parse_condition
from console.rules.rule import Rule

SHIPPED = "shipped"
SHIPPED_FILE = Path(__file__).with_name("rules.toml")
_KEYS = tuple(RuleSettings.__struct_fields__)
_DEFAULTS = RuleSettings(
    filter="",
    condition="any",
    each="",
    unless="",
    subject="",
    severity="warning",
    words="{name}",
    hold="30s",
    mine=False,
    renews=False,
    enabled=True,
)


Report = Callable[[Place, str], FileProblem]


class Origin(Frozen):
    """Place of a rule's key in a file."""

    name: str
    problem: Report
    """Returns the problem with a value, by the place of the key and words that follow it."""


class RuleSet(Frozen):
    """All rules in order: those shipped, then the operator's own."""

    rules: tuple[Rule, ...] = ()
    origins: Mapping[tuple[str, str], Origin] = {}
    """By rule and key."""

    def problem(self, rule: str, key: str, text: str) -> FileProblem:
        """Return the problem with a key of a rule, with its file and line."""
        return _problem(self.origins, rule, key, text)

    def get(self, name: str) -> Rule | None:
        """Return a rule, or None."""
        return next((rule for rule in self.rules if rule.name == name), None)


def own_file(places: Places) -> Path:
    """Return the operator's file of rules, which need not exist."""
    return places.config_file.parent / "rules.toml"


def _nowhere(place: Place, text: str) -> FileProblem:
    return FileProblem(None, 0, key_of(place), text)


def load_rules(
    places: Places | None, profile: Mapping[str, RuleSettings] | None = None, problem: Report = _nowhere
) -> RuleSet:
    """Read all rules. `profile` has the rules of the profile; `problem` adds file and line to an error in them.

    Raise ConfigFault with all errors.
    """
    own = own_file(places) if places is not None else None
    files = [SHIPPED_FILE, *([own] if own is not None and os.path.lexists(own) else [])]
    return read_rules(files, profile, problem)


def read_rules(
    files: list[Path], profile: Mapping[str, RuleSettings] | None = None, problem: Report = _nowhere
) -> RuleSet:
    """Read files of rules, the later overriding the earlier key by key. Raise ConfigFault with all errors."""
    rules, problems = read_with_problems(files, profile, problem)
    if problems:
        raise ConfigFault(problems)
    return rules


def read_with_problems(
    files: list[Path], profile: Mapping[str, RuleSettings] | None = None, problem: Report = _nowhere
) -> tuple[RuleSet, list[FileProblem]]:
    """Return the valid rules, and the errors of the others. Raise ConfigFault for a file that is not TOML."""
    merged: dict[str, dict[str, Any]] = {}
    origins: dict[tuple[str, str], Origin] = {}
    problems: list[FileProblem] = []
    invalid: set[str] = set()
    """Rules with keys that cannot be read: other errors may follow from these."""
    for file in files:
        source = read_toml(file)
        name = SHIPPED if file == SHIPPED_FILE else str(file)
        try:
            rules = read(RulesFile, source.data, source.problem).rules
        except ConfigFault as fault:
            problems += fault.problems
            rules, wrong = _valid_keys(source.data)
            invalid |= wrong
        _merge(merged, origins, rules, Origin(name, source.problem))
    _merge(merged, origins, profile or {}, Origin("profile", problem))
    rules_in_order: list[Rule] = []
    for name, settings in merged.items():
        faults = [
            (key, text)
            for key, text in faults_of_settings(name, settings, merged)
            if name not in invalid or settings.get(key)
        ]
        problems += [_problem(origins, name, key, text) for key, text in faults]
        if not faults and settings.get("list"):
            last = next(origin for (rule, _), origin in reversed(origins.items()) if rule == name)
            rules_in_order.append(made_of(name, len(rules_in_order), settings, last.name))
    return RuleSet(tuple(rules_in_order), origins), problems


def _valid_keys(data: Mapping[str, Any]) -> tuple[Mapping[str, RuleSettings], set[str]]:
    """Return the rules of an invalid file without the invalid keys, and the names of the rules that have some."""
    rules: dict[str, RuleSettings] = {}
    invalid: set[str] = set()
    tables: Any = data.get("rules")
    for name, table in tables.items() if _is_table(tables) else ():
        valid = (
            {key: value for key, value in table.items() if _is_valid(name, {key: value})} if _is_table(table) else {}
        )
        if valid != table:
            invalid.add(name)
        if _is_valid(name, valid):
            rules |= read(RulesFile, {"rules": {name: valid}}).rules
    return rules, invalid


def _is_table(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)


def _is_valid(name: str, table: Mapping[str, Any]) -> bool:
    try:
        read(RulesFile, {"rules": {name: table}})
    except ConfigFault:
        return False
    return True


def _merge(
    merged: dict[str, dict[str, Any]],
    origins: dict[tuple[str, str], Origin],
    rules: Mapping[str, RuleSettings],
    origin: Origin,
) -> None:
    for name, rule in rules.items():
        into = merged.setdefault(name, {})
        origins.setdefault((name, ""), origin)
        for key in _KEYS:
            value = getattr(rule, key)
            if value is not None:
                into[key] = value
                origins.pop((name, key), None)
                origins[(name, key)] = origin


def _problem(origins: Mapping[tuple[str, str], Origin], rule: str, key: str, text: str) -> FileProblem:
    place: Place = ("rules", rule, key) if key else ("rules", rule)
    origin = origins.get((rule, key)) or origins.get((rule, ""))
    return (origin.problem if origin is not None else _nowhere)(place, text)


def faults_of_settings(name: str, settings: Mapping[str, Any], rules: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the errors of a rule that need no table: the key, and words that follow it."""
    listed = settings.get("list")
    if listed is None:
        near = nearest(name, [rule for rule in rules if rules[rule].get("list")])
        yield "list", f"is missing, and {name!r} is not a rule that has one{near}" if near else "is missing"
    elif listed not in LIVE or listed == "episodes":
        yield "list", f"{listed!r} is not a list that is kept up to date{nearest(listed, sorted(LIVE))}"
    for key in ("condition", "critical"):
        try:
            if settings.get(key):
                condition = parse_condition(settings[key])
                if key == "condition" and condition.of_nothing and settings.get("each"):
                    yield key, "applies without a row: it cannot be combined with each"
        except ConditionFault as fault:
            yield key, str(fault)
    try:
        duration(settings.get("hold") or "0s")
    except ConditionFault as fault:
        yield "hold", str(fault)
    unless = settings.get("unless")
    if unless and (unless not in rules or unless == name):
        yield "unless", f"{unless!r} is not another rule{nearest(unless, [rule for rule in rules if rule != name])}"
    elif unless and rules[unless].get("list") != listed:
        yield "unless", f"{unless!r} is about another list"


def made_of(name: str, place: int, settings: Mapping[str, Any], origin: str, key: str = "") -> Rule:
    """Return the rule of settings without errors."""
    value: dict[str, Any] = {key: settings.get(key, getattr(_DEFAULTS, key)) for key in _KEYS}
    critical: Condition | None = parse_condition(value["critical"]) if value["critical"] else None
    return Rule(
        name=name,
        place=place,
        list=value["list"],
        filter=value["filter"],
        condition=parse_condition(value["condition"]),
        condition_text=value["condition"],
        critical=critical,
        critical_text=value["critical"] or "",
        each=value["each"],
        unless=value["unless"],
        subject=value["subject"],
        severity=value["severity"],
        title=value["title"] or name,
        words=value["words"],
        hold_ms=duration(value["hold"]),
        mine=value["mine"],
        renews=value["renews"],
        enabled=value["enabled"],
        origin=origin,
        key=key,
    )
