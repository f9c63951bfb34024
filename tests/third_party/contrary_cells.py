"""What each list must show of the contrary deployment: expected cells, written from its data and nothing else.

A column of ages has seconds, one of times ms.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from tests.third_party.contrary_data import Contrary
from tests.third_party.contrary_shown import ms, named, person, since, until, yes
from tests.third_party.contrary_words import Json, seconds_of, several

Cells = dict[str, Any]
Expected = Callable[[Contrary], Iterable[Cells]]


def _calls(data: Contrary) -> Iterable[Cells]:
    words = {"TALKING_NOW": "connected", "InQueue": "queued"}
    for n, row in data.calls.items():
        over, began = row["ended"] is not None, int(row["began"])
        state = words.get(row["status"], row["status"])
        end = row["ended"]
        answered = row["answered"]
        taped, alarm = row["notes"]["taped"]["active"], n in (1, 2, 3)
        yield {
            "state": "ended" if over and state == "connected" else state,
            "caller": named(row["src"]),
            "callee": named(row["dst"]),
            "target": named(row["via"]),
            "queue-name": named(row["via"]),
            "age": since(end or began),
            "queue": None if row["place"] is None else int(row["place"]),
            "flags": " ".join(["recording"] * taped + ["alarm"] * alarm) or None,
            "total": 20 if over else since(began),
            "talk": None if answered is None else 15 if over else since(answered),
            "users": person(row["parties"][0]),
            "attempts": len(row["tries"]),
            "direction": "in" if row["src"].startswith("+") else "internal",
            "ended": over,
            "waiting": row["status"] == "InQueue",
            "failed": False,
            "abandoned": row["status"] == "leavesqueue",
            "recording": taped,
            "began": began * 1000,
            "end": ms(end),
            "sessions": "9001",
            "context": f"shop: s{n}",
            "id": str(n),
            "faults": 0,
        }


def _conferences(data: Contrary) -> Iterable[Cells]:
    words = {"LIVE": "active", "DONE": "ended"}
    asks = {"declinedbytimeout": "1 not answered in time", "BROKEN": "1 failed", "accepted": "1 accepted"}
    for row in data.tables["rooms"].values():
        over = row["closed"] is not None
        ask = row["asks"][0]
        realms = several(row["realms"])
        yield {
            "state": words.get(row["phase"], row["phase"]),
            "room": row["pin"],
            "age": since(row["closed"] or row["opened"]),
            "in": 0 if over else 1,
            "people": 2,
            "invites": asks[ask["phase"]],
            "failed": 0 if ask["phase"] == "accepted" else 1,
            "media": "audio video" if ask["media"]["picture"] else "audio",
            "transfers": len(row["moves"]),
            "domains": ", ".join(realms),
            "who": ", ".join(named(each["who"]) for each in row["people"]),
            "ended": over,
            "began": ms(row["opened"]),
            "end": ms(row["closed"]),
            "id": str(row["rid"]),
            "faults": 0,
        }


def _alerts(data: Contrary) -> Iterable[Cells]:
    words = {"RINGING": "active", "TAKEN": "accepted", "GONE": "expired", "PULLED": "canceled"}
    recipes = {row["headline"]: row for row in data.tables["recipes"].values()}
    for row in data.sirens.values():
        raised, open_ = seconds_of(row["raised"]), row["phase"] == "RINGING"
        recipe = recipes.get(row["headline"]) if open_ else None
        steps = [raised + recipe["gap"] * n for n in range(1, int(recipe["again"]) + 1)] if recipe else []
        yield {
            "state": words[row["phase"]],
            "title": row["headline"],
            "age": since(row["settled"] or raised),
            "from": person(row["by"]),
            "accepted": person(row["takenBy"]) if row["takenBy"] else None,
            "left": until(steps[-1] + 60 * int(recipe["lasts"])) if recipe else None,
            "retry": next((until(each) for each in steps if each > time.time()), None),
            "took": row["settled"] - raised if row["settled"] else None,
            "payload": row["words"],
            "sent": ms(raised),
            "resolved": ms(row["settled"]),
            "mine": row["by"] == 1,
            "open": open_,
            "offered": row["no"] in {each["of"] for each in data.tables["offers"].values()},
            "id": row["no"],
            "faults": 0,
        }


def _templates(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["recipes"].values():
        again = int(row["again"])
        yield {
            "title": row["headline"],
            "retries": again,
            "every": row["gap"],
            "expires": None if row["lasts"] is None else again * row["gap"] + 60 * int(row["lasts"]),
            "payload": row["words"],
            "id": row["code"],
            "faults": 0,
        }


def _groups(data: Contrary) -> Iterable[Cells]:
    online = {1, 2, 3}
    for row in data.teams.values():
        yield {
            "name": row["caption"],
            "group": row["code"],
            "online": len(online & set(row["crew"])),
            "owner": row["boss"]["shown"],
            "strategy": {"ALL_AT_ONCE": "simultaneous"}.get(row["ring"]["how"], row["ring"]["how"]),
            "mine": True,
            "members": ", ".join(map(person, row["crew"])),
            "free": sum(_is_free(data, uid) for uid in row["crew"]),
            "size": len(row["crew"]),
            "chat": row["talk"],
            "faults": 0,
        }


_DOING = {"lunch-break": "away"}


def _talents(data: Contrary, uid: int) -> str | None:
    found = [row["tag"] for row in data.tables["talents"].values() if {"uid": uid} in several(row["who"])]
    return ", ".join(found) or None


def _is_free(data: Contrary, uid: int) -> bool:
    """Tell whether a person can take work: an agent by the crew, anybody else by presence."""
    known = [*data.tables["crew"].values(), *data.tables["around"].values()]
    return next((each["doing"] for each in known if each["uid"] == uid), None) == "available"


def _agents(data: Contrary) -> Iterable[Cells]:
    covers = {"on-the-phone": "busy", "lunch-break": "away", "available": "free", None: "offline"}
    for row in data.tables["crew"].values():
        chats, rooms = several(row["work"]["chats"]), several(row["work"]["calls"])
        starts = [seconds_of(each["at"]) for each in (*chats, *rooms)]
        yield {
            "state": _DOING.get(row["doing"], row["doing"]) if yes(row["up"]) else "offline",
            "name": row["called"],
            "load": len(chats) + len(rooms),
            "chats": len(chats),
            "voice": len(rooms),
            "c2c": 0,
            "skills": _talents(data, row["uid"]),
            "oldest": since(min(starts)) if starts else None,
            "instate": None,
            "cover": covers[row["doing"]],
            "online": yes(row["up"]),
            "turn": 2 * (len(chats) + len(rooms)) + (row["doing"] != "available"),
            "reachable": row["doing"] in {"on-the-phone", "available"},
            "id": str(row["uid"]),
            "faults": 0,
        }


def _skills(data: Contrary) -> Iterable[Cells]:
    crew = {row["uid"]: row for row in data.tables["crew"].values()}
    for row in data.tables["talents"].values():
        agents = [crew[each["uid"]] for each in several(row["who"])]
        doing = [each["doing"] for each in agents]
        chats = [chat for each in agents for chat in each["work"]["chats"]]
        reachable = doing.count("on-the-phone") + doing.count("available")
        yield {
            "skill": row["tag"],
            "understaffed": reachable < 2,
            "online": len(doing) - doing.count(None),
            "free": doing.count("available"),
            "busy": doing.count("on-the-phone"),
            "away": doing.count("lunch-break"),
            "reachable": reachable,
            "possible": reachable,
            "lack": ("nobody", "only 1", None)[min(reachable, 2)],
            "offline": doing.count(None),
            "unknown": 0,
            "agents": len(agents),
            "chats": len(chats),
            "oldest": since(chats[0]["at"]) if chats else None,
            "faults": 0,
        }


def _chats(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["talks"].values():
        about = row["about"]
        yield {
            "people": person(140),
            "age": since(about["startedAt"]),
            "about": f"{about['subject']}, {about['skill']}",
            "agent": person(row["desk"]["uid"]),
            "skill": about["skill"],
            "room": row["jid"],
            "mine": False,
            "began": ms(about["startedAt"]),
            "id": row["talk"],
            "faults": 0,
        }


def _notifications(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["offers"].values():
        is_chat = row["kind"] == "TALK"
        yield {
            "kind": "chat" if is_chat else "alert",
            "what": f"chat about {row['text']}" if is_chat else row["text"],
            "from": person(row["by"]),
            "age": since(row["at"]),
            "subject": row["of"],
            "id": row["oid"],
            "faults": 0,
        }


def _missed(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["missed"].values():
        more: Json = row["more"] or {}
        yield {
            "state": "read" if yes(row["seen"]) else "unread",
            "missed": ms(row["at"]),
            "from": named(row["by"]),
            "user": person(row["uid"]),
            "invite": more.get("ask"),
            "conference": str(more["room"]["rid"]) if more else None,
            "id": str(row["mid"]),
            "faults": 0,
        }


def _presence(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["around"].values():
        teams = [each["caption"] for each in data.teams.values() if row["uid"] in each["crew"]]
        yield {
            "state": _DOING.get(row["doing"], row["doing"]) if yes(row["up"]) else "offline",
            "name": row["shown"],
            "note": row["remark"],
            "instate": None,
            "username": row["name"],
            "groups": ", ".join(teams) or None,
            "skills": _talents(data, row["uid"]),
            "mood": row["feel"],
            "domain": row["realm"],
            "role": {"boss": "admin", "member": "user"}[row["level"]],
            "online": yes(row["up"]),
            "free": yes(row["up"]) and row["doing"] == "available",
            "id": row["address"],
            "faults": 0,
        }


def _users(data: Contrary) -> Iterable[Cells]:
    roles = {"boss": "admin", "member": "user", "visitor": "anonymous"}
    for uid, row in data.people.items():
        around = data.tables["around"].get(f"wac-user:{uid}")
        doing = (around["doing"] or "offline") if around else None
        can = several(row["can"])
        yield {
            "name": row["shown"],
            "username": row["login"]["name"],
            "role": roles[row["level"]],
            "domain": row["realm"],
            "login": ms(row["seen"]),
            "email": row["mail"],
            "phone": f"{row['phones']['mobile'][0]}, {row['phones']['desk']}",
            "presence": _DOING.get(doing or "", doing),
            "created": ms(row["since"]),
            "capabilities": ", ".join(can),
            "timezone": row["tz"],
            "locale": row["tongue"],
            "id": str(uid),
            "faults": 0,
        }


def _sessions(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["logins"].values():
        ended, expired = row["till"] != -1, seconds_of(row["dies"]) < time.time()
        state = "ended" if ended else "expired" if expired else "active"
        yield {
            "state": state,
            "user": row["who"]["shown"],
            "age": since(row["from"]),
            "left": until(row["dies"]) if state == "active" else None,
            "domain": row["realm"],
            "source": row["client"]["src"],
            "client": row["client"]["useragent"],
            "language": row["client"]["tongue"],
            "registered": str(row["reg"]),
            "many": 1 if state == "active" else 0,
            "token": f"…{row['secret'][-4:]}",
            "mine": row["uid"] == 1,
            "began": ms(row["from"]),
            "ended": ms(row["till"]) if ended else None,
            "id": str(row["lid"]),
            "faults": 0,
        }


def _alarms(data: Contrary) -> Iterable[Cells]:
    words = {"SEV1": "critical", "SEV3": "minor"}
    for row in data.tables["alarms"].values():
        rule, call = row["rule"], data.calls[row["call"]]
        yield {
            "urgency": words.get(row["grade"], row["grade"]),
            "age": since(row["at"]),
            "rule": f"{rule['what']} {rule['test']} {rule['limit']} relative",
            "loss": 5,
            "call": f"{named(call['src'])} → {named(call['dst'])}",
            "domain": row["realm"],
            "section": rule["part"],
            "value": rule["what"],
            "codec": row["streams"][0]["codec"],
            "type": row["sort"],
            "at": ms(row["at"]),
            "id": str(row["aid"]),
            "faults": 0,
        }


def _deliveries(data: Contrary) -> Iterable[Cells]:
    for row in data.tables["outbox"].values():
        yield {
            "state": {"LOST": "dead"}[row["phase"]],
            "kind": row["why"],
            "recipient": row["to"],
            "age": since(row["made"]),
            "attempts": int(row["tries"]),
            "error": row["wrong"],
            "next": ms(row["again"]),
            "mechanism": row["how"],
            "title": row["head"],
            "text": row["text"],
            "subject": str(row["of"]),
            "finished": None,
            "id": str(row["oid"]),
            "faults": 0,
        }


LIVE: dict[str, Expected] = {
    "calls": _calls,
    "conferences": _conferences,
    "alerts": _alerts,
    "templates": _templates,
    "groups": _groups,
    "agents": _agents,
    "skills": _skills,
    "chats": _chats,
    "notifications": _notifications,
    "missed-calls": _missed,
    "presence": _presence,
    "users": _users,
    "sessions": _sessions,
    "alarms": _alarms,
    "deliveries": _deliveries,
}
"""The lists that the console keeps up to date."""
