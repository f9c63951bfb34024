"""Notify once when somebody is free. The rule is local to this console; nothing is sent."""

from __future__ import annotations

from typing import Any

from console.kinds.tables import TABLES
from console.records.record import Record
from console.rules.compiled import compiled
from console.rules.editing import new_name
from console.rules.once import MOST, free_rule, subject_of
from console.rules.rule import Rule
from console.ui.screens.updating import FullScreen
from console.views.table import Table


def tell_when_free(screen: FullScreen, table: Table[Any], record: Record) -> None:
    """Add a rule that notifies once when a record is free, or remove it."""
    watch, render = screen.context.watch, screen.context.render_context()
    if watch is None:
        screen.say(screen.context.why_no_rules)
        return
    name = str(table.name(record, render))
    listed, key = subject_of(table.kind, record, render)
    waiting = [rule for rule in watch.rules if rule.once]
    known = next((rule for rule in waiting if (rule.list, rule.key) == (listed, key)), None)
    status = render.find(listed, key)
    rule = free_rule(new_name("free", name, watch.rules), listed, key)
    if known is not None:
        watch.forget(known.name)
        screen.say(f"No longer waiting for {name}.")
    elif status is None:
        screen.say(f"The presence of {name} is not known: follow it first.")
    elif compiled(rule).filter.matches(status, render):
        screen.say(f"{name} is free now.")
    elif len(waiting) >= MOST:
        screen.say(f"You wait for {MOST} already: delete some in the list of rules.")
    else:
        watch.wait_for(rule)
        screen.say(f"You will be told when {name} is free.")
    screen.beat(True)


def forget(screen: FullScreen, rule: Rule) -> None:
    """Remove a rule that notifies once."""
    watch, render = screen.context.watch, screen.context.render_context()
    record = render.find(rule.list, rule.key)
    name = str(TABLES[rule.list].name(record, render)) if record is not None else rule.name
    if watch is not None:
        watch.forget(rule.name)
        screen.say(f"No longer waiting for {name}.")
        screen.beat(True)
