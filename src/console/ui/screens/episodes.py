"""Episodes, rules and the state of this console, opened over another screen.

Episodes are marked as seen, and muted, in this console only: nothing is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from console.base.text import clean
from console.commands.action import Choice, ChoiceAsk, TextAsk
from console.kinds.episodes.facts import muted, over, target
from console.kinds.tables import TABLES
from console.live.delta import Health
from console.records.episodes import Episode
from console.rules.mutes import LONGEST_REASON, Scope, names_of
from console.ui.dialogs import ChoiceDialog, TextDialog
from console.ui.screens import navigation
from console.ui.screens.frame import FrameScreen
from console.ui.screens.list_pane import ListPane
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.ruling import RulesPane, delete_rule, edit_rule, switch_rule
from console.ui.screens.specs import ScreenSpec, screen_of
from console.ui.widgets.theme import app_of
from console.views import wording
from console.views.spans import span
from console.views.wording import plural

_USUAL = "15m"
_LONGEST_MS = 30 * 86_400_000
_NOTHING = "Nothing under the cursor."
_ENDED = "It has ended already."


def see(screen: FrameScreen, episodes: Sequence[Episode]) -> None:
    """Mark episodes as seen."""
    watch = screen.context.watch
    if watch is None or not episodes:
        screen.say(screen.context.why_no_rules if watch is None else _NOTHING)
        return
    watch.see([episode.id for episode in episodes], screen.context.who)
    screen.say(f"{wording.capitalized(plural(len(episodes), 'thing'))} marked as seen.")
    screen.beat(True)


def snooze(screen: FrameScreen, episodes: Sequence[Episode]) -> None:
    """Mute episodes for a while."""
    _mute(screen, "episode", [episode for episode in episodes if not over(episode)], "Snooze")


def mute(screen: FrameScreen, episodes: Sequence[Episode]) -> None:
    """Mute an episode, its rule or its record; a muted one is unmuted."""
    watch = screen.context.watch
    if watch is None or not episodes:
        screen.say(screen.context.why_no_rules if watch is None else _NOTHING)
        return
    if all(map(muted, episodes)):
        watch.unmute([episode.id for episode in episodes])
        screen.say(f"{wording.capitalized(plural(len(episodes), 'thing'))} unmuted.")
        screen.beat(True)
        return
    first = episodes[0]
    about = {"episode": first.words or "", "rule": first.rule or "", "record": first.words or ""}
    titles = {"episode": "Only this", "rule": "Its rule", "record": "Its record"}
    choices = tuple(Choice(kind, clean(titles[kind]), clean(about[kind], 60)) for kind, _ in names_of(first))

    def chosen(scope: str | tuple[str, ...] | None) -> None:
        if scope in ("episode", "rule", "record"):
            matching_episodes = [episode for episode in episodes if scope == "rule" or not over(episode)]
            _mute(screen, scope, matching_episodes, "Mute")

    app_of(screen).push_screen(ChoiceDialog(ChoiceAsk("scope", "Mute", choices, digits=True)), chosen)


def _mute(screen: FrameScreen, scope: Scope, episodes: Sequence[Episode], title: str) -> None:
    """Ask for how long and why, and mute."""
    watch, app = screen.context.watch, app_of(screen)
    if watch is None or not episodes:
        screen.say(screen.context.why_no_rules if watch is None else _ENDED)
        return

    def why(ms: float) -> None:
        ask = TextAsk("reason", "Reason", required=False, check=_check, verb=title)

        def done(reason: str | None) -> None:
            if reason is None:
                return
            until = screen.context.clock.now_ms() + ms
            many = watch.mute(scope, [episode.id for episode in episodes], until, reason, screen.context.who)
            at = wording.clock(until, screen.context.render_context())
            muted_things = wording.capitalized(plural(many, "thing" if scope == "episode" else scope))
            screen.say(f"{muted_things} muted until {at}." if many else "Nothing to mute.")
            screen.beat(True)

        app.push_screen(TextDialog(ask), done)

    def typed(text: str | None) -> None:
        length = span(text) if text is not None else None
        if length is not None:
            why(length.ms)

    ask = TextAsk("span", f"{title} for", _USUAL, anew=True, check=_check_span)
    app.push_screen(TextDialog(ask), typed)


def _check_span(text: str) -> str | None:
    length = span(text)
    if length is None or length.ms <= 0:
        return "Not a length: use 30m, 2h or 1d."
    return "At most 30 days." if length.ms > _LONGEST_MS else None


def _check(reason: str) -> str | None:
    return f"At most {LONGEST_REASON} characters." if len(reason) > LONGEST_REASON else None


class EpisodesScreen(ListScreen):
    """Episodes, rules and the connection; `esc` returns to the screen below."""

    spec: ClassVar[ScreenSpec] = ScreenSpec(
        "episodes", "", "Needs attention", "Attention", ("episodes", "rules", "connection")
    )
    OVER: ClassVar[bool] = True

    def make_panes(self) -> Sequence[ListPane]:
        """Return the lists of episodes and rules, and the connection."""
        episodes, connection = (ListPane(self.context, TABLES[kind]) for kind in ("episodes", "connection"))
        return (episodes, RulesPane(self.context), connection)

    def health(self) -> Health:
        """Return the freshness of the connection."""
        return self.context.backend.link

    def do_open(self) -> None:
        """Go to the rows of the episode under the cursor."""
        record = self.pane.view.cursor_record
        kind, key, wanted = (
            target(record, self.context.render_context()) if isinstance(record, Episode) else ("", "", "")
        )
        spec = screen_of(kind) if kind else None
        if spec is None:
            super().do_open()
        else:
            if self.context.watch is not None and isinstance(record, Episode):
                self.context.watch.see([record.id])
            navigation.go(app_of(self), self.context, spec.name, kind, key, wanted)

    def _episodes(self) -> list[Episode]:
        return [record for record in self.pane.view.acted_on(many=True) if isinstance(record, Episode)]

    def do_seen(self) -> None:
        """Mark the selected episodes, or the one under the cursor, as seen."""
        see(self, self._episodes())

    def do_snooze(self) -> None:
        """Mute the selected episodes, or the one under the cursor, for a while."""
        snooze(self, self._episodes())

    def do_mute(self) -> None:
        """Mute or unmute the selected episodes, or the one under the cursor."""
        mute(self, self._episodes())

    def do_switch(self) -> None:
        """Switch the rule under the cursor on or off."""
        switch_rule(self, self.cursor_key)

    def do_update(self) -> None:
        """Change the rule under the cursor with a form."""
        edit_rule(self, self.cursor_key)

    def do_delete(self) -> None:
        """Delete the own rule under the cursor."""
        delete_rule(self, self.cursor_key)

    def do_episodes(self, kind: str = "") -> None:
        """Close the list."""
        del kind
        self.dismiss()
