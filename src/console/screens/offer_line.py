"""The line above the lists of agents with the chat offered to the caller, and the keys to answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.kinds.notifications.columns import name
from console.kinds.notifications.facts import offered_chats
from console.kinds.notifications.states import STATES as NOTIFICATIONS_STATES
from console.screens.app_context import AppContext
from console.signs import drawn
from console.text import cells, fit
from console.views.cell import Tone
from console.views.words import amount, at, span_words
from console.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.widgets.theme import Part

if TYPE_CHECKING:
    from console.records.notifications import Notification

OFFERS = "notifications"
"""The kind of record of an offer."""
_KEYS = (("notifications.accept", "accept"), ("notifications.reject", "reject"))
_LEAST = 12
"""Minimum width of the offer in cells."""


class OfferLine(StyledLine):
    """The longest waiting offer. The line is hidden while there is none."""

    DEFAULT_CSS = """
    OfferLine { display: none; }
    """

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._app_context = context
        self.offer: Notification | None = None
        """The offer that is shown."""

    def refresh_offer(self, wanted: bool) -> None:
        """Show the current offer; hide it if not `wanted`."""
        render = self._app_context.render_context()
        found = offered_chats(render) if wanted else []
        self.offer = found[0] if found else None
        if self.display is not bool(found):
            self.display = bool(found)
        if self.offer is None or not self.differs(self.offer, len(found), render.now_ms // 1000):
            return
        look = NOTIFICATIONS_STATES.look(self.offer.kind)
        since = at(self.offer.created_at)
        before = [piece(f"{drawn(look.symbol, render.symbols)} Offered to you  ", look.tone)]
        after = [piece("  " + span_words(render.now_ms - since))] if since is not None else []
        keys: list[Piece] = []
        for identifier, word in _KEYS:
            if key := self._app_context.key_words(identifier):
                keys += [piece("  "), piece(f" {key} ", Part.KEY), piece(f" {word}")]
        more = [piece(f"  {amount(len(found) - 1)} more", Tone.NOTICE)] if len(found) > 1 else []
        room = self.size.width - 2 - width_of([*before, *after, *keys, *more])
        for part in (after, more):
            if room < _LEAST:
                room += width_of(part)
                part.clear()
        said = name(self.offer, render)
        self.update([*before, piece(fit(said, max(_LEAST, min(room, cells(said)))), Tone.STRONG), *after, *keys, *more])
