"""Parts of Home: tiles with large numbers, the line above what needs attention, and hand-over notes."""

from __future__ import annotations

from collections.abc import Sequence

from console.base.signs import drawn
from console.base.text import SafeText, cells, clean
from console.kinds.episodes.facts import muted_now
from console.kinds.scope import Scope, is_exact, nothing_wrong, only, scope
from console.kinds.status.summary import Figure
from console.live.delta import Freshness
from console.recording.notes import Note
from console.records.episodes import Episode
from console.records.extent import Extent
from console.ui.screens.app_context import AppContext
from console.ui.widgets.concerns import ConcernList
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.views import wording
from console.views.cell import Tone
from console.views.trend import spark
from console.views.wording import amount, seconds_words

_FULL = 4
"""Lines of a tile with all parts."""


class Tile(StyledLine):
    """Title, values, note and sparkline with its span; on two lines, title and values, with the note if it fits."""

    DEFAULT_CSS = """
    Tile { height: 100%; background: $surface; padding: 0 1; }
    """

    def show(self, number: Figure, samples: Sequence[float | None], span: SafeText, symbols: str) -> None:
        """Show a number with its history over a span."""
        width, height = self.size
        title = number.short if number.short and 0 < width < cells(clean(number.title)) else number.title
        note = clean(number.note, 40)
        first = [piece(title, Tone.QUIET)]
        values = [piece(clean(number.value, 20), number.tone)]
        if number.second:
            second = piece(clean(number.second, 20), number.second_tone)
            roomy = width_of([*values, second]) + 2 <= width or not width
            values += [piece("  " if roomy else " "), second]
        if 0 < height < _FULL:
            fits = note and width_of(values) + 2 + cells(note) <= width
            self.update(first, [*values, *([piece("  "), piece(note, Tone.QUIET)] if fits else [])])
            return
        strip = spark(samples, symbols)
        last = [piece(clean(number.more, 40), Tone.QUIET)] if number.more else []
        history = [piece(strip, Tone.NOTICE), piece(f"  {span}", Tone.QUIET)] if strip.strip() else last
        self.update(first, values, [piece(note, Tone.QUIET)], history)


_TITLES = {"alarms": "call quality"}


def concerns_head(context: AppContext, concerns: ConcernList, notes: int, *, is_own: bool) -> list[Piece]:
    """Return the number of things that need attention, the number of hidden ones, and the kinds that are unknown."""
    health, render = context.backend.health, context.render_context()
    found, head = (
        concerns.total - notes,
        [piece("Needs attention  ", Tone.STRONG if concerns.has_focus else Tone.PLAIN)],
    )
    watched = context.watched
    unknown = [kind for kind in watched if health(kind).extent is Extent.UNKNOWN]
    known = [kind for kind in watched if kind not in unknown]
    parts = [kind for kind in known if scope(kind, render) is not Scope.ALL]
    if is_own:
        # The whole screen shows what is their own.
        unknown = [kind for kind in unknown if health(kind).state is not Freshness.REFUSED]
    partly = [kind for kind in known if not is_exact(kind, render)]
    # A backend that fails on this extension has answered: offers are not loading.
    offers = health("notifications")
    offers_loading = offers.state is Freshness.LOADING and not offers.reason
    recorded = health("episodes") if context.past is not None else None
    if recorded is not None and recorded.state is Freshness.OFFLINE:
        age = f", {seconds_words(recorded.age)} old" if recorded.age is not None and found else ""
        head += [piece(f"{amount(found)} last known{age}   ", Tone.NOTICE)] if found else []
        head.append(piece(clean(recorded.reason, 120), Tone.BAD))
    elif offers_loading or any(health(kind).state is Freshness.LOADING for kind in unknown):
        head.append(piece("loading…", Tone.QUIET))
    elif unknown and len(unknown) == len(watched):
        head.append(piece(clean(f"unknown: {health('calls').reason}", 120), Tone.BAD))
        unknown = []
    elif not found:
        in_doubt = [*unknown, *partly]
        head.append(piece(nothing_wrong(parts, in_doubt, render), Tone.PLAIN if parts or in_doubt else Tone.GOOD))
    else:
        head.append(piece(amount(found), concerns.loudest))
        above, below = concerns.hidden
        up, down = (drawn(each, render.symbols) for each in "↑↓")
        head += [piece(f"   {up} {amount(above)} more", Tone.NOTICE)] if above else []
        head += [piece(f"   {down} {amount(below)} more", Tone.NOTICE)] if below else []
        head += [piece(f"   {only(parts, render)}", Tone.QUIET)] if parts and not is_own else []
    if unknown and not any(health(kind).state is Freshness.LOADING for kind in unknown):
        head.append(piece(f"   not shown: {', '.join(_TITLES.get(kind, kind) for kind in unknown)}", Tone.QUIET))
    if partly:
        head.append(
            piece(f"   only partly known: {', '.join(_TITLES.get(value, value) for value in partly)}", Tone.QUIET)
        )
    if muted := muted_now(render):
        head.append(piece(f"   {drawn('║', render.symbols)} {amount(muted)} muted", Tone.NOTICE))
    if notes:
        head.append(piece(f"   {wording.plural(notes, 'note')}", Tone.NOTICE))
    return head


_PREFIX = "note:"
_FIRST = 3
"""Number of notes before what needs the attention of everybody, the newest; the others are at the end."""


def pending_notes(context: AppContext) -> Sequence[Note]:
    """Return the notes that the logged-in user has not dismissed; none in the past."""
    who, notes = context.who, context.notes if context.past is None else None
    return notes.pending(who, context.clock.now_ms()) if who and notes is not None else ()


def with_notes(episodes: Sequence[Episode], notes: Sequence[Note]) -> Sequence[Episode]:
    """Return what needs attention with the notes: the newest after what waits for the user in person."""
    if not notes:
        return episodes
    mine = sum(bool(episode.mine) for episode in episodes)
    shown = [_shown(note) for note in reversed(notes)]
    return [*episodes[:mine], *shown[:_FIRST], *episodes[mine:], *shown[_FIRST:]]


def note_of(episode: Episode, notes: Sequence[Note]) -> Note | None:
    """Return the note that is shown as this line, None for an episode."""
    return next((note for note in notes if episode.id == f"{_PREFIX}{note.id}"), None)


def _shown(note: Note) -> Episode:
    by = f"{note.author}: " if note.author else ""
    return Episode(
        id=f"{_PREFIX}{note.id}", severity="notice", title="note", words=f"{by}{note.text}", since_at=note.at_ms
    )
