"""The bell, the window title and notifications of the terminal, on a pseudo terminal, with hostile texts."""

from __future__ import annotations

import base64
import os
import pty
import re
import threading
import tty

import pytest

from console.base.text import clean
from console.config.notice_settings import TerminalSequence
from console.notices.notice import Notice, notice_of, notice_of_several
from console.notices.ways.known_terminals import sequence_for
from console.notices.ways.terminal import Bell, TerminalNotification, Title
from tests.faults.hostile_texts import HOSTILE
from tests.for_each import for_each
from tests.notices.played import episode

ENDS = re.compile(rb"\x1b\\")
EACH = re.compile(rb"\x1b\](?P<osc>[^\x00-\x1f\x7f]*)\x1b\\|\x1b\[(?P<stack>2[23];2)t|(?P<bell>\x07)")


class Line:
    """A pseudo terminal. Everything that is written to it is read."""

    def __init__(self) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)

    def write(self, text: str) -> None:
        os.write(self._slave, text.encode())

    def read(self) -> bytes:
        """Return what was written, and close the line."""
        os.close(self._slave)
        found = bytearray()
        try:
            while part := os.read(self._master, 65536):
                found += part
        except OSError:  # The other end is closed.
            pass
        finally:
            os.close(self._master)
        return bytes(found)


@pytest.fixture
def line() -> Line:
    return Line()


def wholly(written: bytes) -> list[re.Match[bytes]]:
    """Return the sequences that were written. Fail if there was anything else."""
    assert EACH.sub(b"", written) == b""
    return list(EACH.finditer(written))


def hostile() -> list[Notice]:
    made = [notice_of(episode(text, title=text, words=text, list=text, keys=(text,)), text) for text in HOSTILE]
    return [*made, *(notice_of_several([episode(text, title=text)], text, "2 new") for text in HOSTILE)]


def test_the_bell_is_one_byte_whatever_the_notice_says(line: Line) -> None:
    way = Bell(line.write)
    for each in hostile()[:20]:
        way.send(each)
    assert line.read() == b"\a" * 20


@pytest.mark.parametrize("sequence", ["osc9", "osc777", "osc99"])
def test_a_hostile_text_is_nothing_but_text_in_a_notification(sequence: TerminalSequence) -> None:
    for each in hostile():
        written: list[str] = []
        TerminalNotification(written.append, sequence).send(each)
        found = [hit["osc"] for hit in wholly("".join(written).encode())]
        match sequence:
            case "osc9":
                assert len(found) == 1
                assert re.match(rb"9;console [^;]*$", found[0])
            case "osc777":
                assert len(found) == 1
                assert re.match(rb"777;notify;console [^;]*;[^;]*$", found[0])
            case "osc99":
                assert [hit.partition(b";")[0] for hit in found] == [b"99"] * 2
                assert all(re.fullmatch(rb"99;[a-z0-9:=]+;[A-Za-z0-9+/=]*", hit) for hit in found)
                assert all(
                    clean(text) == text
                    for text in (base64.b64decode(hit.rpartition(b";")[2]).decode() for hit in found)
                )


def test_a_hostile_text_is_nothing_but_text_in_the_title_which_is_restored() -> None:
    written: list[str] = []
    way = Title(written.append, "full")
    for each in hostile():
        way.send(each)
    way.nothing_unseen("desk")
    way.close()
    way.close()
    found = wholly("".join(written).encode())
    assert [each["stack"] for each in found if each["stack"]] == [b"22;2", b"23;2"]
    titles = [each["osc"] for each in found if each["osc"]]
    assert all(each.startswith(b"2;") for each in titles)
    assert titles[-1] == b"2;console desk"


def test_a_title_that_was_never_changed_is_not_restored() -> None:
    written: list[str] = []
    way = Title(written.append, "full")
    way.nothing_unseen("desk")
    way.close()
    assert written == []


@pytest.mark.parametrize("sequence", ["osc9", "osc777"])
def test_a_terminal_reads_the_words_of_the_notice(line: Line, sequence: TerminalSequence) -> None:
    way = TerminalNotification(line.write, sequence)
    teller = threading.Thread(target=way.send, args=(notice_of(episode("a", words="Ana; waits"), "desk"),))
    teller.start()
    teller.join()
    (found,) = wholly(line.read())
    assert b"Long wait" in found["osc"]
    assert b"Ana, waits" in found["osc"]


@for_each(
    "environ, sequence",
    [
        ({"TERM": "xterm-kitty"}, "osc99"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "osc99"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "osc9"),
        ({"TERM": "foot-extra"}, "osc777"),
        ({"TERM": "rxvt-unicode-256color"}, "osc777"),
        ({"TERM": "xterm-256color"}, None),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "KITTY_WINDOW_ID": "1"}, None),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/tmux"}, None),
        ({}, None),
    ],
)
def test_the_sequence_is_that_of_a_known_terminal(environ: dict[str, str], sequence: str | None) -> None:
    assert sequence_for(environ) == sequence


def test_an_unknown_terminal_has_no_notifications_and_the_reason_says_what_to_set() -> None:
    written: list[str] = []
    way = TerminalNotification(written.append, None)
    way.send(notice_of(episode("a"), "desk"))
    assert written == []
    assert 'terminal = "osc9"' in way.available()
