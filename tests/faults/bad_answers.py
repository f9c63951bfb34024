"""Invalid answers by name: bodies, rows, encodings, statuses, pages."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx

FOREIGN = "http://elsewhere.example/calls"


@dataclass(frozen=True)
class Answer:
    """An answer as it is sent."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def made(self) -> httpx.Response:
        """Return a new response: a response can be read only once."""
        headers = [(name.encode(), value.encode()) for name, value in self.headers.items()]
        return httpx.Response(self.status, headers=headers, stream=httpx.ByteStream(self.body))


GOOD = [{"id": f"c{number}", "state": "ringing"} for number in range(49)]

_LONG = "9" * 5000
BAD_ROWS: Mapping[str, bytes] = {
    "null": b"null",
    "a number": b"7",
    "a text": b'"text"',
    "a list": b"[]",
    "nothing in it": b"{}",
    "no key": b'{"state":"ringing"}',
    "a key of null": b'{"id":null}',
    "an empty key": b'{"id":""}',
    "a number as key": b'{"id":7}',
    "a list as key": b'{"id":["x"]}',
    "an object as key": b'{"id":{"x":1}}',
    "a state of another type": b'{"id":"bad","state":{"x":[1]}}',
    "users of another type": b'{"id":"bad","users":5}',
    "users that are no users": b'{"id":"bad","users":[5,null,"x",{}]}',
    "a lone surrogate": b'{"id":"bad","caller":"\\ud83d"}',
    "a lone surrogate as key": b'{"id":"\\udfff"}',
    "bytes that are no text": b'{"id":"bad","caller":"\xff\xfe"}',
    "NaN": b'{"id":"bad","date":NaN}',
    "Infinity": b'{"id":"bad","date":Infinity}',
    "a number beyond all": b'{"id":"bad","date":1e999}',
    "a number of 5000 digits": b'{"id":"bad","date":' + _LONG.encode() + b"}",
    "a time after the end": b'{"id":"bad","date":1000000000000000000}',
    "a time before the beginning": b'{"id":"bad","date":-1000000000000000}',
    "a time as text": b'{"id":"bad","date":"yesterday"}',
    "a time that is true": b'{"id":"bad","date":true}',
    "a key twice": b'{"id":"bad","id":"worse","state":"ringing"}',
    "a hundred levels": b'{"id":"bad","context":' + b"[" * 100 + b"]" * 100 + b"}",
    "ten thousand lists": b'{"id":"bad","context":' + b"[" * 10_000 + b"]" * 10_000 + b"}",
    "ten thousand objects": b'{"id":"bad","context":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_000 + b"}",
    "depth with quotes in it": b'{"id":"bad","context":' + b'["]\\"[",' * 5_000 + b"1" + b"]" * 5_000 + b"}",
    "a row of depth alone": b"[" * 10_000 + b"]" * 10_000,
    "a megabyte": b'{"id":"bad","caller":"' + b"x" * 1_000_000 + b'"}',
    "control characters": b'{"id":"bad","caller":"\\u0000\\u001b[2J\\u0007"}',
    "another row's key": b'{"id":"c0","state":"connected"}',
}


def with_row(row: bytes) -> bytes:
    """Return a list of forty-nine good rows and this one."""
    rows = [json.dumps(each).encode() for each in GOOD]
    return b"[" + b",".join([*rows[:20], row, *rows[20:]]) + b"]"


def _bodies() -> dict[str, bytes]:
    good = json.dumps(GOOD).encode()
    found = {
        "only spaces": b"   \n",
        "true": b"true",
        "a number": b"12",
        "a text": b'"text"',
        "an object": b"{}",
        "an error": b'{"error":"maintenance"}',
        "pages of nothing": b'{"data":null}',
        "a web page": b"<!doctype html><title>Welcome</title>",
        "a mark of byte order": b"\xef\xbb\xbf" + good,
        "UTF-16": good.decode().encode("utf-16"),
        "NaN": b"NaN",
        "two lists": good + good,
        "something behind it": good + b"}",
        "an open text": b'["',
        "a comma at the end": b'[{"id":"a"},]',
        "single quotes": b"[{'id':'a'}]",
        "comments": b"[] // none",
        "a row of ten thousand levels": b'[{"id":"bad","context":' + b"[" * 10_000 + b"]" * 10_000 + b"}]",
        "deep lists": b"[" * 50_000,
        "deep objects": b'{"a":' * 50_000,
        "deep and whole": b"[" * 5_000 + b"]" * 5_000,
        "binary": bytes(range(256)),
        "a megabyte of brackets": b"[" * 1_000_000,
        "a list of lists": b"[[],[],[]]",
        "a list of nulls": b"[null,null]",
    }
    for part in range(1, 20):
        found[f"{part} of 20 parts"] = good[: len(good) * part // 20]
    return found


def _encoded() -> dict[str, Answer]:
    good = json.dumps(GOOD).encode()
    bomb = gzip.compress(b" " * 40_000_000, 1)
    kinds: dict[str, tuple[str, bytes]] = {
        "no gzip at all": ("gzip", good),
        "gzip that is cut": ("gzip", gzip.compress(good)[:-9]),
        "gzip that is spoilt": ("gzip", gzip.compress(good)[:20] + b"\x00" * 20),
        "gzip twice": ("gzip, gzip", gzip.compress(gzip.compress(good))),
        "gzip in gzip": ("gzip", gzip.compress(gzip.compress(good))),
        "a bomb": ("gzip", bomb),
        "a bomb in a bomb": ("gzip, gzip", gzip.compress(bomb)),
        "deflate that is none": ("deflate", good),
        "raw deflate": ("deflate", zlib.compress(good)[2:-4]),
        "brotli": ("br", good),
        "zstd": ("zstd", good),
        "an unknown encoding": ("rot13", good),
        "very many encodings": (", ".join(["gzip"] * 500), good),
    }
    return {name: Answer(200, body, {"Content-Encoding": encoding}) for name, (encoding, body) in kinds.items()}


def _statuses() -> dict[str, Answer]:
    bodies: dict[str, bytes] = {
        "nothing": b"",
        "a text": b"no \x1b[2J way",
        "another type": b'{"message":{"x":[1]},"errors":7}',
        "a lone surrogate": b'{"message":"\\ud83d"}',
        "depth": b'{"message":' + b"[" * 20_000,
    }
    found = {
        f"{status} with {name}": Answer(status, body)
        for status in (400, 402, 404, 405, 409, 413, 418, 422, 451, 499, 500, 501, 507, 599)
        for name, body in bodies.items()
    }
    for status in (300, 301, 302, 303, 307, 308):
        found[f"{status} to elsewhere"] = Answer(status, headers={"Location": FOREIGN})
    for value in ("-5", "soon", "1e400", "nan", "Fri, 31 Dec 9999 23:59:59 GMT", "1 2 3", "٣"):
        found[f"503 with Retry-After {value}"] = Answer(503, headers={"Retry-After": value})
    return found


def _pages() -> dict[str, bytes]:
    def page(following: object) -> bytes:
        return json.dumps({"data": [{"id": "g1", "groupId": "g1"}], "meta": {"page": {"next": following}}}).encode()

    return {
        "the same page again": page("same"),
        "a page elsewhere": page(FOREIGN),
        "a page elsewhere without a scheme": page("//elsewhere.example/calls"),
        "a number as next page": page(7),
        "a list as next page": page(["x"]),
        "an object as next page": page({"href": FOREIGN}),
        "a next page of a megabyte": page("x" * 1_000_000),
        "a next page that leaves the query": page("x&page[size]=1#\r\nHost: elsewhere.example"),
        "pages of another type": b'{"data":[],"meta":7}',
        "pages whose data are an object": b'{"data":{"a":1},"meta":{}}',
    }


BAD_BODIES: Mapping[str, bytes] = _bodies()
BAD_PAGES: Mapping[str, bytes] = _pages()


BAD_ANSWERS: Mapping[str, Answer] = {
    **{f"body: {name}": Answer(200, body) for name, body in BAD_BODIES.items()},
    **{f"row: {name}": Answer(200, with_row(row)) for name, row in BAD_ROWS.items()},
    **{f"encoding: {name}": answer for name, answer in _encoded().items()},
    **{f"status: {name}": answer for name, answer in _statuses().items()},
}
