"""The line above the footer: the newest message at the left, what is unseen at the right."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import monotonic

from console.base.text import SafeText, cells, clean, fit
from console.live.command import Stage, Step, Ticket
from console.ui.widgets.styled_line import Piece, StyledLine, piece, width_of
from console.ui.widgets.theme import ScreenPart
from console.views.cell import Tone
from console.views.wording import capitalized, plural

MESSAGE_SECONDS = 10.0
"""Duration of a message, unless a key is pressed before; the least one of what needs a decision."""

_STAGES = {
    Stage.HELD: ("○", Tone.NOTICE),
    Stage.PENDING: ("…", Tone.NOTICE),
    Stage.DONE: ("√", Tone.GOOD),
    Stage.REFUSED: ("×", Tone.BAD),
    Stage.UNKNOWN: ("?", Tone.WARN),
    Stage.TAKEN_BACK: ("←", Tone.QUIET),
}

_GAP = 2
NextStepOf = Callable[[Ticket], tuple[str, str]]
"""Returns the key and the title of what follows a command that is done, both empty if nothing does."""


def _nothing_follows(_ticket: Ticket) -> tuple[str, str]:
    return "", ""


class MessageLine(StyledLine):
    """The line above the footer. It has its row on every screen; a long message covers up to two rows above it.

    A message ends after ten seconds or at the next key. One that needs a decision stays: a held or pending command, a
    refused or unknown one until a key after its ten seconds, a decision while it can be taken, a notice until it is
    seen. The newest message comes first, then a decision, then a notice.
    """

    DEFAULT_CSS = """
    MessageLine {
        layer: messages; dock: bottom; margin: 0 0 1 0; height: auto; min-height: 1; max-height: 3;
        background: $background;
    }
    MessageLine.long { text-wrap: wrap; background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: tuple[int, Stage] | None = None
        """Number and stage of the newest command when it was shown last."""
        self._command: Sequence[Piece] = ()
        """The newest command, while it is shown."""
        self._command_at = self._words_at = self._key_at = -math.inf
        """Times on the monotonic clock: a screen that is not in front is not refreshed."""
        self._begun = False
        self._words: Sequence[Piece] = ()
        self._offered: int | None = None
        self._named: int | None = None
        self._named_at_key: int | None = None
        self._decision: Sequence[Piece] = ()
        self._notice: Sequence[Piece] = ()
        self._unseen: Sequence[Piece] = ()
        self._shown_long: Sequence[Piece] = ()

    @property
    def named(self) -> int | None:
        """The number of the command that is visible, or was when the last key was pressed; None for none."""
        return self._named if self._named is not None else self._named_at_key

    @property
    def is_free(self) -> bool:
        """Whether a notice would be visible now."""
        return not (self._words or self._command or self._decision)

    @property
    def room(self) -> int:
        """The cells for a decision or a notice."""
        right = width_of(self._unseen) + _GAP if self._unseen else 0
        return max(1, self.size.width - right)

    def key_pressed(self) -> None:
        """Note that a person pressed a key: the message ends at the next refresh, after what the key does."""
        self._key_at, self._named_at_key = monotonic(), self._named

    def say(self, pieces: Sequence[Piece], offered: int | None = None) -> None:
        """Show a message; `offered` is the number of the command that it offers to undo, if any."""
        self._words, self._offered, self._words_at = pieces, offered, monotonic()
        self._paint()

    def show(
        self,
        tickets: Sequence[Ticket],
        undo_key: str,
        now_ms: int,
        next_step: NextStepOf = _nothing_follows,
    ) -> None:
        """Show the state of the newest command, unless it ended a while ago; called on every beat."""
        newest = tickets[0] if tickets else None
        state = (newest.command.number, newest.stage) if newest else None
        if self._begun and state == self._last and not self._words and not self._command:
            return
        now = monotonic()
        if state != self._last or not self._begun:
            # Commands that ended before this line existed, or long before its screen came to the front, are not shown.
            old = newest is None or (not newest.under_way and not (self._begun and newest.is_recent(now_ms)))
            self._last, self._begun, self._command_at = state, True, -math.inf if old else now
            if not old:
                self._words = ()
        if self._words and self._is_over(self._words_at, now):
            self._words = ()
        is_shown = newest is not None and (newest.under_way or not self._is_over(self._command_at, now, newest))
        self._command = describe(newest, undo_key, next_step) if newest is not None and is_shown else ()
        self._paint()

    def _is_over(self, since: float, now: float, ticket: Ticket | None = None) -> bool:
        """Return whether a message that is shown since then has ended."""
        if ticket is not None and went_wrong(ticket):
            return self._key_at > since + MESSAGE_SECONDS
        return self._key_at > since or now >= since + MESSAGE_SECONDS

    def decide(self, pieces: Sequence[Piece]) -> None:
        """Show what waits for a decision, as long as no newer message is shown; nothing if empty."""
        if pieces != self._decision:
            self._decision = pieces
            self._paint()

    def show_notice(self, notice: Sequence[Piece], unseen: Sequence[Piece]) -> None:
        """Show a notice if the line is empty; otherwise the number of unseen ones, at the right."""
        if notice != self._notice or unseen != self._unseen:
            self._notice, self._unseen = notice, unseen
            self._paint()

    def on_resize(self) -> None:
        """Fit the message to the width."""
        self._paint()

    def _paint(self) -> None:
        """Show what comes first."""
        number = self._last[0] if self._last is not None else None
        self._named = self._offered if self._words else number if self._command else None
        left = self._words or self._command or self._decision or self._notice
        right = self._unseen if left is not self._notice or not left else ()
        width = max(1, self.size.width)
        gap = width - width_of(left) - width_of(right)
        wraps = bool(self._words or self._command) and gap < _GAP
        if wraps:
            # The end of a long message is followed by what is unseen.
            left = [*left, *([piece("  "), *right] if right else [])]
        elif right:
            left = [*_cut(left, width - width_of(right) - _GAP), piece(clean(" " * max(_GAP, gap), width)), *right]
        else:
            left = _cut(left, width)
        is_long, self._shown_long = self._shown_long, left if wraps else ()
        self.set_class(wraps, "long")
        self.update(left)
        if is_long != self._shown_long:
            # What a long message covered is seen again.
            self.refresh(layout=True)


def _cut(pieces: Sequence[Piece], width: int) -> list[Piece]:
    """Return pieces that fit; the one that does not is cut, those after it are left out."""
    kept: list[Piece] = []
    for word in pieces:
        if (need := cells(word.text)) > width:
            return [*kept, piece(_cut_text(word.text, width), word.look)]
        kept.append(word)
        width -= need
    return kept


def _cut_text(text: SafeText, width: int) -> SafeText:
    """Cut a text that does not fit after a whole part of a list, or else after a whole word, if one ends in time."""
    cut = fit(text, width)
    for end in (", ", " "):
        sentences, ending, _ = cut.rpartition(end)
        if ending and len(sentences) > width // 2:
            return clean(f"{sentences.rstrip(' ,:')}…", width)
    return cut


def went_wrong(ticket: Ticket) -> bool:
    """Return whether a command failed, succeeded only in part, or has an unknown outcome."""
    return ticket.stage in {Stage.REFUSED, Stage.UNKNOWN} or (ticket.stage is Stage.DONE and bool(ticket.reason))


def described(ticket: Ticket) -> str:
    """Return the description of a command within a sentence. Remote text: clean before painting."""
    return _undecorated(ticket)


def _undecorated(ticket: Ticket) -> str:
    command = ticket.command
    title, text = command.title, command.steps[0].words
    if command.count == 1:
        return text if ticket.stage is Stage.DONE else f"{title}: {named(command.steps[0])}"
    sent = [outcome.step for outcome in ticket.outcomes if outcome.stage is Stage.DONE and not outcome.step.follows]
    done = len(sent)
    many = plural(command.count, command.noun)
    verbs = {step.words.partition(" ")[0] for step in command.steps if not step.follows}
    if done and len(verbs) == 1 and not command.takes_back and ticket.stage in {Stage.DONE, Stage.UNKNOWN}:
        return f"{verbs.pop()} {many if done == command.count else f'{done} of {many}'}{_receivers(sent)}"
    return f"{title}: {done} of {many}" if ticket.stage in {Stage.DONE, Stage.UNKNOWN} else f"{title}: {many}"


def _receivers(steps: Sequence[Step]) -> str:
    """Return how many got the records of several steps: ` to 6 agents`; empty unless the operation names them."""
    change = steps[0].request.operation.change
    if change is None or change.receiver is None:
        return ""
    field, word = change.receiver
    return f" to {plural(len({repr(getattr(step.request, field)) for step in steps}), word)}"


def named(step: Step) -> str:
    """Return the object of a step: its description without the verb."""
    return step.words.removeprefix("undid: ").partition(" ")[2]


def describe(ticket: Ticket, undo_key: str = "", next_step: NextStepOf = _nothing_follows) -> list[Piece]:
    """Return a command and its state as one line."""
    symbol, tone = _STAGES[ticket.stage]
    pieces = [piece(f"{symbol} ", tone), piece(clean(capitalized(_undecorated(ticket)), 100))]
    failed = [outcome for outcome in ticket.outcomes if outcome.stage in {Stage.REFUSED, Stage.UNKNOWN}]
    reason = clean(ticket.reason or next((failure.reason for failure in failed), ""), 240)
    match ticket.stage:
        case Stage.REFUSED:
            count = f" {len(failed)} of {ticket.command.count}" if ticket.command.count > 1 and failed else ""
            pieces += [piece(f"  {'refused' if ticket.sent else 'not sent'}{count}: ", Tone.BAD), piece(reason)]
        case Stage.UNKNOWN if all(outcome.accepted for outcome in failed):
            pieces += [piece("  "), piece(reason, Tone.WARN)]
        case Stage.UNKNOWN:
            pieces += [
                piece("  unknown: ", Tone.WARN),
                piece(reason or "no answer received; check before you try again"),
            ]
        case Stage.TAKEN_BACK:
            sent = any(outcome.stage is Stage.DONE for outcome in ticket.outcomes)
            pieces.append(piece("  undone" if sent else "  not sent, undone in time", Tone.QUIET))
        case Stage.PENDING:
            pieces.append(piece("  waiting for the service", Tone.QUIET))
        case Stage.HELD:
            pieces.append(piece(f"  sending in {math.ceil(ticket.seconds_left)}s", Tone.QUIET))
        case Stage.DONE if reason:
            pieces += [piece("  "), piece(reason, Tone.WARN)]
        case Stage.DONE:
            says = ticket.outcomes[0].says if len(ticket.outcomes) == 1 else ""
            pieces += [piece(clean(f"  {says}", 160), Tone.NOTICE)] if says else []
    if ticket.command.skipped:
        pieces.append(piece(f"  {clean(ticket.command.skipped, 200)}", Tone.QUIET))
    if undo_key and ticket.can_undo and not ticket.command.takes_back:
        pieces += [piece(f"   {undo_key}", ScreenPart.KEY), piece(" undo", Tone.QUIET)]
    next_key, title = next_step(ticket) if ticket.stage is Stage.DONE else ("", "")
    if next_key:
        pieces += [piece(f"   {next_key}", ScreenPart.KEY), piece(f" {title}", Tone.QUIET)]
    return pieces
