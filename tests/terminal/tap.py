"""The control sequences in a program's output, and those that it is allowed to write.

Text from outside must never become a control sequence: it could move the cursor or make the terminal send an answer
that is read as keys. Sequences that are not listed here therefore fail every test with a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_TOKEN = re.compile(
    rb"\x1b\[(?P<csi>[0-?]*[ -/]*[@-~])"
    rb"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    rb"|\x1b(?P<string>[PX^_][^\x1b]*)(?:\x1b\\)"
    rb"|\x1b(?P<escape>[ -/]*[0-OQ-WYZ\\`-~])"
    rb"|(?P<single>[\x00-\x1a\x1c-\x1f\x7f]|\xc2[\x80-\x9f])"
)

_CUT = re.compile(rb"\x1b(\[[0-?]*[ -/]*)?$")
"""An incomplete sequence at the end of the output of a killed program."""

_CSI = re.compile(
    rb"[\d;:]*m"  # how text looks
    rb"|(\d+(;\d+)?)?[Hf]|\d*[ABCDG]"  # where the cursor goes
    rb"|[012]?[JK]"  # what is erased
    rb"|\?(7|25|1000|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]"  # wrapping, cursor, mouse, screens, pastes
    rb"|\?(2026|2048)\$p"  # whether the terminal knows whole pictures and tells its size
    rb"|[><][\d;]*u"  # how keys are told
    rb"|\?6n"  # where a line begins, asked when a program shows itself in a line
)
_OSC = re.compile(rb"(0|2);[^\x00-\x1f\x7f]{0,200}|52;c;[A-Za-z0-9+/=]*|22;[a-z-]+")
"""The title, the clipboard when an operator copies, and the shape of the pointer."""
_ESCAPE = re.compile(rb"[78=>]|\([B0]")
_SINGLE = frozenset(b"\r\n\x08")

QUERIES: Mapping[bytes, bytes] = {
    rb"\x1b\[0?c": b"\x1b[?62;4c",
    rb"\x1b\[>0?c": b"\x1b[>41;354;0c",
    rb"\x1b\[6n": b"\x1b[5;5R",
    rb"\x1b\[5n": b"\x1b[0n",
    rb"\x1b\[21t": b"\x1b]lyes\x1b\\",
    rb"\x1b\[18t": b"\x1b[8;24;80t",
    rb"\x1b\[>0?q": b"\x1bP>|terminal\x1b\\",
    rb"\x1b\]1[01];\?(\x07|\x1b\\)": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    rb"\x1b\]4;\d+;\?(\x07|\x1b\\)": b"\x1b]4;1;rgb:ffff/0000/0000\x1b\\",
    rb"\x1b\]52;c;\?(\x07|\x1b\\)": b"\x1b]52;c;eWVz\x1b\\",
    rb"\x1bP\$q[^\x1b]*\x1b\\": b"\x1bP1$rq\r\x1b\\",
    rb"\x05": b"yes\r",
}
"""The queries that terminals know, with the answers that are sent as input."""


def tokens(written: bytes) -> Iterator[bytes]:
    """Yield every complete control sequence, in order."""
    for found in _TOKEN.finditer(written):
        yield found.group()


def allowed(token: bytes) -> bool:
    """Return whether the program may write a control sequence."""
    found = _TOKEN.fullmatch(token)
    if found is None:
        return False
    match found.lastgroup:
        case "csi":
            return _CSI.fullmatch(found["csi"]) is not None
        case "osc":
            return _OSC.fullmatch(found["osc"]) is not None
        case "escape":
            return _ESCAPE.fullmatch(found["escape"]) is not None
        case "single":
            return token[0] in _SINGLE and len(token) == 1
        case _:
            return False


def unlawful(written: bytes) -> list[bytes]:
    """Return the distinct forbidden sequences, including an escape that begins none."""
    found = {token: None for token in dict.fromkeys(tokens(written)) if not allowed(token)}
    if b"\x1b" in _TOKEN.sub(b"", _CUT.sub(b"", written)):
        found[b"an escape that begins nothing"] = None
    return list(found)


def answers(written: bytes) -> bytes:
    """Return the answers to all queries in the output."""
    found = [(hit.start(), answer) for query, answer in QUERIES.items() for hit in re.finditer(query, written)]
    return b"".join(answer for _, answer in sorted(found))
