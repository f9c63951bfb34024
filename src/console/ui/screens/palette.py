"""The command palette.

Textual parses every `str` in its entries as markup, so they are created only here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import Matcher

from console.api.catalogue import catalogue
from console.base.frozen import replace
from console.base.text import SafeText, clean
from console.commands.guards import blocked
from console.kinds.operating import change, name_in_list, on_rows_of, user_behind
from console.kinds.resource import Resource
from console.records.record import Record
from console.ui.dialogs import ChoiceDialog
from console.ui.dialogs.dialog import Dialog
from console.ui.screens import navigation
from console.ui.screens.console_screen import ConsoleScreen
from console.ui.screens.operations import run
from console.ui.screens.overlay import Overlay, beneath
from console.ui.screens.specs import SCREENS
from console.ui.widgets.theme import app_of, themes_of
from console.ui.widgets.tones import styled
from console.views.cell import Tone
from console.views.render_context import RenderContext
from console.views.wording import capitalized

_WIDEST = 120
_WIDEST_ABOUT = 240

Do = Callable[[], object]


def offered_hit(title: str, about: str, do: Do) -> DiscoveryHit:
    """Return an entry that is shown without input."""
    name = clean(title, _WIDEST)
    return DiscoveryHit(_shown(styled(name), about), do, text=name)


def hit_of(matcher: Matcher, title: str, about: str, do: Do) -> Hit | None:
    """Return an entry with highlighted matches; None if the title does not match."""
    name = clean(title, _WIDEST)
    score, offsets = matcher.fuzzy_search.match(matcher.query, name)
    if score <= 0:
        return None
    label = styled(name)
    for offset in offsets:
        if not name[offset].isspace():
            label = label.stylize(matcher.match_style, offset, offset + 1)
    return Hit(score, _shown(label, about), do, text=name)


def _shown(title: Content, about: str) -> Content:
    """Return title and description. Textual's own field for the description accepts only markup."""
    safe_text: SafeText = clean(about, _WIDEST_ABOUT)
    return Content("\n").join([title, styled(safe_text, Tone.QUIET).stylize("not bold")] if safe_text else [title])


def _described(records: Sequence[Record], wanted: Resource, render: RenderContext) -> SafeText:
    """Return the name of the record that an operation is about, or how many there are."""
    return name_in_list(records[0], wanted.name, render) if len(records) == 1 else clean(f"{len(records)} selected")


class ConsoleCommands(Provider):
    """Actions, view keys, screens and themes of the front screen. A command cancels a choice that is still open."""

    def _console_screen(self) -> ConsoleScreen | None:
        """Return the front screen, or the one below an overlay or a choice."""
        front = self.screen
        if isinstance(front, Overlay | ChoiceDialog):
            return beneath(front)
        return front if isinstance(front, ConsoleScreen) else None

    def _instead(self, do: Do) -> Do:
        """Return a command that cancels an open choice first."""
        front = self.screen
        if not isinstance(front, ChoiceDialog):
            return do

        def cancel_and_do() -> object:
            front.leave()
            return do()

        return cancel_and_do

    def _commands(self) -> Iterator[tuple[str, str, Callable[[], object]]]:
        front = self.screen
        screen = self._console_screen()
        if screen is None:
            return
        perform = front.perform if isinstance(front, Overlay) else screen.perform
        context = screen.context
        situation = context.situation(screen.selected())
        for action in screen.actions_here():
            reason = blocked(action, situation, screen.acted_on(action))
            key = context.key_words(action.id)
            about = reason or action.about or f"key {key}"
            yield f"{capitalized(action.title)} ({action.id})", about, partial(perform, action.id)
        for view_key in screen.view_keys():
            yield (
                capitalized(view_key.title),
                view_key.about or f"key {context.key_words(view_key.id)}",
                partial(perform, view_key.id),
            )
        for spec in SCREENS:
            yield f"Go to {spec.title}", f"key {spec.digit}", partial(navigation.go, app_of(screen), context, spec.name)
        for theme in themes_of(app_of(screen)).by_name.values():
            yield f"Theme: {theme.title}", "change the theme", partial(setattr, app_of(screen), "theme", theme.name)

    def _why_none(self) -> Iterator[tuple[str, str, Do]]:
        """Yield the way out if a dialog or another full screen is open: the commands work below it."""
        front = self.screen
        if self._console_screen() is None:
            leave = front.leave if isinstance(front, Dialog) else front.dismiss
            yield "Close what is open here", "Commands work on the screen below: press esc first.", leave

    def _operations(self, matcher: Matcher) -> Iterator[tuple[str, str, Do]]:
        """Yield the matching operations of both services, run through a form. They are too many to offer at first."""
        screen = self._console_screen()
        if screen is None:
            return
        render = screen.context.render_context()
        for name, request in catalogue().items():
            title = clean(f"{clean(request.operation.words, _WIDEST - len(name) - 7)} (run {name})", _WIDEST)
            if matcher.match(title) <= 0:
                continue
            wanted, records = self._about(screen, name, render)
            given = f"{_described(records, wanted, render)}: " if wanted is not None and records else ""
            about = screen.context.lacks(request.operation) or f"{given}fill in its form, and send it"
            yield title, about, partial(run, screen, name, wanted, records)

    def _about(
        self, screen: ConsoleScreen, name: str, render: RenderContext
    ) -> tuple[Resource | None, tuple[Record, ...]]:
        """Return the records on the screen that an operation is about, and their resource: or neither."""
        kind = screen.kind_in_focus()
        wanted = on_rows_of(name, kind)
        if wanted is not None:
            records = tuple(screen.acted_on(change(name, wanted)))
        elif (wanted := on_rows_of(name, "users")) is not None:
            chosen = screen.acted_on(replace(change(name, wanted), kind=kind))
            users = [user_behind(record, kind, render) for record in chosen]
            records = tuple(user for user in users if user is not None)
            records = records if len(records) == len(chosen) else ()
        else:
            records = ()
        return (wanted, records) if records else (None, ())

    async def search(self, query: str) -> Hits:
        """Yield the commands that match the query."""
        matcher = self.matcher(query)
        for why, about, do in self._why_none():
            title = clean(why)
            yield Hit(1, _shown(styled(title), about), do, text=title)
        for name, about, do in chain(self._commands(), self._operations(matcher)):
            hit = hit_of(matcher, name, about, self._instead(do))
            if hit is not None:
                yield hit

    async def discover(self) -> Hits:
        """Yield all commands while the query is empty."""
        for name, about, do in chain(self._why_none(), self._commands()):
            yield offered_hit(name, about, self._instead(do))
