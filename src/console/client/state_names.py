"""States of a deployment in words that the console knows, as its profile says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from console.api.events import Event
from console.client.dialect import Message
from console.frozen import replace
from console.records.raw import Json
from console.records.state_words import LONGEST, plain

States = Mapping[str, Mapping[str, str]]
"""By list, such as `calls`: the words of the deployment, and the known words that they mean."""

# The name and the value are whole JSON strings: inside another string, quotation marks have a backslash before them.
_STATE = re.compile(rb'(?<!\\)"(state|activity|urgency)"(\s*:\s*)"([^"\\]{1,%d})"' % LONGEST)


def with_known_states(body: bytes, words: Mapping[str, str]) -> bytes:
    """Return JSON with known words for states, activities and urgencies at any depth.

    The word of the deployment is kept beside it, as `console:state`. Other text is unchanged.
    """
    known = {plain(word): meaning.encode() for word, meaning in words.items()}

    def renamed(found: re.Match[bytes]) -> bytes:
        name, colon, sent = found.groups()
        meaning = known.get(plain(sent.decode(errors="replace")))
        if meaning is None:
            return found[0]
        return b'"%b"%b"%b","console:%b":"%b"' % (name, colon, meaning, name, sent)

    return _STATE.sub(renamed, body)


def with_own_states(body: bytes, words: Mapping[str, str]) -> bytes:
    """Return the JSON of a request with the deployment's words; of several with one meaning, the first."""
    own: dict[str, str] = {}
    for word, meaning in words.items():
        own.setdefault(plain(meaning), word)

    def renamed(found: re.Match[bytes]) -> bytes:
        word = own.get(plain(found[3].decode(errors="replace")))
        return found[0] if word is None else b'"%b"%b%b' % (found[1], found[2], json.dumps(word).encode())

    return _STATE.sub(renamed, body)


def events_with_known_states(messages: Sequence[Message], states: States) -> Sequence[Message]:
    """Return the messages of an event channel, with known words for states in their rows."""
    return [
        replace(each, body=Json(with_known_states(bytes(each.body), states[each.topic])))
        if isinstance(each, Event) and each.topic in states
        else each
        for each in messages
    ]
