"""TOML files with the line of each key, for error messages.

`tomllib` parses and validates the data; a scanner then reads the valid text again to find the lines.
"""

from __future__ import annotations

import errno
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from console.base.frozen import Frozen, field, replace

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Some editors begin UTF-8 text with it. TOML does not allow it."""

MOST_BYTES = 16 * 2**20
"""Largest size of a file that a person names: a configuration, a scenario, a value on the command line."""

Place = tuple[str | int, ...]
"""Path to a value: keys, and positions in arrays."""


def key_of(place: Place) -> str:
    """Return the text of a place: `profiles.night.core`."""
    return ".".join(map(str, place))


class FileProblem(Frozen):
    """One error in a file of settings: the configuration, a routes file, a theme, a scenario."""

    file: Path | None
    """None for an error in the environment or on the command line."""
    line: int
    """0 for an error of the whole file."""
    key: str
    message: str

    def __str__(self) -> str:
        """Return file, line, key and message on one line."""
        where = "" if self.file is None else f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        return where + (f"{self.key}: " if self.key else "") + self.message

    def without_folder(self) -> str:
        """Return the same line for a screen, where the folder would leave no space for the message."""
        return str(self if self.file is None else replace(self, file=Path(self.file.name)))


class ConfigFault(Exception):
    """A file of settings is invalid. `problems` contains all errors, in the order of the file."""

    def __init__(self, problems: Sequence[FileProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


class TomlSource(Frozen, dict=True):
    """The data of a file, with the line of each value."""

    file: Path
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""
    """Valid TOML, with line feeds as line ends."""

    @cached_property
    def lines(self) -> Mapping[Place, int]:
        """The lines of all values, from 1. Only computed for errors."""
        return _Scanner(self.text).scan()

    def line(self, place: Place) -> int:
        """Return the line of a value, or of the nearest enclosing one; 1 for an unknown one."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def problem(self, place: Place, message: str) -> FileProblem:
        """Return the problem with a value, with its line."""
        return FileProblem(self.file, self.line(place), key_of(place), message)


class Broken(Frozen):
    """An invalid statement of a file, with the error."""

    file: Path
    line: int
    message: str
    text: str
    """The text of the statement."""

    @property
    def again(self) -> Mapping[str, Any] | None:
        """Its data, if the only error is a duplicate key."""
        if "cannot overwrite" not in self.message:
            return None
        try:
            return parse_toml(self.text, self.file).data
        except ConfigFault:
            return None


def read_toml(file: Path) -> TomlSource:
    """Read a TOML file. Raise ConfigFault, never OSError."""
    return parse_toml(_text(file), file)


def read_around_faults(file: Path) -> tuple[TomlSource, tuple[Broken, ...]]:
    """Read the valid statements of a file whose statements are independent, and return the invalid ones.

    Raise ConfigFault if it is not text, never OSError.
    """
    text = _text(file).replace("\r\n", "\n")
    broken: list[Broken] = []
    while True:
        try:
            return parse_toml(text, file), tuple(broken)
        except ConfigFault as fault:
            lines, problem = text.split("\n"), fault.problems[0]
            first, last = _statement(lines, problem)
            statement = "\n".join(lines[first:last])
            broken.append(Broken(file, first + 1, problem.message, statement))
            if not statement.strip() or len(broken) >= _MOST_BROKEN:
                return TomlSource(file), tuple(broken)
            lines[first:last] = [""] * (last - first)
            text = "\n".join(lines)


_MOST_BROKEN = 50
_BEGINNING = re.compile(r"""\s*(?:\[|(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')\s*[.=])""")


def _statement(lines: list[str], fault: FileProblem) -> tuple[int, int]:
    """Return the first line of the statement with an error, and the line after its last, counted from 0."""
    at = min(fault.line, len(lines)) - 1
    end = at + 1
    if "unclosed array" in fault.message and _BEGINNING.match(lines[at]):
        # The parser has searched the closing bracket up to the next statement.
        at, end = max(0, at - 1), max(1, at)
    while at > 0 and not _BEGINNING.match(lines[at]):
        at -= 1
    return at, end


def read_named(file: Path) -> bytes:
    """Read a file that a person named. A pipe is read until it ends, and nothing is waited for if nobody writes to it.

    Raise OSError, also for more than `MOST_BYTES`, such as of a device without an end.
    """
    with open(file, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as source:
        os.set_blocking(source.fileno(), True)
        content = source.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"more than {MOST_BYTES // 2**20} MiB", str(file))
    return content


def _text(file: Path) -> str:
    try:
        raw = read_named(file)
    except OSError as error:
        raise _unreadable(file, 0, f"cannot be read: {error.strerror or error}") from None
    try:
        return raw.removeprefix(BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unreadable(file, raw.count(b"\n", 0, error.start) + 1, "is not UTF-8 text") from None


def _unreadable(file: Path, line: int, message: str) -> ConfigFault:
    return ConfigFault([FileProblem(file, line, "", message)])


def parse_toml(text: str, file: Path) -> TomlSource:
    """Parse TOML text, which was read from `file`. Raise ConfigFault."""
    text = text.replace("\r\n", "\n")
    try:
        data = tomllib.loads(text)
        _check_depth(data, _MOST_NESTED)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        match = re.search(r" \(at line (\d+), column \d+\)$", message)
        line = int(match[1]) if match else text.rstrip().count("\n") + 1
        reason = re.sub(r" \(at [^()]*\)$", "", message)
        raise _unreadable(file, line, f"is not valid TOML: {reason[:1].lower()}{reason[1:]}") from None
    except RecursionError:
        raise _unreadable(file, 1, "is nested too deeply") from None
    except ValueError:
        raise _unreadable(file, 0, "contains a number with too many digits") from None
    return TomlSource(file, data, text)


_MOST_NESTED = 100
"""Levels of tables and arrays. The parser limits those with brackets by itself, but not the dots of a key."""


def _check_depth(value: Any, left: int) -> None:
    """Raise RecursionError for data with more levels than are left."""
    if left == 0:
        raise RecursionError
    if isinstance(value, dict):
        value = [*cast("dict[str, Any]", value).values()]
    for entry in cast("list[Any]", value) if isinstance(value, list) else ():
        _check_depth(entry, left - 1)


_SKIP = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRINGS = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)
_ATOM = re.compile(r"[^,\]}#\n]+")


class _Scanner:
    """Finds the lines of keys in valid TOML. Must not be used for invalid TOML."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._lines: dict[Place, int] = {}
        self._entries: dict[Place, int] = {}
        """Number of `[[name]]` headers so far."""

    def scan(self) -> dict[Place, int]:
        table: Place = ()
        while self._skip() < len(self._text):
            if self._text.startswith("[[", self._at):
                table = self._header(2)
            elif self._text[self._at] == "[":
                table = self._header(1)
            else:
                self._pair(table)
        return self._lines

    def _skip(self) -> int:
        return self._take(_SKIP)

    def _take(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        self._at = match.end() if match else self._at + 1
        return self._at

    def _line(self) -> int:
        return self._text.count("\n", 0, self._at) + 1

    def _header(self, brackets: int) -> Place:
        line = self._line()
        self._at += brackets
        keys = self._keys()
        self._at += brackets
        place: Place = ()
        for key in keys[:-1]:
            place = self._newest((*place, key))
        place = (*place, keys[-1])
        if brackets == 1:
            place = self._newest(place)
        else:
            count = self._entries.get(place, 0)
            self._entries[place] = count + 1
            self._lines.setdefault(place, line)
            place = (*place, count)
        self._note(place, line)
        return place

    def _newest(self, place: Place) -> Place:
        count = self._entries.get(place, 0)
        return (*place, count - 1) if count else place

    def _note(self, place: Place, line: int) -> None:
        for length in range(1, len(place) + 1):
            self._lines.setdefault(place[:length], line)

    def _pair(self, table: Place) -> None:
        line = self._line()
        place = (*table, *self._keys())
        self._note(place, line)
        self._at += 1
        self._take(_BLANK)
        self._value(place)

    def _keys(self) -> list[str]:
        """Parse a dotted key."""
        keys: list[str] = []
        while True:
            self._take(_BLANK)
            start = self._at
            if self._text[start] in "\"'":
                raw = self._string()
                keys.append(next(iter(tomllib.loads(f"{raw} = 0"))))
            else:
                self._take(_BARE_KEY)
                keys.append(self._text[start : self._at])
            self._take(_BLANK)
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _string(self) -> str:
        start = self._at
        for pattern in _STRINGS:
            match = pattern.match(self._text, start)
            if match:
                self._at = match.end()
                break
        return self._text[start : self._at]

    def _value(self, place: Place) -> None:
        opening = self._text[self._at]
        if opening in "\"'":
            self._string()
        elif opening == "[":
            self._array(place)
        elif opening == "{":
            self._inline_table(place)
        else:
            self._take(_ATOM)

    def _array(self, place: Place) -> None:
        self._at += 1
        position = 0
        while self._text[self._skip()] != "]":
            if self._text[self._at] == ",":
                self._at += 1
                continue
            self._note((*place, position), self._line())
            self._value((*place, position))
            position += 1
        self._at += 1

    def _inline_table(self, place: Place) -> None:
        self._at += 1
        while self._text[self._skip()] != "}":
            if self._text[self._at] == ",":
                self._at += 1
                continue
            self._pair(place)
        self._at += 1
