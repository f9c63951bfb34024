"""Bugs of widgets and screens."""

from __future__ import annotations

from tests.mutants.bug import Bug, bug

BUGS: tuple[Bug, ...] = (
    bug(
        "the people of ten thousand calls are indexed for the detail beside a list",
        "ui/screens/detail.py",
        '        if len(context.backend.records("calls")) > _MOST_CALLS:\n            return ()\n',
        "",
        "behaviour/test_opened_records.py -k very_many",
    ),
    bug(
        "every closed dialog keeps its lines in memory",
        "ui/textual_compat/stylesheet.py",
        "    cache.cache_clear()\n",
        "    cache.cache_info()\n",
        "behaviour/widgets/test_removal.py",
    ),
    bug(
        "every closed form keeps its text areas until another theme",
        "ui/textual_compat/stylesheet.py",
        "if not watching._closing",
        "if watching",
        "behaviour/widgets/test_removal.py",
    ),
    bug(
        "the past is live",
        "recording/past.py",
        "return replace(health, state=Freshness.PAST) if health.state in CURRENT else health",
        "return replace(health) if health.state in CURRENT else health",
        "behaviour/test_freshness_in_the_past.py",
    ),
    bug(
        "the wall says that what needs attention is live while the service is gone",
        "ui/screens/wallboard.py",
        "backend.link if kind == EPISODES else backend.health(kind)",
        "backend.health(kind) if kind == EPISODES else backend.health(kind)",
        "behaviour/test_wallboard.py -k attention",
    ),
    bug(
        "chats that cannot be listed are said to be none",
        "ui/screens/app_context.py",
        '        if not unknown:\n            return "There are no support chats."',
        '        if unknown or not unknown:\n            return "There are no support chats."',
        "behaviour/test_home.py -k chats_that_cannot",
    ),
    bug(
        "undo reaches behind an action that cannot be undone without naming it",
        "ui/screens/outcomes.py",
        "ticket.stage is Stage.HELD or line.named == ticket.command.number",
        "ticket.stage is Stage.HELD or line.named != 0",
        "behaviour/test_call_and_alert_actions.py -k names_the_earlier",
    ),
    bug(
        "text is painted as it came",
        "ui/widgets/tones.py",
        "Content.styled(clean(text, _WIDEST),",
        "Content.styled(text,",
        "unit/test_tones.py",
    ),
    bug(
        "the palette parses what is said of a command",
        "ui/screens/palette.py",
        "    return Hit(score, _shown(label, about), do, text=name)",
        "    return Hit(score, label, do, text=name, help=clean(about, _WIDEST_ABOUT))",
        "unit/test_palette.py",
    ),
    bug(
        "what needs attention and has no room is not counted",
        "ui/widgets/concerns.py",
        "len(self._episodes[self._top + self._height :])",
        "0",
        "behaviour/test_home.py -k without_room",
    ),
    bug(
        "totals are cut at the edge of the screen",
        "ui/widgets/styled_line.py",
        "accumulate(width_of(part) for part in parts)",
        "accumulate(width_of(part[:2]) for part in parts)",
        "unit/test_widget_parts.py -k totals",
    ),
    bug(
        "keys typed while a form reads its values act on the list",
        "ui/screens/key_queue.py",
        "        while self._typed and not (self._holds and self._is_holding()):\n",
        "        while self._typed:\n",
        "behaviour/test_reading.py -k typed_before",
    ),
    Bug(
        "an action meets whoever stands in the row by then",
        "ui/screens/run_action.py",
        (
            ("from console.kinds.catalogue import LIVE\n", "from console.kinds.catalogue import FEEDS, LIVE\n"),
            (
                "        hold = context.config.hold_seconds\n",
                "        hold = context.config.hold_seconds\n"
                "        if action.kind in FEEDS:\n"
                "            fitting = list(context.backend.records(action.kind).values())[: len(fitting)]\n",
            ),
        ),
        "behaviour/test_call_and_alert_actions.py -k accepted_alert",
    ),
    bug(
        "an answer that was given before is offered twice",
        "ui/screens/remembered.py",
        " if value != text))[:MOST]",
        "))[:MOST]",
        "unit/test_remembered.py",
    ),
    bug(
        "a key that is held down counts each time",
        "ui/screens/repeat.py",
        "Press(repeated=repeated, unsure=unsure)",
        "Press(unsure=unsure)",
        "unit/test_repeat.py",
    ),
    bug(
        "escape goes back only one step",
        "ui/screens/navigation.py",
        "context.jumps.pop()",
        "context.jumps[-1]",
        "behaviour/test_going_back.py",
    ),
    bug(
        "choices are sorted as they come and not by their match",
        "ui/dialogs/choice.py",
        "sorted(ranked, key=itemgetter(0, 1))",
        "ranked",
        "unit/test_widget_parts.py -k matches_at",
    ),
)
