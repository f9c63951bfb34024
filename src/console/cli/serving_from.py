"""`console serve --from`: the lists of a recording at a moment, as the beginning of a service."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from console.cli.output import talk
from console.cli.past import damage, opened_file
from console.cli.replaying import moment
from console.kinds.catalogue import FEEDS
from console.live.delta import CURRENT
from console.recording.recording import Recording
from console.service.world.stand import Stand
from console.views.words import span_words

STATUS = "status"


def stand_of(file: Path, at: str | None) -> Stand:
    """Return the lists of a recording at a moment, by default its end. Say what of it is old or damaged.

    Raise Failure for a file that is no recording, a newer one, and a moment that is not in it.
    """
    with opened_file(file) as recording:
        assert recording.span is not None
        at_ms = recording.span[1] if at is None else moment(recording, at)
        # The console computes the others, and the service its status.
        known = (name for name in recording.kinds if name in FEEDS and name != STATUS)
        lists = {name: _rows(recording, name, at_ms) for name in known if _was_known(recording, name, at_ms)}
        me = recording.me(at_ms)
        old = [words for name in lists for words in (_age(recording, name, at_ms),) if words]
        for each in (*([f"older than that moment: {', '.join(old)}"] if old else []), *damage(recording)):
            talk(each)
    return Stand(at_ms, lists, me.user.wire() if me is not None and me.user.id else None)


def _rows(recording: Recording, name: str, at_ms: int) -> Sequence[bytes]:
    return [each.encoded() for each in recording.rows(name, at_ms).values()]


def _was_known(recording: Recording, name: str, at_ms: int) -> bool:
    return bool(recording.rows(name, at_ms)) or recording.health(name, at_ms).age is not None


def _age(recording: Recording, name: str, at_ms: int) -> str:
    """Return a list with the age of its rows; empty if they are those of the moment."""
    health = recording.health(name, at_ms)
    if health.state in CURRENT:
        return ""
    return f"{name} (by {span_words(health.age * 1000)})" if health.age is not None else f"{name} (by an unknown time)"
