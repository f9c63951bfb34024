"""The chat offered to the caller and the keys to answer it, in the message line of the lists of agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from console.base.signs import drawn
from console.base.text import cells, fit
from console.kinds.notifications.columns import name
from console.kinds.notifications.states import STATES as NOTIFICATIONS_STATES
from console.ui.screens.app_context import AppContext
from console.ui.widgets.styled_line import Piece, piece, width_of
from console.ui.widgets.theme import ScreenPart
from console.views.cell import Tone
from console.views.wording import amount, at, span_words

if TYPE_CHECKING:
    from console.records.notifications import Notification

OFFERS = "notifications"
"""The kind of record of an offer."""
_KEYS = (("notifications.accept", "accept"), ("notifications.reject", "reject"))
_LEAST = 12
"""Minimum width of the offer in cells."""


def offer_words(context: AppContext, offered: Sequence[Notification], width: int) -> list[Piece]:
    """Return the first of these offers and the keys to answer it, in at most `width` cells; nothing without offers."""
    if not offered:
        return []
    render, offer = context.render_context(), offered[0]
    look = NOTIFICATIONS_STATES.look(offer.kind)
    since = at(offer.created_at)
    before = [piece(f"{drawn(look.symbol, render.symbols)} Offered to you  ", look.tone)]
    after = [piece("  " + span_words(render.now_ms - since))] if since is not None else []
    keys: list[Piece] = []
    for identifier, word in _KEYS:
        if key := context.key_words(identifier):
            keys += [piece("  "), piece(f" {key} ", ScreenPart.KEY), piece(f" {word}")]
    more = [piece(f"  {amount(len(offered) - 1)} more", Tone.NOTICE)] if len(offered) > 1 else []
    room = width - width_of([*before, *after, *keys, *more])
    for part in (after, more):
        if room < _LEAST:
            room += width_of(part)
            part.clear()
    safe_text = name(offer, render)
    return [*before, piece(fit(safe_text, max(_LEAST, min(room, cells(safe_text)))), Tone.STRONG), *after, *keys, *more]
