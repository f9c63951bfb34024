"""The answers of the foreign deployment, by its own methods and paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import JSONResponse, PlainTextResponse, Response

from tests.third_party.platform import PASSWORD, Json, Platform
from tests.third_party.refusals import coded, message, oauth, plain, problem, validation


@dataclass
class Asked:
    """The arguments of a handler."""

    platform: Platform
    me: Json
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any

    def admin(self) -> None:
        if self.me["role"] != "admin":
            raise message(403, "for the boss only")


Handler = Callable[[Asked], Any]
NOTHING = Response(status_code=204)


def _enter(asked: Asked) -> Any:
    """Start a session. The earlier variant returns its id with the token, and has no session object."""
    platform, ticket = asked.platform, asked.body.get("ticket", "")
    name = platform.keys.pop(ticket, None)
    if name is None:
        raise coded(401, "that key opens nothing")
    number = next(platform.numbers)
    token = f"ticket-{number}"
    platform.sessions[token] = {
        "id": f"sess-{number}",
        "user": platform.people[name]["id"],
        "domain": "far.example",
        "from": platform.now,
        "registered": platform.now,
        "who": name,
    }
    answer = {"access_token": token, "expires_in": 600, "token_type": "SvcSessionToken", "session_id": f"sess-{number}"}
    empty: Json = {"session": {}, "credential": {}, "capabilities": {"domain": [{}], "user": [{}]}}
    return {**answer, **empty}


def _key(asked: Asked) -> Any:
    platform, body = asked.platform, asked.body
    if body.get("kind") != "password" or body.get("login") not in platform.people or body.get("password") != PASSWORD:
        raise oauth(400, "invalid_grant", "wrong name or password")
    key = f"key-{next(platform.numbers)}"
    platform.keys[key] = body["login"]
    return JSONResponse({"access_token": key, "expires_in": 60, "token_type": "Bearer"}, 201)


def _leave(asked: Asked) -> Any:
    platform = asked.platform
    for token, each in list(platform.sessions.items()):
        if each["id"] == asked.path["id"]:
            del platform.sessions[token]
            return NOTHING
    raise coded(404, "there is no such session")


def _sessions(asked: Asked) -> Any:
    asked.admin()
    return [{name: value for name, value in each.items() if name != "who"} for each in asked.platform.sessions.values()]


def _hire(asked: Asked) -> Any:
    asked.admin()
    name = asked.body["username"]
    if name in asked.platform.people:
        raise plain(423, f"{name} works here already")
    asked.platform.people[name] = {**asked.body, "id": f"p-{name}", "created": asked.platform.now}
    return JSONResponse(asked.platform.people[name], 201)


def _team(asked: Asked, key: str) -> Json:
    team = asked.platform.teams.get(key)
    if team is None:
        raise coded(404, f"there is no team {key}")
    return team


def _own_team(asked: Asked, key: str) -> Json:
    team = _team(asked, key)
    if team["owner"]["id"] != asked.me["id"]:
        raise coded(403, "not your team")
    return team


def _found_team(asked: Asked) -> Any:
    key = asked.body.get("groupId") or f"t{next(asked.platform.numbers)}"
    owner = asked.me
    asked.platform.teams[key] = {
        "id": key,
        "groupId": key,
        "name": asked.path["name"],
        "participants": [],
        "owner": owner,
    }
    return JSONResponse(asked.platform.teams[key], 201)


def _change_team(asked: Asked) -> Any:
    _own_team(asked, asked.path["groupId"]).update(asked.body)
    return NOTHING


def _join(asked: Asked) -> Any:
    team = _own_team(asked, asked.path["groupId"])
    asked.platform.person(asked.path["targetUserId"])
    team["participants"] = [*team["participants"], asked.path["targetUserId"]]
    return NOTHING


def _part(asked: Asked) -> Any:
    team = _own_team(asked, asked.path["groupId"])
    team["participants"] = [each for each in team["participants"] if each != asked.query["who"]]
    return NOTHING


def _line_up(asked: Asked) -> Any:
    team = _own_team(asked, asked.body["groupId"])
    if sorted(team["participants"]) != sorted(asked.body["participants"]):
        raise coded(422, "these are not its people")
    team["participants"] = asked.body["participants"]
    return NOTHING


def _empty(asked: Asked) -> Any:
    _own_team(asked, asked.path["groupId"])["participants"] = []
    return NOTHING


def _search_calls(asked: Asked) -> Any:
    found = sorted(asked.platform.calls.values(), key=lambda each: each["from"], reverse=True)
    if "since" in asked.body:
        found = [each for each in found if each["from"] > asked.body["since"]]
    return found[: asked.body.get("most", 1000)]


def _call(asked: Asked) -> Json:
    call = asked.platform.calls.get(asked.path["id"])
    if call is None:
        raise problem(404, "Not Found", "no such call was ever made")
    return call


def _note_call(asked: Asked) -> Any:
    _call(asked).update(asked.body)
    return _call(asked)


def _alarms(asked: Asked) -> Any:
    asked.admin()
    return [_ALARM]


def _alarm(asked: Asked) -> Any:
    asked.admin()
    if asked.query.get("key") != _ALARM["id"]:
        raise plain(404, "there is no such alarm")
    return _ALARM


_STREAM: Json = {
    "id": "1",
    "packetsSent": 10,
    "packetesReceived": 7,
    "packetsLost": 3,
    "CodecName": "opus",
}
_ALARM: Json = {
    "id": "q1",
    "domain": "far.example",
    "urgency": "high",
    "type": "call",
    "timestamp": 1_700_000_000_000,
    "payload": {
        "callid": "c3",
        "value": {"ssrc": [_STREAM]},
        "alarm": {"id": "a", "section": "ssrc", "value": "packetsLost", "cond": ">", "threshold": 1},
    },
}


def _follow(asked: Asked) -> Any:
    address = asked.path["address"]
    asked.platform.followed.setdefault(asked.me["id"], []).append(address)
    return asked.platform.around.get(address, {"address": address, "online": False})


def _follow_many(asked: Asked) -> Any:
    asked.platform.followed.setdefault(asked.me["id"], []).extend(asked.body["who"])
    return NOTHING


def _around(asked: Asked) -> Any:
    platform = asked.platform
    if asked.me["role"] == "admin":
        return list(platform.around.values())
    return [platform.around[each] for each in platform.followed.get(asked.me["id"], []) if each in platform.around]


def _be(asked: Asked) -> Any:
    address = asked.query["address"]
    if address != f"svc-user:{asked.me['id']}":
        raise message(403, "only your own")
    asked.platform.around[address].update(asked.body)
    return asked.platform.around[address]


def _crew(asked: Asked) -> Any:
    platform = asked.platform
    channels: Json = {"chat": [], "voice": [], "c2c": []}
    return {
        "agents": [
            {
                "id": key,
                "displayName": platform.person(key)["alias"],
                "online": platform.around[f"svc-user:{key}"]["online"],
                "activity": platform.around[f"svc-user:{key}"]["activity"],
                "channels": channels,
            }
            for key in platform.agents
        ]
    }


def _hire_agents(asked: Asked) -> Any:
    asked.admin()
    for key in asked.body["userIds"]:
        if key not in asked.platform.agents:
            asked.platform.agents.append(key)
            asked.platform.person(key)["capabilities"].append("+c2cagent")
    return PlainTextResponse("OK")


def _teach(asked: Asked) -> Any:
    asked.admin()
    asked.platform.talents.setdefault(asked.path["skill"], []).append(asked.path["agent"])
    return PlainTextResponse("OK")


def _unlearn(asked: Asked) -> Any:
    asked.admin()
    asked.platform.talents[asked.path["skill"]].remove(asked.path["agent"])
    return PlainTextResponse("OK")


def _chats(asked: Asked) -> Any:
    return {"chats": [each for each in asked.platform.chats.values() if each["agent"]["id"] == asked.me["id"]]}


def _sirens(asked: Asked) -> Any:
    lists: dict[str, list[Json]] = {"active": [], "accepted": [], "expired": []}
    for each in asked.platform.sirens.values():
        # Cancelled ones have no list of their own.
        lists.setdefault(each["state"], []).append({name: each[name] for name in each if name != "state"})
    return {state: lists[state] for state in ("active", "accepted", "expired")}


def _siren(asked: Asked, key: str) -> Json:
    if key not in asked.platform.sirens:
        raise validation(404, "no such siren howls", ".alertId")
    return asked.platform.sirens[key]


def _take(asked: Asked) -> Any:
    siren = _siren(asked, asked.path["alertId"])
    if siren["state"] != "active":
        raise validation(423, "somebody else was faster", ".alertId")
    siren.update(state="accepted", acceptedBy=asked.me["id"], resolvedAt=asked.platform.now)
    return NOTHING


def _silence(asked: Asked) -> Any:
    _siren(asked, asked.body["id"])["state"] = "canceled"
    return PlainTextResponse("OK")


def _pulse(asked: Asked) -> Any:
    active = [key for key, each in asked.platform.calls.items() if each["state"] == "connected"]
    return {"activeUsers": [], "activeCalls": active, "calls": {"all": 3}, "uptime": 60}


def _accounts(asked: Asked) -> Any:
    asked.admin()
    return [
        {"id": each["id"], "username": each["username"], "enabled": True, "attributes": {"domain": each["domain"]}}
        for each in asked.platform.people.values()
    ]


OPEN: Mapping[tuple[str, str], Handler] = {
    ("POST", "/gate/keys"): _key,
    ("PUT", "/gate"): _enter,
}
"""Routes without a session."""

VOICE: Mapping[tuple[str, str], Handler] = {
    ("DELETE", "/gate/{id}"): _leave,
    ("GET", "/gate"): _sessions,
    ("GET", "/pulse"): _pulse,
    ("GET", "/self"): lambda asked: {"user": asked.me, "metadata": {"isAtRootDomain": True}},
    ("GET", "/folk"): lambda asked: list(asked.platform.people.values()),
    ("GET", "/folk/one"): lambda asked: asked.platform.person(asked.query["id"]),
    ("POST", "/folk"): _hire,
    ("GET", "/realms"): lambda _: [{"id": "d1"}],
    ("GET", "/features"): lambda asked: {"domain": ["presence", "chat"], "user": asked.me["capabilities"]},
    ("POST", "/teams/find"): lambda asked: {"groupList": list(asked.platform.teams.values())},
    ("GET", "/team"): lambda asked: _team(asked, asked.query["groupId"]),
    ("PUT", "/teams/called/{name}"): _found_team,
    ("PATCH", "/teams/{groupId}"): _change_team,
    ("PUT", "/teams/{groupId}/crew/{targetUserId}"): _join,
    ("DELETE", "/teams/{groupId}/crew"): _part,
    ("POST", "/teams/order"): _line_up,
    ("POST", "/teams/{groupId}/empty"): _empty,
    ("POST", "/traffic/find"): _search_calls,
    ("GET", "/traffic/{id}.json"): _call,
    ("PATCH", "/traffic/{id}.json"): _note_call,
    ("GET", "/rooms"): lambda _: [],
    ("GET", "/tapes"): lambda _: [],
    ("GET", "/quality"): _alarms,
    ("GET", "/quality/one"): _alarm,
    ("GET", "/around"): _around,
    ("GET", "/around/{address}"): lambda asked: asked.platform.around[asked.path["address"]],
    ("PATCH", "/around"): _be,
    ("POST", "/around/{address}/follow"): _follow,
    ("POST", "/around/follow"): _follow_many,
    ("GET", "/crew"): _crew,
    ("PUT", "/crew"): _hire_agents,
    ("GET", "/talents"): lambda asked: {
        "skills": [{"skill": skill, "agents": agents} for skill, agents in asked.platform.talents.items()]
    },
    ("PUT", "/talents/{skill}/{agent}"): _teach,
    ("DELETE", "/talents/{skill}/{agent}"): _unlearn,
    ("GET", "/chats/mine"): _chats,
    ("GET", "/sirens"): _sirens,
    ("PUT", "/sirens/{alertId}/mine"): _take,
    ("POST", "/sirens/silence"): _silence,
    ("GET", "/sirens/kinds"): lambda _: {"alertTemplates": []},
}
FOLK: Mapping[tuple[str, str], Handler] = {("GET", "/accounts"): _accounts}
