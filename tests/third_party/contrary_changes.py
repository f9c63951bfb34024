"""The changing operations of the contrary deployment. Each takes exactly the types that it documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tests.third_party.contrary_data import Contrary
from tests.third_party.contrary_lists import Handler, error, known
from tests.third_party.contrary_words import Json, several

NOTHING = Response(status_code=204)


class Refused(Exception):
    """A request that is not as documented."""


def _check(body: Json, kinds: Mapping[str, Any]) -> None:
    """Refuse unknown names and wrong types. A list means entries of that type."""
    for name, value in body.items():
        kind = kinds.get(name)
        if kind is None:
            raise Refused(f"unknown: {name}")
        right = (
            all(isinstance(each, kind[0]) for each in value)
            if isinstance(kind, list)
            else isinstance(value, kind) and (kind is not int or not isinstance(value, bool))
        )
        if not right:
            raise Refused(f"{name} is wrong: {value!r}")


def _row(data: Contrary, table: str, key: object) -> Json:
    found = data.tables[table].get(str(key))
    if found is None:
        raise Refused(f"no row {key} in {table}")
    return found


def _edit(table: str, tells: str, /, **kinds: Any) -> Handler:
    """Change the members of a row that its path names, and return the row."""

    def answer(data: Contrary, request: Request, body: Json, _who: int) -> Any:
        _check(body, kinds)
        row = _row(data, table, request.path_params["key"])
        row.update(body)
        data.tell(tells)
        return {"data": row}

    return answer


def _make(table: str, key: str, tells: str, more: Json | None = None, /, **kinds: Any) -> Handler:
    """Create a row."""

    def answer(data: Contrary, _request: Request, body: Json, _who: int) -> Any:
        _check(body, kinds)
        row = {**(more or {}), key: 7000 + len(data.tables[table]), **body}
        data.tables[table][str(row[key])] = row
        data.tell(tells)
        return {"data": row}

    return answer


def _done(act: Callable[[Contrary, Request, Json, int], object], tells: str, **kinds: Any) -> Handler:
    def answer(data: Contrary, request: Request, body: Json, who: int) -> Any:
        _check(body, kinds)
        act(data, request, body, who)
        data.tell(tells)
        return {"done": True}

    return answer


def _act(data: Contrary, _request: Request, body: Json, who: int) -> Any:
    siren = data.sirens.get(body.get("siren", ""))
    if siren is None:
        return error("no such siren", 404)
    siren["phase"] = {"take": "TAKEN", "stop": "PULLED"}[body["do"]]
    siren["settled"] = data.now
    siren["takenBy"] = who if body["do"] == "take" else None
    data.tell("/sirens")
    return NOTHING


def _send(data: Contrary, _request: Request, body: Json, who: int) -> None:
    recipe = _row(data, "recipes", body["recipe"])
    row = {"no": body["no"], "by": who, "headline": recipe["headline"], "words": recipe["words"], "phase": "RINGING"}
    data.sirens[body["no"]] = {**row, "raised": data.now, "settled": None, "takenBy": None}


def _tape(data: Contrary, request: Request, body: Json, _who: int) -> None:
    _row(data, "calls", request.path_params["key"])["notes"] = {"taped": {"active": body["do"] == "start"}}


def _hear(data: Contrary, request: Request, body: Json, _who: int) -> None:
    data.receivers.setdefault(request.path_params["key"], []).extend(body["who"])


_BOSS = {"uid": 1, "login": {"name": "eva"}, "realm": "far.example", "shown": "Person 1"}
_TEAM: Json = {"crew": [], "boss": _BOSS, "talk": None, "ring": {"how": "ALL_AT_ONCE"}}
_TEAM_KINDS = {"code": str, "caption": str, "ring": dict, "crew": [int], "boss": dict}


def _many_teams(data: Contrary, _request: Request, body: Json, _who: int) -> None:
    for each in body["teams"]:
        _check(each, _TEAM_KINDS)
        data.teams[each["code"]] = {**_TEAM, "crew": [], "key": 900, **each}


def _join(data: Contrary, request: Request, body: Json, _who: int) -> None:
    _row(data, "teams", request.path_params["key"])["crew"].append(body["uid"])


def _leave(data: Contrary, request: Request, _body: Json, _who: int) -> None:
    _row(data, "teams", request.path_params["key"])["crew"].remove(int(request.query_params["uid"]))


def _order(data: Contrary, request: Request, body: Json, _who: int) -> None:
    team = _row(data, "teams", request.path_params["key"])
    if sorted(team["crew"]) != sorted(body["crew"]):
        raise Refused("other members")
    team["crew"] = body["crew"]


def _teach(data: Contrary, request: Request, body: Json, _who: int) -> None:
    talent = _row(data, "talents", request.path_params["key"])
    talent["who"] = [*several(talent["who"]), *({"uid": each} for each in body.get("all", [body.get("uid")]))]


def _unlearn(data: Contrary, request: Request, _body: Json, _who: int) -> None:
    talent = _row(data, "talents", request.path_params["key"])
    talent["who"] = [each for each in several(talent["who"]) if each["uid"] != int(request.path_params["uid"])]


def _move(data: Contrary, request: Request, body: Json, _who: int) -> None:
    _check(body["to"], {"uid": int, "name": str, "realm": str})
    _row(data, "talks", request.path_params["key"])["desk"] = body["to"]


def _answer(data: Contrary, request: Request, body: Json, _who: int) -> None:
    if body["do"] not in {"accept", "dismiss"}:
        raise Refused("do?")
    del data.tables["offers"][request.path_params["key"]]


def _seen(data: Contrary, _request: Request, body: Json, _who: int) -> None:
    for row in data.tables["missed"].values():
        if row["uid"] == body["uid"] and row["mid"] <= body["upto"]:
            row["seen"] = "1"


def _follow(data: Contrary, _request: Request, body: Json, _who: int) -> Any:
    _check(body, {"who": str, "everybody": [str]})
    wanted = body.get("everybody") or [body["who"]]
    data.followed += [each for each in wanted if each not in data.followed]
    rows = [data.tables["around"][each] for each in wanted if each in data.tables["around"]]
    return rows if "everybody" in body else {"data": rows[0]}


def _refollow(data: Contrary, _request: Request, body: Json, _who: int) -> Any:
    _check(body, {"found": [str], "followed": [str]})
    data.followed = body["followed"]
    return known(data)


def _end(data: Contrary, _request: Request, body: Json, _who: int) -> Any:
    _check(body, {"lid": int})
    row = _row(data, "logins", body["lid"])
    row["till"] = data.now - 1
    data.tell("/logins")
    return {"data": row}


def _card(data: Contrary, request: Request, body: Json, _who: int) -> Any:
    _check(body["card"], {"label": str, "no": str})
    book = _row(data, "phonebooks", request.path_params["key"])
    card = {"kid": 9000 + len(book["cards"]), **body["card"]}
    book["cards"].append(card)
    return {"book": book, "made": card}


def _unread(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
    book = _row(data, "phonebooks", request.path_params["key"])
    book["readers"] = [each for each in book["readers"] if each["uid"] != int(request.path_params["uid"])]
    return {"data": book}


def _plug(data: Contrary, _request: Request, body: Json, _who: int) -> Any:
    _check(body, {"for": str, "line": dict})
    data.tables["plugs"][body["for"]] = body
    return {"data": body["line"]}


_PERSON = {"realm": str, "level": str, "mail": str, "shown": str, "can": [str], "tz": str, "tongue": str}
_RECIPE = {"code": str, "headline": str, "words": str, "again": int, "gap": int | float, "lasts": int | float}

CHANGES: Mapping[tuple[str, str], Handler] = {
    ("PATCH", "/calls/{key}"): _edit("calls", "/calls", status=str, src=str, dst=str, place=str, ctx=dict),
    ("POST", "/calls/{key}/tape"): _done(_tape, "/calls", do=str, file=str),
    ("POST", "/calls/counters"): lambda _d, _r, body, _w: {"call": body["call"], "on": body["on"]},
    ("POST", "/sirens/act"): _act,
    ("POST", "/sirens"): _done(_send, "/sirens", recipe=str, no=str),
    ("POST", "/recipes"): _make("recipes", "code", "/sirens", **_RECIPE),
    ("PUT", "/recipes/{key}"): _edit("recipes", "/sirens", **_RECIPE),
    ("POST", "/recipes/{key}/hears"): _done(_hear, "/sirens", who=[int]),
    ("POST", "/teams"): _make("teams", "code", "/teams", {**_TEAM, "key": 900}, **_TEAM_KINDS),
    ("POST", "/teams/many"): _done(_many_teams, "/teams", teams=[dict]),
    ("PUT", "/teams/{key}"): _edit("teams", "/teams", **_TEAM_KINDS),
    ("POST", "/teams/{key}/crew"): _done(_join, "/teams", uid=int),
    ("DELETE", "/teams/{key}/crew"): _done(_leave, "/teams"),
    ("PUT", "/teams/{key}/crew"): _done(_order, "/teams", crew=[int]),
    ("PATCH", "/people/{key}"): _edit("people", "/people", **_PERSON),
    ("POST", "/talents/{key}/who"): _done(_teach, "/crew", uid=int, all=[int]),
    ("DELETE", "/talents/{key}/who/{uid}"): _done(_unlearn, "/crew"),
    ("POST", "/talks/{key}/move"): _done(_move, "/talks", to=dict),
    ("POST", "/offers/{key}"): _done(_answer, "/offers", do=str),
    ("POST", "/missed/seen"): _done(_seen, "/missed", uid=int, upto=int),
    ("POST", "/known"): _follow,
    ("POST", "/known/many"): _follow,
    ("PUT", "/known"): _refollow,
    ("PATCH", "/around/{key}"): _edit("around", "/around", doing=str, up=str, remark=str),
    ("POST", "/logins/end"): _end,
    ("POST", "/phonebooks/{key}/cards"): _card,
    ("DELETE", "/phonebooks/{key}/readers/{uid}"): _unread,
    ("PUT", "/plugs"): _plug,
}
