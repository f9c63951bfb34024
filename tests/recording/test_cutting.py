"""A part of a recording is cut into a file of its own: equal to the whole, or with pseudonyms for what is personal."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest

from console.cli.past.cut import words_of_the_program
from console.kinds.catalogue import LIVE
from console.recording import kind_writer
from console.recording.changes import record_class
from console.recording.cutting import NothingRecorded, cut
from console.recording.format import CALLER, HEALTH, ROW, SAMPLES, unpacked
from console.recording.pseudonyms import Pseudonyms
from console.recording.recording import ListRecording
from console.records.changes_by_column import unfolded
from console.records.fields import resolved_fields
from console.records.record import Record
from tests.recording.film import AT, META, MINUTE, Film, Row, film

STEP = 5_000


@pytest.fixture(autouse=True)
def short_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind_writer, "MOST_CHANGES", 7)
    monkeypatch.setattr(kind_writer, "CHANGES_PER_ROW", 0)


def eventful(path: Path) -> Path:
    """Write twenty minutes of two lists, with a gap from the eighth to the tenth, and a third list from the twelfth."""
    with film(path) as made:
        made.known(0, "calls", "agents")
        made.whole("agents", 0, [{"id": f"a{each}", "activity": "available"} for each in range(5)])
        made.whole("calls", 0, [{"id": f"c{each}", "state": "queued"} for each in range(5)])
        _play(made, 0, 8 * MINUTE)
        made.span(0, 8 * MINUTE, "the console was killed")
        made.known(10 * MINUTE, "calls", "agents", "users")
        made.whole("agents", 10 * MINUTE, [{"id": "a9", "activity": "busy"}, {"id": "a1", "activity": "away"}])
        made.whole("calls", 10 * MINUTE + 10, [{"id": "c99", "state": "ringing"}])
        made.whole("users", 12 * MINUTE, [{"id": "u1", "username": "ana"}])
        _play(made, 10 * MINUTE + 10, 15 * MINUTE)
        made.whole("calls", 15 * MINUTE, [{"id": "c7", "state": "held"}, {"id": "c3", "state": "queued"}])
        _play(made, 15 * MINUTE, 20 * MINUTE)
        made.span(10 * MINUTE, 20 * MINUTE, "the console ended")
        for minute in range(20):
            made.command(minute * MINUTE, {"what": "intent", "command": f"x-{minute}", "at": AT + minute * MINUTE})
    return path


def _play(made: Film, start: int, end: int) -> None:
    for number, at in enumerate(range(start + STEP, end, STEP)):
        made.change("calls", at, {"id": f"c{number % 9}", "state": "connected" if number % 2 else "queued", "date": at})
        made.change("agents", at, {"id": f"a{number % 4}", "activity": ("busy", "away", "available")[number % 3]})
        if number % 5 == 4:
            made.change("calls", at, gone=[f"c{(number + 3) % 9}"])


@pytest.mark.parametrize(
    ("first", "last", "starts", "ends"),
    [(2, 19, 2, 19), (0, 20, 0, 20), (3, 7, 3, 7), (9, 13, 10, 13), (7, 9, 7, 8), (-60, 600, 0, 20)],
)
def test_a_part_is_equal_to_the_whole_at_every_moment(tmp_path: Path, first: int, last: int, starts: int, ends: int):
    file, out = eventful(tmp_path / "day.rec"), tmp_path / "part.rec"
    with ListRecording.open(file) as whole:
        told = cut(whole, AT + first * MINUTE, AT + last * MINUTE, out, None, force=False)
        assert (told.start_ms, told.end_ms) == (AT + starts * MINUTE, AT + ends * MINUTE)
        with ListRecording.open(out, finished=True) as part:
            assert part.damage == ()
            assert part.span == (told.start_ms, told.end_ms)
            assert {*part.kinds} <= {*whole.kinds}
            assert {name: part.meta[name] for name in META} == META
            for at in range(told.start_ms, told.end_ms + 1, 7_250):
                for kind in whole.kinds:
                    assert list(part.rows(kind, at).items()) == list(whole.rows(kind, at).items()), (kind, at - AT)
                    assert part.health(kind, at) == whole.health(kind, at)
                assert part.link(at) == whole.link(at)
                assert part.me(at) == whole.me(at)
            assert part.gaps == tuple(each for each in whole.gaps if starts < 8 and ends > 10 and each)
            assert part.commands(0, 1 << 60) == whole.commands(told.start_ms, told.end_ms)
            inside = [*whole.changes("calls", told.start_ms, told.end_ms)]
            assert [each.at_ms for each in part.changes("calls", told.start_ms, told.end_ms)] == [
                each.at_ms for each in inside
            ]


def test_the_file_is_private_alone_and_replaces_no_other(tmp_path: Path):
    folder = tmp_path / "out"
    folder.mkdir(mode=0o755)
    out = folder / "part.rec"
    with ListRecording.open(eventful(tmp_path / "day.rec")) as whole:
        cut(whole, AT, AT + MINUTE, out, None, force=False)
        assert [each.name for each in folder.iterdir()] == ["part.rec"]
        assert out.stat().st_mode & 0o777 == 0o600
        assert folder.stat().st_mode & 0o777 == 0o755
        before = out.read_bytes()
        with pytest.raises(FileExistsError):
            cut(whole, AT, AT + 2 * MINUTE, out, None, force=False)
        assert out.read_bytes() == before
        cut(whole, AT, AT + 2 * MINUTE, out, None, force=True)
        assert out.read_bytes() != before
        with pytest.raises(NothingRecorded):
            cut(whole, AT - 2 * MINUTE, AT - MINUTE, folder / "none.rec", None, force=False)
        assert [each.name for each in folder.iterdir()] == ["part.rec"]


# -- pseudonyms ----------------------------------------------------------------------------------------------------


class Canaries:
    """Texts that must not be in an anonymised file."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers = itertools.count(1)

    def text(self, form: str = "Quoxle{}") -> str:
        self.texts.append(form.format("".join(chr(ord("a") + int(each)) for each in f"{next(self._numbers):04}")))
        return self.texts[-1]

    def number(self) -> int:
        self.texts.append(f"34977{next(self._numbers):06}")
        return int(self.texts[-1])

    def value(self, annotation: Any) -> Any:
        """Return a value of a type, with canaries in all its texts."""
        origin, inner = get_origin(annotation), get_args(annotation)
        if isinstance(annotation, type) and issubclass(annotation, Record):
            return self.row(annotation)
        if origin in (tuple, list):
            return [self.value(inner[0]), self.value(inner[0])]
        if origin is dict:
            return {"free": self.text(), self.text(): [self.text("{}@mail.example"), {"number": self.number()}]}
        if str in inner or annotation is str or annotation is Any:
            return self.text()
        return next((self.value(each) for each in inner if isinstance(each, type) and issubclass(each, Record)), None)

    def row(self, kind: type[Record]) -> Row:
        """Return a row of a kind with canaries in all texts, declared or not."""
        row = {each.wire: self.value(each.annotation) for each in resolved_fields(kind).values()}
        return row | {"x-vendor": self.text("The customer {} called"), "x-phone": self.number()}


def _contents(path: Path) -> Iterator[bytes]:
    """Yield all that is in a file, also in compressed parts."""
    yield path.read_bytes()
    db = sqlite3.connect(path)
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for row in db.execute(f"SELECT * FROM {table}"):
            for value in row:
                if isinstance(value, bytes):
                    try:
                        text = unpacked(value)
                        # Times are written as differences.
                        yield text + msgspec.json.encode(unfolded(text).entries())
                    except ValueError:
                        yield value
                else:
                    yield str(value).encode()
    db.close()


def test_nothing_personal_is_left_anywhere(tmp_path: Path):
    canaries = Canaries()
    file, out = tmp_path / "day.rec", tmp_path / "part.rec"
    with film(file, profile=canaries.text(), service=canaries.text("http://{}.example/core")) as made:
        for kind in sorted(LIVE):
            record = record_class(kind)
            rows = [canaries.row(record), canaries.row(record)]
            made.whole(kind, 0, [{**row, "id": row.get("id") or canaries.text()} for row in rows])
            made.change(kind, MINUTE, {**rows[0], "id": rows[0].get("id") or "x", "later": canaries.text()})
            made.change(kind, 2 * MINUTE, {"id": canaries.text(), "list": [canaries.text()]})
        made.whole(HEALTH, 0, [{"id": "calls", "state": "offline", "reason": canaries.text("{} at 10.1.2.3")}])
        made.change(HEALTH, MINUTE, {"id": canaries.text(), "state": canaries.text(), "cut": canaries.text()})
        made.whole(SAMPLES, 0, [{"id": ROW, "calls_waiting": 3, "queue": canaries.text()}])
        made.whole(CALLER, 0, [{"id": ROW, "user": canaries.row(record_class("users"))}])
        made.command(1, {"what": "intent", "command": canaries.text(), "steps": [{"words": canaries.text("Call {}")}]})
        made.span(0, 3 * MINUTE, canaries.text("disk of {} is full"))
        made.span(4 * MINUTE, 5 * MINUTE)
    with ListRecording.open(file) as whole:
        assert all(any(text.encode() in each for each in _contents(file)) for text in canaries.texts[:50])
        cut(whole, AT, AT + 5 * MINUTE, out, Pseudonyms(words_of_the_program()), force=False)
    found = [each.lower() for each in _contents(out)]
    left = [text for text in canaries.texts if any(text.lower().encode() in each for each in found)]
    assert len(canaries.texts) > 500
    assert left == []


def test_people_are_the_same_everywhere_and_links_still_work(tmp_path: Path):
    file, out = tmp_path / "day.rec", tmp_path / "part.rec"
    with film(file) as made:
        made.known(0, "users", "calls", "groups", "presence")
        made.whole(
            "users",
            0,
            [
                {"id": "u7", "username": "zoe.álvarez", "alias": "Zoé ALVAREZ", "email": "zoe.alvarez@desk.example",
                 "domain": "desk.example", "role": "admin", "mobilePhone": ["+34 611 222 333"], "locale": "es-ES"},
                {"id": "u8", "username": "bo", "alias": "Bo", "domain": "desk.example", "role": "owner of it"},
            ],
        )  # fmt: skip
        made.whole(
            "presence", 0, [{"id": "u7", "address": "svc-user:u7", "activity": "oncall", "note": "at Bo's desk"}]
        )
        call = {"id": "c1", "caller": "tel:+34611222333", "calle": "svc-user:u7", "users": ["u7"], "state": "queued"}
        made.whole(
            "calls", 0, [call | {"date": AT, "context": {"skill": "billing"}, "rating": 34611222333, "vip": True}]
        )
        made.whole("groups", 0, [{"groupId": "g", "id": "g", "participants": ["u7", "u8"], "owner": {"id": "u8"}}])
        made.span(0, MINUTE)
    with ListRecording.open(file) as whole:
        cut(whole, AT, AT + MINUTE, out, Pseudonyms(words_of_the_program()), force=False)
    with ListRecording.open(out, finished=True) as part:
        zoe, bo = (each.wire() for each in part.rows("users", AT + 1).values())
        ((key, call),) = ((key, each.wire()) for key, each in part.rows("calls", AT + 1).items())
        (presence,) = (each.wire() for each in part.rows("presence", AT + 1).values())
        (group,) = (each.wire() for each in part.rows("groups", AT + 1).values())
    first, last = zoe["username"].split(".")
    assert (first, last) != ("zoe", "álvarez")
    assert zoe["alias"] == f"{first.capitalize()} {last.upper()}"
    name, domain = zoe["email"].split("@")
    assert (name, domain) == (zoe["username"], zoe["domain"])
    assert domain.endswith(".example")
    assert domain != "desk.example"
    assert call["users"] == [zoe["id"]] == [presence["id"]] == group["participants"][:1]
    assert call["calle"] == presence["address"] == f"svc-user:{zoe['id']}"
    assert group["owner"]["id"] == bo["id"] == group["participants"][1]
    assert key == call["id"]
    digits = "".join(each for each in zoe["mobilePhone"][0] if each.isdigit())
    assert call["caller"] == f"tel:+{digits}"
    assert [len(each) for each in zoe["mobilePhone"][0].split()] == [3, 3, 3, 3]
    assert str(call["rating"]) == digits
    assert bo["alias"] in presence["note"]
    assert (zoe["role"], zoe["locale"], call["state"], presence["activity"]) == ("admin", "es-ES", "queued", "oncall")
    assert (call["date"], call["vip"]) == (AT, True)
    assert bo["role"] != "owner of it"


def test_pseudonyms_differ_between_files_and_no_two_texts_share_one():
    first, second = Pseudonyms(), Pseudonyms()
    assert first.text("Ana Belmonte") != second.text("Ana Belmonte")
    names = [f"{a}{b}{number}" for a in "abc" for b in ("", "á", "-", " ") for number in range(120)]
    names += ["kraków", "krakow", "Kraków", "KRAKÓW", "kRaKów", "1", "11", "111", "0111", "x" * 5000]
    assert len({first.text(each) for each in names}) == len(names)


@pytest.mark.parametrize(
    "row", [b"{", b"[1", b'"' + b"x" * 9000, b"[" * 5000, b'{"a":' * 5000, b'{"n":1e999}', b"\xff"]
)
def test_a_row_that_cannot_be_read_becomes_harmless(row: bytes):
    told = Pseudonyms().row("calls", row)
    assert b"xxxx" not in told
    json.loads(told)
