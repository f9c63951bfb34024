"""`console rules`: list, show and check rules, and try one on the current rows."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from console.api.errors import ApiError
from console.base.frozen import replace
from console.base.text import clean
from console.cli.connection import SelectedProfile, Where, add_where, choose, logged_in, run_async
from console.cli.exits import Exit, Failure
from console.cli.lists.list import myself
from console.cli.lists.rows import ROUNDS, FetchedOnce, LoadedKinds, fetch, render_context_of
from console.cli.output import escaped, one_line, print_json, talk
from console.config.paths import places
from console.config.settings import nearest
from console.config.toml_source import ConfigFault
from console.kinds.catalogue import FEEDS
from console.kinds.episodes.facts import attention
from console.live.bounds import bounds_for
from console.live.paging import advised
from console.records.episodes import Episode
from console.rules.compiled import RuleFault, compiled, faults_of
from console.rules.reading import SHIPPED_FILE, RuleSet, load_rules, own_file, read_with_problems
from console.rules.rule import Rule
from console.rules.watch import EPISODES, Watch
from console.views import wording
from console.views.render_context import RenderContext
from console.views.spans import typed_span
from console.views.wording import plural

_KEYS = ("list", "filter", "condition", "critical", "each", "unless", "subject", "severity", "title", "words")


def declare_list(parser: ArgumentParser) -> None:
    """Declare `console rules list`."""
    parser.add_argument("--json", action="store_true", help="Print a JSON array.")
    parser.set_defaults(run=list_rules)


def list_rules(*, json: bool) -> int:
    """Print all rules: those shipped with the console, then your own."""
    rules = load_rules(places(os.environ)).rules
    if json:
        print_json([_object(rule) for rule in rules])
        return Exit.OK
    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        state = "on " if rule.enabled else "off"
        print(escaped(f"{state}  {rule.name:<{width}}  {rule.severity:<8}  {rule.list:<13}  {_about(rule)}"))
    return Exit.OK


def declare_validate(parser: ArgumentParser) -> None:
    """Declare `console rules validate`."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        type=Path,
        help="File with rules instead of your own; it may change the shipped ones.",
    )
    parser.set_defaults(run=validate)


def validate(*, file: Path | None) -> int:
    """Check a file of rules, and report all errors."""
    own = own_file(places(os.environ)) if file is None else file
    rule_set, faults = read_with_problems([SHIPPED_FILE, *([own] if file is not None or os.path.lexists(own) else [])])
    faults += [rule_set.problem(rule.name, fault.key, fault.message) for rule, fault in faults_of(rule_set.rules)]
    if faults:
        raise ConfigFault(sorted(faults, key=lambda file_problem: file_problem.line))
    many = sum(rule.origin == str(own) for rule in rule_set.rules)
    print(clean(f"{own}: {plural(many, 'rule')}, valid" if many or own.exists() else "no rules of your own", 4000))
    return Exit.OK


def declare_show(parser: ArgumentParser) -> None:
    """Declare `console rules show`."""
    parser.add_argument("name", metavar="NAME", help="Name of the rule.")
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    parser.set_defaults(run=show)


def show(*, name: str, json: bool) -> int:
    """Print a rule as TOML, with the file that defines it or changes it."""
    rule = _rule(load_rules(places(os.environ)), name)
    if json:
        print_json(_object(rule))
        return Exit.OK
    print(escaped(f"# {rule.origin}"))
    print(escaped(f"[rules.{rule.name}]"))
    for key, value in _object(rule).items():
        if key not in ("name", "origin") and value not in ("", None):
            print(escaped(f"{key} = {one_line(value)}"))
    return Exit.OK


def declare_test(parser: ArgumentParser) -> None:
    """Declare `console rules test`."""
    parser.add_argument("name", metavar="NAME", help="Name of the rule, which may be switched off.")
    parser.add_argument(
        "--since", metavar="TEXT", help="Try it on all that was recorded since then: 8h, 10:42, yesterday 22:10."
    )
    parser.add_argument("--json", action="store_true", help="Print one JSON object per episode.")
    add_where(parser)
    parser.set_defaults(run=try_rule)


def try_rule(
    *,
    name: str,
    since: str | None,
    json: bool,
    where: Where,
) -> int:
    """Try a rule on the current rows, and print the episodes that would begin now.

    A duration of its condition is not waited for. Exits with 5 if the rule does not apply.

    With --since, the rule is tried on the recording of the profile: when its episodes would have begun and ended. It
    exits with 1 if a part of the recording cannot be read.
    """
    rules = load_rules(places(os.environ))
    rule = _rule(rules, name)
    if since is None and rule.list not in FEEDS:
        raise Failure(Exit.USAGE, f"{name} is about the {rule.list}, which no service lists: it cannot be tried")
    try:
        compiled(rule)
    except RuleFault as fault:
        raise ConfigFault([rules.problem(name, fault.key, fault.message)]) from None
    others = [other for other in rules.rules if other.name == rule.unless and other.enabled]
    chosen = choose(where)
    if since is not None:
        # Takes 7 ms, which only --since needs.
        from console.cli.rules.evaluation import played_since

        return played_since(chosen, [*others, rule], since, json=json)
    episodes, rows, known = run_async(lambda: _try(chosen, [*others, rule]))
    episodes = [episode for episode in episodes if episode.rule == name]
    for episode in episodes:
        print(one_line(episode.wire()) if json else escaped(_line(episode, known)))
    if not episodes:
        talk(f"{name} does not apply to the {plural(rows, 'row')} of {rule.list}")
        return Exit.CONDITION
    lasting = rule.condition.lasting_ms
    if lasting:
        talk(f"it would begin if this lasted {typed_span(lasting)}")
    return Exit.OK


async def _try(chosen: SelectedProfile, rules: list[Rule]) -> tuple[list[Episode], int, int]:
    """Return the current episodes, the number of rows of the list, and the current time in ms since the epoch."""
    at_once = [replace(rule, enabled=True, condition=replace(rule.condition, lasting_ms=0.0)) for rule in rules]
    known, bounds, listed = LoadedKinds(), bounds_for(chosen.profile.max_rows), rules[-1].list
    async with logged_in(chosen) as client:
        me = await myself(client)
        cut = await fetch(client, listed, known, bounds)
        for _ in range(ROUNDS):
            _evaluated(at_once, known, render_context_of(chosen.profile, chosen.config, me, known, known.extent))
            if not known.missed:
                break
            for value in sorted(known.missed):
                known.missed.discard(value)
                try:
                    await fetch(client, value, known, bounds)
                except ApiError as error:
                    known.note(value, error)
    for fault in known.faults:
        talk(fault)
    if cut:
        talk(f"{listed}: {advised(cut)}")
    render = render_context_of(chosen.profile, chosen.config, me, known, known.extent)
    return _evaluated(at_once, known, render), len(known.records[listed]), render.now_ms


def _evaluated(rules: list[Rule], known: LoadedKinds, render: RenderContext) -> list[Episode]:
    """Return the episodes, the worst and oldest first."""
    watch = Watch(rules, FetchedOnce(known), lambda: render)
    watch.update()
    snapshots = {EPISODES: watch.collection.snapshot()}
    return list(attention(replace(render, lookup=snapshots.__getitem__)))


def _rule(rules: RuleSet, name: str) -> Rule:
    rule = rules.get(name)
    if rule is None:
        known = [rule.name for rule in rules.rules]
        raise Failure(Exit.USAGE, f"there is no rule {name!r}{nearest(name, known)}; see `console rules list`")
    return rule


def _object(rule: Rule) -> Mapping[str, Any]:
    texts = {"condition": rule.condition_text, "critical": rule.critical_text}
    values = {key: texts.get(key, getattr(rule, key, "")) for key in _KEYS}
    flags = {"hold": typed_span(rule.hold_ms).replace(" ", ""), "mine": rule.mine, "renews": rule.renews}
    return {"name": rule.name, **values, **flags, "enabled": rule.enabled, "origin": rule.origin}


def _about(rule: Rule) -> str:
    per_group = {"": "", "record": " each row"}.get(rule.each, f" each {rule.each}")
    return f"{rule.filter or 'all rows'}: {rule.condition_text}{per_group}"


def _line(episode: Episode, now_ms: int) -> str:
    since = wording.at(episode.since_at)
    age = "" if since is None else f"  {wording.age_words(now_ms - since)}"
    many = f" (×{episode.count})" if (episode.count or 0) > 1 else ""
    return f"{episode.severity:<8}  {episode.title}: {episode.words}{many}{age}"
