"""Screens as the application knows them: updated periodically, or replaced while the terminal is too small."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

from console.base.text import clean
from console.kinds.alerts import facts as alerts
from console.kinds.calls import WAIT
from console.kinds.calls.facts import waits_exact
from console.kinds.presence.facts import activity_of, presence_or_agent
from console.kinds.presence.states import STATES as PRESENCE_STATES
from console.kinds.scope import Scope, scope
from console.live.command import Ticket
from console.live.delta import Health
from console.ui.screens import deferred
from console.ui.screens.app_context import AppContext
from console.ui.screens.repeat import KeyRepeat
from console.ui.textual_compat.backpressure import ThrottledScreen
from console.ui.widgets.message_line import MessageLine
from console.ui.widgets.styled_line import Piece
from console.ui.widgets.top_line import Paused, TopFacts, TopLine
from console.views.cell import Tone
from console.views.thresholds import level

if TYPE_CHECKING:
    from console.views.render_context import RenderContext

LEAST_WIDTH, LEAST_HEIGHT = 60, 16
_LONGEST_WORD = 14
"""Maximum length of the operator's activity in the top line, in characters."""


class Updating:
    """A screen that is updated about ten times a second while it is in front."""

    def beat(self, fresh: bool, /) -> None:
        """Draw changes; `fresh` is whether data arrived since the last call."""
        raise NotImplementedError  # A screen class cannot be abstract too.


class FullScreen(ThrottledScreen[None], Updating):
    """A screen that takes the whole terminal, with a top line and a message line."""

    OVER: ClassVar[bool] = False
    """Whether the screen is opened over another, and closed on going to a third."""

    DEFAULT_CSS = """
    FullScreen { layers: default messages; }
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.context = context
        self.top_line = TopLine()
        self.message_line = MessageLine()
        self._repeat = KeyRepeat()

    def top_facts(self, render: RenderContext, health: Health, paused: Paused | None = None) -> TopFacts:
        """Return the content of the top line for this freshness or paused list.

        Times are in whole seconds, so that the result is equal until the text differs.
        """
        context = self.context
        user = context.backend.me.user if context.backend.me else None
        own = activity_of(presence_or_agent(render.me, render))
        active, longest = alerts.active(render), context.waits.longest(render)
        exact = alerts.active_exact(render)
        oldest, wait = alerts.oldest(active), None if longest is None else longest.ms(render.now_ms)
        age = None if health.age is None else round(health.age)
        retry = None if health.retry_in is None else math.ceil(health.retry_in)
        return TopFacts(
            profile=clean(context.profile_title, 20),
            colour=context.colour,
            who=clean(user.username or "", 24) if user else clean(""),
            domain=clean(user.domain or "", 40) if user else clean(""),
            role=clean(user.role or "", 12) if user else clean(""),
            presence=Piece(*PRESENCE_STATES.cell(own and own[:_LONGEST_WORD], render)),
            read_only=context.profile.refuses_changes,
            paused=paused,
            health=Health(health.state, age, health.reason, retry),
            alerts=len(active),
            alerts_exact=exact,
            own_alerts=scope("alerts", render) is not Scope.ALL,
            oldest_alert_ms=None if oldest is None else _whole(render.now_ms - oldest),
            oldest_alert_exact=alerts.oldest_exact(active, exact=exact),
            longest_wait_ms=None if wait is None else _whole(wait),
            waits_exact=wait is None or (not context.waits.untimed and waits_exact(render)),
            own_waits=scope("calls", render) is not Scope.ALL,
            wait_tone=level(WAIT, render).tone(wait, calm=Tone.QUIET),
            now_ms=_whole(render.now_ms),
            zone=context.zone,
            symbols=render.symbols,
            recorded=self._recorded(),
            past_speed=None if context.past is None else context.past.clock.speed,
            file=clean(context.file, 24) if context.file else None,
        )

    def _recorded(self) -> bool | None:
        backend = self.context.backend
        if self.context.past is not None:
            return None
        return False if backend.recording_fault else backend.recorded or None

    def show_commands(self) -> None:
        """Show the state of the newest command, and the keys that undo it and do what follows."""
        tickets = self.context.backend.commands.tickets()
        key = self.context.key_words("view.undo") if tickets else ""
        self.message_line.show(tickets, key, self.context.clock.now_ms(), self._next_step)

    def _next_step(self, ticket: Ticket) -> tuple[str, str]:
        """Return the key and the title of what follows a command, both empty if nothing does."""
        key = self.context.key_words("view.next-step")
        following = deferred.next_steps.offer_after(self.context, ticket) if key else None
        return (key, following.action.title) if following is not None else ("", "")

    def say(self, text: str) -> None:
        """Show a notice to the operator."""
        raise NotImplementedError  # As above.


class TooSmallScreen(ModalScreen[None]):
    """Covers all other screens while the terminal is too small; they keep their state.

    No key acts on records that are not visible.
    """

    DEFAULT_CSS = """
    TooSmallScreen { align: center middle; background: $background; }
    TooSmallScreen > Static { width: auto; max-width: 100%; height: auto; text-align: center; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("q", "app.quit", "quit")]

    def compose(self) -> ComposeResult:
        """Show the sentence."""
        yield Static("This terminal is too small.\n60 columns and 16 lines are needed.")

    @staticmethod
    def needed(size: Size) -> bool:
        """Return whether a terminal of this size is too small."""
        return size.width < LEAST_WIDTH or size.height < LEAST_HEIGHT


def _whole(ms: float) -> int:
    return int(ms // 1000 * 1000)
