"""Malformed requests, as sent by accident, by broken programs, and on purpose.

Each kind has a name and is sent once; a few hundred take a second.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

OBJECT = {"name": "x"}


@dataclass(frozen=True)
class HostileInput:
    """A request as it is sent; the path is raw."""

    name: str
    method: str = "GET"
    path: bytes = b"/core/groups"
    body: bytes = b""
    headers: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "blanks": b" \t\r\n ",
    "no json": b"{",
    "a string": b'"x"',
    "a bare word": b"hello",
    "an array": b"[]",
    "an array of arrays": b"[[[[]]]]",
    "a number": b"3",
    "true": b"true",
    "null": b"null",
    "two values": b"{}{}",
    "a comment": b'{"name":"x"/* */}',
    "single quotes": b"{'name':'x'}",
    "a trailing comma": b'{"name":"x",}',
    "a name twice": b'{"name":1,"name":{}}',
    "an empty name": b'{"":1}',
    "not a number": b'{"name":NaN}',
    "infinite": b'{"name":1e999}',
    "minus infinite": b'{"name":-Infinity}',
    "minus zero": b'{"name":-0.0}',
    "leading zeros": b'{"name":007}',
    "no utf-8": b'{"name":"\xff\xfe"}',
    "overlong utf-8": b'{"name":"\xc0\xaf"}',
    "utf-8 of a surrogate": b'{"name":"\xed\xa0\x80"}',
    "cut within a character": b'{"name":"\xe2\x82',
    "byte order mark": b'\xef\xbb\xbf{"name":[]}',
    "utf-16": '{"name":"x"}'.encode("utf-16"),
    "utf-32": '{"name":"x"}'.encode("utf-32"),
    "lone surrogate": b'{"name":"\\ud800"}',
    "surrogates the wrong way round": b'{"name":"\\udc00\\ud800"}',
    "lone surrogate as name": b'{"\\ud800":1,"name":"x"}',
    "nul": b'{"name":"a\\u0000b"}',
    "a raw nul": b'{"name":"a\x00b"}',
    "raw control characters": b'{"name":"a\x01\x1b[2Jb"}',
    "bad escape": b'{"name":"\\x41"}',
    "short escape": b'{"name":"\\u12"}',
    "wrong type": b'{"name":{"a":1}}',
    "an array for a text": b'{"name":["x"]}',
    "a number for a text": b'{"name":7}',
    "null for a text": b'{"name":null}',
    "a text for an object": b'{"name":"x","ringingStrategy":"all"}',
    "deep arrays": b'{"name":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"name":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
    "deep but parsable": b'{"name":"x","ringingStrategy":{"type":"x","a":' + b"[" * 50 + b"]" * 50 + b"}}",
    "many digits": b'{"name":' + b"9" * 5000 + b"}",
    "many digits after the point": b'{"name":0.' + b"1" * 100_000 + b"}",
    "a huge exponent": b'{"name":1e99999999999999}',
    "huge number": b'{"name":"x","ringingStrategy":{"type":"x","a":99999999999999999999999}}',
    "many names": b'{"name":[],' + b",".join(b'"a%d":1' % each for each in range(20_000)) + b"}",
    "a long name": b'{"' + b"x" * 500_000 + b'":1}',
    "a form": b"name=x&participants=bob",
    "multipart": b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--x--',
    "xml": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\x05\x00\x16\xb0\x16\x3b\x02\x00\x00\x00",
    "a pickle": b"\x80\x04\x95\x0c\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x94.",
}
WRITES: tuple[tuple[str, bytes], ...] = (
    ("POST", b"/core/groups"),
    ("PUT", b"/core/users/ana"),
    ("POST", b"/core/oauth2/token"),
    ("POST", b"/core/sessions/start"),
    ("POST", b"/provisioning/users"),
)
TEXTS: dict[str, str] = {
    "sql": "' OR 1=1 --",
    "more sql": '"; DROP TABLE users; --',
    "a pattern": "%_%",
    "a path": "../../../../etc/passwd",
    "an encoded path": "..%2f..%2fetc",
    "a command": "$(reboot)`reboot`|reboot",
    "a template": "{{7*7}}${7*7}<%= 7 %>",
    "a lookup": "${jndi:ldap://example.invalid/a}",
    "a header": "x\r\nSet-Cookie: a=b",
    "escapes": "\x1b]0;x\x07\x1b[c",
    "bidi": "\u202eabc\u2066",
    "no characters": "\ufffe\uffff\U0010ffff",
    "marks": "a" + "\u0301" * 5000,
    "a long text": "x" * 6000,
    "blanks": " \t\u00a0\u3000",
    "nul": "a\0b",
    "json": '{"$ne":null}',
    "a format": "%s%n%x {0.__class__}",
    "digits": "9" * 400,
    "a negative": "-1",
    "an exponent": "1e999",
    "a number in another script": "\u0661\u0662\u0663",
    "true": "true",
}
LISTS = ("users", "calls", "users/page", "conferences/page", "sessions")
QUERIES: dict[str, bytes] = {
    "only signs": b"&&&===&",
    "a name without a value": b"limit",
    "bad percents": b"username=%zz%&%",
    "no utf-8": b"username=%ff%fe",
    "nul": b"username=%00",
    "a thousand names": b"&".join(b"a%d=1" % each for each in range(1000)),
    "one name a thousand times": b"&".join([b"ids=x"] * 1000),
    "brackets": b"page[size][x]=1&page[[after]]=y",
    "an array": b"limit[]=1&limit[]=2",
    "twice": b"limit=1&limit=2",
    "semicolons": b"limit=1;offset=2",
    "raw bytes": b"username=\x80\xff",
    "a cursor of another": b"page[after]=AAAA",
    "a cursor with a bad sign": b"page[after]=!!!!",
    "a long cursor": b"page[after]=" + b"A" * 6000,
    "a filter of 100,000 characters": b"username=%s&username[partial]=%s" % (b"a" * 100_000, b"a" * 100_000),
    "a filter of 16,000 characters": b"username[partial]=" + b"a" * 16_000,
    "a filter of 5,000 signs": b"username[partial]=" + b"%25" * 5_000,
    "a negative page": b"page[size]=-1",
    "a page of nothing": b"page[size]=0",
    "a huge page": b"page[size]=9999999999999999999999",
    "an unknown sort": b"sort=__class__&sort_by=__class__&sortBy=__class__",
    "a sort of everything": b"sort=-&sort_by=.&sortBy=,,,",
    "a huge number": b"limit=" + b"9" * 5000,
    "a time before time": b"from=-99999999999999999999&created_after=-1e400",
    "a date that is none": b"date[since]=2026-02-30T25:61:61Z",
}
PATHS: dict[str, bytes] = {
    "nowhere": b"/core/nowhere",
    "the root": b"/core/",
    "no slash": b"/core",
    "empty segments": b"/core//groups//",
    "dots": b"/core/groups/../users",
    "encoded dots": b"/core/groups/%2e%2e/users",
    "encoded slashes": b"/core/groups%2f..%2fusers",
    "encoded nul": b"/core/groups/%00",
    "a bad percent": b"/core/groups/%zz",
    "half a percent": b"/core/groups/%",
    "no utf-8": b"/core/groups/%ff%fe",
    "encoded line feeds": b"/core/groups/a%0d%0ab",
    "raw bytes": b"/core/groups/\x80\xff",
    "a parameter": b"/core/groups;a=b",
    "another case": b"/core/GROUPS",
    "deep": b"/core" + b"/a" * 2000,
    "long": b"/core/groups/" + b"x" * 8000,
    "very long": b"/core/groups/" + b"x" * 100_000,
    "very deep": b"/core" + b"/a" * 50_000,
    "a fragment": b"/core/groups#x",
    "an address": b"http://example.invalid/core/groups",
    "both services": b"/core/provisioning/users",
    "the events as http": b"/events",
    "files": b"/core/../../etc/passwd",
}
HEADERS: dict[str, dict[bytes, bytes]] = {
    "no scheme": {b"authorization": b"abc"},
    "an empty bearer": {b"authorization": b"Bearer "},
    "a bearer of bytes": {b"authorization": b"Bearer \xff\xfe\x80"},
    "a bearer with accents": {b"authorization": "Bearer \u00e9\u00e8".encode()},
    "a long bearer": {b"authorization": b"Bearer " + b"x" * 10_000},
    "another scheme": {b"authorization": b"Digest username=eva"},
    "a basic that is none": {b"authorization": b"Basic !!!!"},
    "a basic without a colon": {b"authorization": b"Basic ZXZh"},
    "a basic of bytes": {b"authorization": b"Basic //79"},
    "a huge length": {b"content-length": b"9" * 30},
    "a negative length": {b"content-length": b"-1"},
    "a length in words": {b"content-length": b"many"},
    "a digit that is none": {b"content-length": "\u0663".encode()},
    "an origin of bytes": {b"origin": b"\xff\xfe"},
    "a long origin": {b"origin": b"https://" + b"a" * 8000},
    "an origin that hangs patterns": {b"origin": b"a" * 5000 + b"!"},
    "a key of bytes": {b"idempotency-key": b"\xff\xfe"},
    "an empty key": {b"idempotency-key": b""},
    "a long key": {b"idempotency-key": b"k" * 5000},
    "a tag of bytes": {b"if-none-match": b'"\xff"'},
    "many tags": {b"if-none-match": b",".join([b'"a"'] * 5000)},
    "any tag": {b"if-none-match": b"*"},
    "another content": {b"content-type": b"application/xml; charset=\xff"},
    "packed content": {b"content-encoding": b"gzip, gzip, br"},
    "a range": {b"range": b"bytes=0-,1-,2-,99999999999999999999-"},
    "an expectation": {b"expect": b"999-nonsense"},
    "another host": {b"host": b"example.invalid:99999"},
    "a host of bytes": {b"host": b"\xff"},
    "who it claims to come from": {b"x-forwarded-for": b"' OR 1=1 --", b"forwarded": b"for=\xff"},
    "ten thousand headers": {b"x-%d" % number: b"y" for number in range(10_000)},
    "a header of 100,000 characters": {b"x-long": b"y" * 100_000},
    "another method": {b"x-http-method-override": b"DELETE"},
}
METHODS = ("HEAD", "OPTIONS", "TRACE", "CONNECT", "PATCH", "PROPFIND", "get", "G\u00c9T", "X" * 500, "")


def kinds() -> Iterator[HostileInput]:
    """Return all kinds. Each must be refused or answered, and must not change anything."""
    for method, path in WRITES:
        for name, body in BODIES.items():
            if len(body) > 10_000 and path != WRITES[0][1]:
                continue  # Refused before the operation makes a difference.
            yield HostileInput(f"{method} {path.decode()} with {name}", method, path, body)
    for wire in ("groupId", "username", "token", "id"):
        for name, text in TEXTS.items():
            body = json.dumps({wire: text, "name": {"no": "text"}}).encode()
            yield HostileInput(f"{name} as {wire}", "POST", b"/core/groups", body)
    for name, text in TEXTS.items():
        quoted = b"".join(b"%%%02X" % byte for byte in text.encode())
        yield HostileInput(f"{name} in the path", path=b"/core/groups/" + quoted)
        yield HostileInput(f"{name} in the path of a change", "PUT", b"/core/users/" + quoted, b'{"role":7}')
        yield HostileInput(f"{name} in a query", path=b"/core/users?username=" + quoted)
        yield HostileInput(f"{name} in a partial filter", path=b"/core/users/page?filter[username][partial]=" + quoted)
    for place in LISTS:
        for name, query in QUERIES.items():
            yield HostileInput(f"{place} asked with {name}", path=b"/core/%s?%s" % (place.encode(), query))
    for name, path in PATHS.items():
        yield HostileInput(f"path: {name}", path=path)
        yield HostileInput(f"change of path: {name}", "DELETE", path)
    for name, headers in HEADERS.items():
        yield HostileInput(f"header: {name}", headers=headers)
        yield HostileInput(f"change with header: {name}", "POST", body=b'{"name":[]}', headers=headers)
    for method in METHODS:
        yield HostileInput(f"method {method[:20]!r}", method)


def sent(kind: HostileInput, token: str) -> dict[str, Any]:
    """Return a kind as an ASGI scope, with the owner of the token as the caller unless the kind has another."""
    path, _, query = kind.path.partition(b"?")
    headers = {b"host": b"desk", b"authorization": f"Bearer {token}".encode(), **kind.headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": kind.method,
        "scheme": "http",
        "path": path.decode("latin-1"),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": list(headers.items()),
        "client": ("127.0.0.1", 50_000),
        "server": ("desk", 80),
    }
