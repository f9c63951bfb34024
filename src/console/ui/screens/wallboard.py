"""The wallboard: large characters for a screen on the wall, without keys and without names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from console.base.frozen import replace
from console.kinds.catalogue import LIVE
from console.kinds.view_keys import VIEW_KEYS
from console.live.delta import CURRENT, Freshness, Health
from console.rules.watch import EPISODES
from console.ui.screens import deferred
from console.ui.screens.app_context import AppContext
from console.ui.screens.specs import SCREENS
from console.ui.screens.updating import Updating
from console.ui.screens.wall_boards import BOARDS, BoardLook, named_queues
from console.ui.textual_compat.backpressure import ThrottledScreen
from console.ui.widgets.wall import GAP, Row, Wall, WallText, least_scale
from console.ui.widgets.wall_graphs import Graph, graph_values
from console.views import wording
from console.views.big_text import width_of_big
from console.views.cell import Tone
from console.views.render_context import RenderContext

WIDE = 160
"""Width in cells from which on all columns are shown."""
RETRY_SECONDS = 60.0
"""Interval at which a login is tried again: nobody is there to press a key."""
_TITLES = {"charts": "last hour"}
"""Titles of boards other than their names."""
_DIGITS = frozenset(spec.digit for spec in SCREENS)


def _leading() -> frozenset[str]:
    """Return the ids of keys that work everywhere, without those that close the boards anyway."""
    views = (key.id for key in VIEW_KEYS if key.where == "everywhere")
    actions = (action.id for action in deferred.actions.ACTIONS if action.kind == "everywhere")
    return frozenset((*views, *actions)) - {"view.back", "view.quit", "view.wallboard"}


class WallboardScreen(ThrottledScreen[events.Key | None], Updating):
    """Shows the boards of the configuration in turn. It sends nothing but reads.

    Its result is the key that closed it and that works everywhere, if it was one.
    """

    DEFAULT_CSS = """
    WallboardScreen { background: $background; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,W", "leave", show=False),
        Binding("right,space,tab", "turn(1)", show=False),
        Binding("left,shift+tab", "turn(-1)", show=False),
        Binding("q", "app.quit", show=False),
    ]

    def __init__(self, context: AppContext, *, alone: bool = False) -> None:
        """With `alone`, it is the whole program: no key leads to another screen, and a login is retried."""
        super().__init__()
        self.context = context
        self.wall = Wall()
        self._alone = alone
        self._turned_at = context.clock.monotonic()
        self._retried_at = self._turned_at
        self._place = 0
        """The place of the current board in the configured order."""
        self._drawn: object = None

    def compose(self) -> ComposeResult:
        """Compose the rows."""
        yield self.wall

    def on_mount(self) -> None:
        """Load the lists of all boards."""
        kinds = [BOARDS[name][1] for name in self.context.config.wallboard.boards]
        self.context.backend.show(frozenset({"queues"}).union(*kinds) & LIVE)
        self.beat(True)

    def on_key(self, event: events.Key) -> None:
        """Close the boards for a key that works everywhere; the screen below executes it."""
        keys = self.context.keys
        if not self._alone and (
            event.character in _DIGITS or any(event.key in keys.get(value, ()) for value in _leading())
        ):
            event.stop()
            event.prevent_default()
            self.dismiss(event)

    def action_turn(self, by: int) -> None:
        """Show the next board with content, or the previous one."""
        self._turned_at = self.context.clock.monotonic()
        render = self.context.render_context()
        self._show(*self._next_board(self._place + by, by, render), render)

    def action_leave(self) -> None:
        """Go back to the screen before, if there is one."""
        if not self._alone:
            self.dismiss()

    def beat(self, fresh: bool, /) -> None:
        """Draw the current board, and turn to the next one in time."""
        settings, now = self.context.config.wallboard, self.context.clock.monotonic()
        if self._alone and self.context.backend.fatal is not None and now - self._retried_at >= RETRY_SECONDS:
            self._retried_at = now
            self.context.backend.retry()
        place, render = self._place, self.context.render_context()
        if now - self._turned_at >= settings.seconds:
            self._turned_at = now
            place += 1
        state = render.now_ms // 1000, place, self.context.backend.fatal, self.wall.size
        if fresh or state != self._drawn:
            self._drawn = state
            self._show(*self._next_board(place, 1, render), render)

    def _next_board(self, place: int, by: int, render: RenderContext) -> tuple[str, Sequence[Row] | Sequence[Graph]]:
        """Return the board at a place or, if it is empty, the next one in that direction with content."""
        settings, width = self.context.config.wallboard, self.wall.content_size.width
        wide, history = self.size.width >= WIDE, self.context.backend.history
        values = graph_values(width, render.symbols)
        look = BoardLook(names=settings.names, wide=wide, width=width, values=values, history=history)
        for step in range(len(settings.boards)):
            self._place = (place + by * step) % len(settings.boards)
            name = settings.boards[self._place]
            if body := BOARDS[name][0](render, look):
                return name, body
        return "nothing to show", []

    def _show(self, name: str, body: Sequence[Row] | Sequence[Graph], render: RenderContext) -> None:
        health = self._health(name)
        if health.state not in CURRENT:
            # What is not current must not look as if it were.
            body = [_faded(row) for row in body]
        self.wall.show(self._head(name, health, render), body, render, self._foot(name, render))

    def _foot(self, name: str, render: RenderContext) -> Row:
        """Return the names of the queues, below boards that do not show them."""
        if name == "queues":
            return ()
        look, (width, height) = BoardLook(names=self.context.config.wallboard.names), self.wall.content_size
        foot = named_queues(render, look, width, least_scale(width, height)) if width else ()
        return foot if self.context.backend.health("queues").state in CURRENT else _faded(foot)

    def _health(self, name: str) -> Health:
        backend = self.context.backend
        if backend.fatal is not None or name not in BOARDS:
            return backend.link
        order = list(Freshness)
        return max(
            # Episodes come from this console: they are as old as its data of the service.
            (backend.link if kind == EPISODES else backend.health(kind) for kind in sorted(BOARDS[name][1])),
            key=lambda health: (health.state not in CURRENT, health.age or 0, order.index(health.state)),
        )

    def _head(self, name: str, health: Health, render: RenderContext) -> Row:
        """Return clock and freshness in characters of one size, and the board where it has room beside them."""
        clock = wording.clock(render.now_ms, render)[:5]
        is_now = health.age is None or health.state in {Freshness.LIVE, Freshness.PAST}
        age = "" if is_now else f" {wording.span_words((health.age or 0) * 1000)}"
        fatal = self.context.backend.fatal
        state = "log in" if fatal is not None and fatal.kind in {"login", "password"} else health.state.value
        tone = Tone.WARN if health.state is Freshness.PAST else Tone.GOOD if health.state in CURRENT else Tone.BAD
        width, height = self.wall.content_size
        title, largest = _TITLES.get(name, name), least_scale(width, height)
        for size in range(largest, 0, -1):
            for texts in ((clock, title, f"{state}{age}"), (clock, f"{state}{age}")):
                if (row := _in_width(texts, size, width, tone)) is not None:
                    return row
        return WallText(clock, 0.4, Tone.STRONG), WallText(state, 0.6, tone, True)


def _in_width(texts: Sequence[str], size: int, width: int, tone: Tone) -> Row | None:
    """Return the words of a head, the last of them at the right; None if they do not fit in this size."""
    rooms = [width_of_big(text, size) + GAP for text in texts]
    if not width or sum(rooms) + GAP * size * (len(texts) - 1) > width:
        return None
    # Half a cell, since the width of a part is rounded down.
    *before, _ = ((room + GAP * size + 0.5) / width for room in rooms)
    shares = [*before, (width - sum(int(share * width) for share in before) + 0.5) / width]
    tones = (Tone.STRONG, *[Tone.NOTICE] * (len(texts) - 2), tone)
    parts = zip(texts, shares, tones, strict=True)
    return tuple(
        WallText(text, share, look, place == len(texts) - 1) for place, (text, share, look) in enumerate(parts)
    )


def _faded(row: Row | Graph) -> Any:
    if isinstance(row, Graph):
        return replace(row, current=False)
    return tuple(replace(part, tone=Tone.QUIET) for part in row)
