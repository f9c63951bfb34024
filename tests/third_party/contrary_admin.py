"""The lists of the contrary deployment that administrators manage; see `contrary_data`."""

from __future__ import annotations

from tests.third_party.contrary_words import Rows, iso, iso_east, us


def admin_lists(now: int) -> dict[str, Rows]:
    """Return the rows of each list, by its name; the first member of a row is its key."""
    return {
        "realms": [
            {
                "rid": n,
                "name": name,
                "above": above,
                "webs": [f"https://.*{name}"],
                "guests": "yes" if n == 1 else "no",
                "stay": "90",
                "may": ["+chat"],
                "offers": {"login": [], "presence": ["all"]},
            }
            for n, name, above in ((1, "far.example", None), (2, "other.example", "far.example"))
        ],
        "cards": [
            {
                "kid": 31,
                "book": "ldap",
                "uid": 2,
                "label": "Zoe Plumber",
                "star": "1",
                "lines": [{"tag": "work", "addr": "+3490011", "uid": 3}],
                "mails": [{"address": "zoe@far.example"}],
                "dev": "phone-1",
                "devcard": "card-9",
                "raw": [{"n": "0034"}],
            },
            {
                "kid": 32,
                "book": "group",
                "uid": 1,
                "label": "All plumbers",
                "star": "0",
                "crowd": [{"tag": "Zoe", "addr": "+3490011"}],
            },
        ],
        "own-cards": [
            {
                "kid": 41,
                "uid": 1,
                "label": "My plumber",
                "lines": [{"tag": "home", "no": "+3490022", "main": "true"}],
                "mails": [{"tag": "home", "no": "plumber@far.example"}],
                "star": 1,
                "about": 3,
            }
        ],
        "house-cards": [
            {
                "kid": n,
                "label": f"Reception {n}",
                "lines": [{"tag": "home", "no": f"+34900{n}", "main": "0"}],
                "mails": [],
                "about": 2,
                "realm": "far.example" if n == 51 else "other.example",
            }
            for n in (51, 52)
        ],
        "books": [
            {
                "kid": 61,
                "label": "House",
                "sort": "contacts",
                "cards": [
                    {
                        "kid": "k1",
                        "label": "Ana",
                        "lines": [{"tag": "home", "no": "+341"}],
                        "mails": [],
                        "star": "0",
                        "about": 2,
                    }
                ],
            }
        ],
        "phonebooks": [
            {
                "bid": n,
                "label": f"Book {n}",
                "cards": [
                    {"kid": n * 10, "label": "Gate", "no": "+34111"},
                    {"kid": n * 10 + 1, "label": "Bar", "no": "9"},
                ],
                "readers": [{"uid": 2}, {"uid": 3}] if n % 2 else [],
            }
            for n in range(1, 6)
        ],
        "keys": [
            {
                "key": "7@plain",
                "from": "plain",
                "sort": "basic",
                "realm": "far.example",
                "uid": 2,
                "facts": {"login": "ana"},
                "lasts": 60,
                "client": {"src": "10.0.0.2", "tongue": "pt"},
            }
        ],
        "apps": [{"aid": 81, "label": "Wallboard", "back": "https://board.example/back", "cid": "board"}],
        "tokens": [
            {"tid": 91, "tail": "tok-aaaa1111", "uid": 2, "app": "board", "dies": iso_east(now + 3600), "fresh": False},
            {"tid": 92, "tail": "tok-bbbb2222", "uid": 2, "app": "board", "dies": iso(now + 7200), "fresh": True},
        ],
        "prefs": [{"pid": "5@web", "from": "web", "uid": 1, "name": "theme", "val": "dark"}],
        "tapes": [
            {
                "tid": 100 + n,
                "of": {"sort": "CALL", "no": n},
                "begun": us(now - 600 * n),
                "done": us(now - 600 * n + 90) if n < 3 else None,
                "people": [{"uid": 2}, {"uid": 3}],
                "files": [
                    {
                        "fid": f"f{n}",
                        "bytes": str(1000 * n),
                        "sha": f"{n:064x}",
                        "mime": "audio/ogg",
                        "begun": now,
                        "done": now,
                    }
                ],
                "realm": "far.example",
            }
            for n in range(1, 4)
        ],
        "meetings": [
            {
                "mid": 111,
                "room": "board-room",
                "label": "Board",
                "by": {"uid": 1, "name": "eva", "realm": "far.example", "shown": "Person 1"},
                "everybody": [{"uid": 2}],
                "tongue": "pt",
                "guests": [
                    {"uid": 2, "mail": "a@b.example", "tel": "+341", "tz": "UTC", "tongue": "pt", "sms": "true"}
                ],
                "opens": iso_east(now + 3600),
                "shuts": now + 7200,
                "tel": "+34900",
                "dial": {"ext": 12, "pin": 3456},
                "locked": "true",
                "early": 5,
                "late": 10,
                "tape": {"sort": "none"},
            }
        ],
        "counters": [
            {
                "cid": 1,
                "realm": "far.example",
                "uid": 2,
                "what": "brief",
                "sort": "call",
                "at": iso(now - 5),
                "streams": [{"sid": "up", "out": "900", "in": 95, "lost": "5", "bout": 1, "bin": 2, "codec": "opus"}],
            }
        ],
        "lines": [
            {
                "lid": 120 + n,
                "name": f"line-{n}",
                "pw": f"sip-secret-{n}",
                "free": "yes" if n > 1 else "no",
                "realm": "far.example",
            }
            for n in range(1, 4)
        ],
        "plugs": [
            {"for": "wac-user:2", "line": {"name": "line-1", "pw": "sip-secret-1"}},
            {"for": "wac-group:t1", "line": {"name": "trunk", "pw": "sip-secret-x"}},
        ],
        "pipes": [
            {
                "pid": 130,
                "label": "screen",
                "ends": ["wac-user:1", "wac-user:2"],
                "on": ["wac-user:1"],
                "off": [],
                "sent": ["x"],
            }
        ],
        "outbox": [
            {
                "oid": 140,
                "how": "MAIL",
                "why": "phone code",
                "to": "ana@far.example",
                "of": 2,
                "head": "Your code",
                "text": "****",
                "phase": "LOST",
                "tries": "3",
                "wrong": "refused",
                "made": iso(now - 600),
                "again": us(now + 60),
                "ends": now + 3600,
                "over": None,
            }
        ],
        "missed": [
            {
                "mid": 150,
                "uid": 1,
                "by": "wac-user:2",
                "more": {"ask": "i-1", "room": {"rid": 502}},
                "at": iso(now - 60),
                "seen": "0",
            },
            {"mid": 151, "uid": 2, "by": "+34600999", "more": None, "at": now - 90, "seen": "yes"},
        ],
        "offers": [
            {"oid": "o-1", "kind": "SIREN", "of": "s1", "text": "Line 1 down", "by": 2, "at": iso(now - 61)},
            {"oid": "o-2", "kind": "TALK", "of": "talk-72", "text": "billing", "by": 140, "at": us(now - 30)},
        ],
        "staff": [
            {
                "sid": f"{n}-uuid",
                "nick": f"staff{n}",
                "mail": f"staff{n}@far.example",
                "on": "true" if n < 3 else "0",
                "given": f"Given {n}",
                "family": f"Family {n}",
                "proven": n,
                "more": {
                    "realm": "far.example",
                    "tel": f"+34{n}",
                    "can": ["+start-chat"],
                    "line": {"name": f"line-{n}", "pw": "sip-secret-p", "at": "sip.far.example", "via": "sip:proxy"},
                },
            }
            for n in (0, 1)
        ],
        "estates": [
            {
                "rid": 1,
                "name": "far.example",
                "above": "",
                "webs": ["https://.*"],
                "guests": 1,
                "may": ["+chat"],
                "remote": "false",
                "offers": {"login": ["basic"]},
            }
        ],
        "labels": [{"label": f"desk-{n}", "no": 34900000 + n} for n in range(1, 6)],
    }
