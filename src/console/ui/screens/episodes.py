"""Episodes, rules and the state of this console, opened over another screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from console.base.text import clean
from console.kinds.episodes.facts import target
from console.kinds.tables import TABLES
from console.live.delta import Health
from console.records.episodes import Episode
from console.ui.screens import navigation
from console.ui.screens.list_pane import ListPane
from console.ui.screens.list_screen import ListScreen
from console.ui.screens.muting import mute, see, snooze
from console.ui.screens.ruling import RulesPane, delete_rule, edit_rule, switch_rule
from console.ui.screens.specs import ScreenSpec, screen_of
from console.ui.widgets.frame import FooterKey
from console.ui.widgets.theme import app_of


class EpisodesScreen(ListScreen):
    """Episodes, rules and the connection; `esc` returns to the screen below."""

    spec: ClassVar[ScreenSpec] = ScreenSpec("episodes", "", "Episodes", "Episodes", ("episodes", "rules", "connection"))
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
        record = self.pane.cursor_record
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
        return [record for record in self.pane.acted_on(many=True) if isinstance(record, Episode)]

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

    def do_back(self) -> None:
        """Clear the selection, then the filter, then close."""
        if self.pane.live_table.selection or self.pane.filter_text:
            super().do_back()
        else:
            self.dismiss()

    def do_episodes(self, kind: str = "") -> None:
        """Close the list."""
        del kind
        self.dismiss()

    def footer_keys(self) -> list[FooterKey]:
        """Put the key that closes the list first."""
        key = self.context.key_words("view.back")
        return [FooterKey(key, "back", clean(""), "view.back"), *super().footer_keys()]
