"""`console notify`: try the ways of notices, and store the secret of the webhook."""

from __future__ import annotations

import getpass
import os
import re
import select
import sys
import termios
import time
import tty
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from console.api.webhooks import secret_of
from console.base.frozen import Frozen, asdict
from console.base.text import SafeText, clean
from console.cli.deployment import endpoint_of
from console.cli.exits import Exit, Failure
from console.cli.output import escaped, print_json
from console.cli.profiles.credentials import NOTICE_SECRET, keep_notice_secret, person_is_there
from console.cli.rules.notice_secret import outside_of
from console.client.endpoint import Endpoint
from console.config.notice_settings import WAYS, NoticeSettings, TerminalSequence
from console.config.reader import load, pick_profile
from console.notices.notice import Notice, profile_of
from console.notices.ways.command import CommandWay
from console.notices.ways.desktop import Desktop
from console.notices.ways.known_terminals import sequence_for
from console.notices.ways.terminal import Bell, TerminalNotification, Title
from console.notices.ways.way import NotDelivered, Way
from console.notices.ways.webhook import WebhookWay

TITLE_SECONDS = 1.5
"""How long the title of the window is changed."""
_NO_TERMINAL = "there is no terminal"


class Tried(Frozen):
    """The result of trying one way."""

    way: str
    used: bool
    """Whether the configuration uses it."""
    result: Literal["told", "failed", "not available"]
    words: str


def declare_test(parser: ArgumentParser) -> None:
    """Declare `console notify test`."""
    parser.add_argument(
        "--profile",
        metavar="TEXT",
        help="Profile whose certificates and proxy the webhook uses, instead of the configured one.",
    )
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="Configuration file to use instead of the default one."
    )
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    parser.set_defaults(run=try_ways)


def try_ways(*, profile: str | None, config: Path | None, json: bool) -> int:
    """Try every way of notices, and report what arrived.

    Exits with 1 if a configured way failed.
    """
    settings = load(config, os.environ)
    name, endpoint = "console", None
    if settings.config.profiles:
        name, chosen = pick_profile(settings.config, profile)
        settings.check_files(name)
        endpoint = endpoint_of(chosen, settings.origins_of(name))
    line = next((stream.fileno() for stream in (sys.stdout, sys.stderr) if stream.isatty()), None)
    notices = settings.config.notices
    answer = None if line is None or not sys.stdin.isatty() else ask_terminal(sys.stdin.fileno(), line)
    tried = [
        _tried(way_name, way, settings.config.bell, notices, name)
        for way_name, way in _ways(notices, line, answer, lambda _: endpoint)
    ]
    _print(tried, _about(answer, notices), json)
    return Exit.FAILED if any(attempt.used and attempt.result == "failed" for attempt in tried) else Exit.OK


def declare_secret(parser: ArgumentParser) -> None:
    """Declare `console notify secret`."""
    parser.set_defaults(run=keep_secret)


def keep_secret() -> int:
    """Store the secret of the webhook in the system keyring.

    The secret is read from the terminal, or from the first line of the input: `whsec_` and base64, or any text of 16
    bytes or more.
    """
    if person_is_there():
        secret = getpass.getpass("Secret of the webhook: ", stream=sys.stderr)
    else:
        secret = sys.stdin.readline().rstrip("\r\n")
    try:
        secret_of(secret.encode("utf-8", "surrogateescape"))
    except ValueError as error:
        raise Failure(Exit.USAGE, str(error)) from None
    reason = keep_notice_secret(secret)
    if reason is not None:
        raise Failure(Exit.FAILED, f"cannot store the secret: {reason}; use secret_command or {NOTICE_SECRET} instead")
    print("Secret stored in the system keyring.")
    return Exit.OK


def _ways(
    notices: NoticeSettings,
    line: int | None,
    answer: TerminalAnswer | None,
    deployment: Callable[[str], Endpoint | None],
) -> Iterator[tuple[str, Way | str]]:
    """Yield each way by name, or why it cannot be tried."""

    def write(sequence: str) -> None:
        if line is not None:
            os.write(line, sequence.encode())

    outside = outside_of(notices, os.environ)
    for name in WAYS:
        match name:
            case "bell":
                yield name, Bell(write) if line is not None else _NO_TERMINAL
            case "title":
                yield name, Title(write, "full") if line is not None else _NO_TERMINAL
            case "terminal":
                terminal_sequence = _sequence(notices, answer)
                yield name, TerminalNotification(write, terminal_sequence) if line is not None else _NO_TERMINAL
            case "flash":
                yield name, "only in the console: a reversed line above the footer"
            case "desktop":
                yield name, Desktop(outside.environ)
            case "command":
                yield name, CommandWay(notices.command, outside.environ) if notices.command else "command is not set"
            case _:
                hook = notices.webhook
                yield name, WebhookWay(hook.url, outside.secret, deployment, 1) if hook else "webhook is not set"


def _sequence(notices: NoticeSettings, answer: TerminalAnswer | None) -> TerminalSequence | None:
    if notices.terminal != "auto":
        return notices.terminal
    return sequence_for(os.environ) or (answer.sequence if answer is not None else None)


def _tried(name: str, way: Way | str, bell: bool, notices: NoticeSettings, profile: str) -> Tried:
    used = notices.uses(name) and (bell or name != "bell")
    why = way if isinstance(way, str) else way.available()
    if isinstance(way, str) or why:
        return Tried(name, used, "failed" if used and name not in _OF_THE_TERMINAL else "not available", clean(why))
    notice = Notice(
        severity="warning",
        title=clean("Test"),
        words=clean("This is a test by console notify test."),
        count=1,
        profile=profile_of(profile),
        began_ms=int(time.time() * 1000),
        test=True,
    )
    try:
        way.send(notice)
    except NotDelivered as failed:
        return Tried(name, used, "failed", clean(failed, 300))
    if isinstance(way, Title):
        time.sleep(TITLE_SECONDS)
    way.close()
    return Tried(name, used, "told", clean(way.expected_effect(), 300))


_OF_THE_TERMINAL = frozenset({"bell", "title", "terminal", "flash"})
"""Ways that are not expected to work everywhere: without them the others are told."""


def _about(answer: TerminalAnswer | None, notices: NoticeSettings) -> str:
    """Return what the terminal says about itself, and what to set."""
    if answer is None:
        return ""
    name = answer.name or "The terminal does not say its name"
    if answer.sequence is None or notices.terminal == answer.sequence or sequence_for(os.environ) == answer.sequence:
        return clean(f"Terminal: {name}.")
    return clean(f'Terminal: {name}. It shows notifications: set terminal = "{answer.sequence}" under [notices].')


def _print(tried: list[Tried], about: str, json: bool) -> None:
    if json:
        print_json({"ways": [asdict(attempt) for attempt in tried], "terminal": about or None})
        return
    for attempt in tried:
        used = "used" if attempt.used else ""
        print(escaped(f"{attempt.way:<9} {used:<5} {attempt.result:<14} {attempt.words}".rstrip()))
    if about:
        print(escaped(about))


_ANSWER_SECONDS = 1.0
"""Longest wait for the terminal. Every terminal answers the last question, so it mostly takes a few milliseconds."""
_LONGEST = 4096
_ASKED = b"\x1b[>0q\x1b]99;i=console:p=?;\x1b\\\x1b[c"
"""Name and version (XTVERSION), support of OSC 99, and as the last question the attributes (DA1)."""
_NAME = re.compile(rb"\x1bP>\|([^\x1b]{0,80})\x1b\\")
_SUPPORT = re.compile(rb"\x1b\]99;[^\x07\x1b]{0,400}p=\?[^\x07\x1b]{0,400}(?:\x1b\\|\x07)")
_ATTRIBUTES = re.compile(rb"\x1b\[\?[\d;]{0,80}c")
_BY_NAME: tuple[tuple[str, TerminalSequence], ...] = (
    ("kitty", "osc99"),
    ("foot", "osc777"),
    ("WezTerm", "osc777"),
    ("ghostty", "osc777"),
    ("contour", "osc777"),
    ("iTerm2", "osc9"),
)


class TerminalAnswer(Frozen):
    """Answers of a terminal."""

    name: SafeText
    """Name and version; empty if it did not say."""
    sequence: TerminalSequence | None
    """The sequence for its notifications; None if it is not known to show any."""


def ask_terminal(source: int, target: int) -> TerminalAnswer | None:
    """Ask the terminal of two file descriptors. Return None if it does not answer, or if there is none."""
    if not (os.isatty(source) and os.isatty(target)):
        return None
    before = termios.tcgetattr(source)
    try:
        tty.setraw(source, termios.TCSAFLUSH)
        os.write(target, _ASKED)
        answer = _read(source)
    except (OSError, termios.error):
        return None
    finally:
        termios.tcsetattr(source, termios.TCSAFLUSH, before)
    return read_answer(answer) if _ATTRIBUTES.search(answer) else None


def read_answer(content: bytes) -> TerminalAnswer:
    """Return what the answers mean. They are as untrusted as any text from outside."""
    match = _NAME.search(content)
    name = clean(match[1].decode("utf-8", "replace") if match else "", 60)
    if _SUPPORT.search(content):
        return TerminalAnswer(name, "osc99")
    return TerminalAnswer(name, next((sequence for word, sequence in _BY_NAME if name.startswith(word)), None))


def _read(source: int) -> bytes:
    answer = b""
    end = time.monotonic() + _ANSWER_SECONDS
    while not _ATTRIBUTES.search(answer) and len(answer) < _LONGEST and (left := end - time.monotonic()) > 0:
        if not select.select([source], [], [], left)[0]:
            break
        part = os.read(source, 1024)
        if not part:
            break
        answer += part
    return answer
