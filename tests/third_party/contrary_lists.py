"""The reading operations of the contrary deployment: where each list is, and the many forms of its pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.third_party.contrary_data import Contrary
from tests.third_party.contrary_words import Json

MOST = 100
"""Most rows of a page."""
Handler = Callable[[Contrary, Request, Json, int], Any]
"""Answers a request: the data, the request, its body without the envelope, and the caller's id."""


def error(text: str, status: int = 400) -> Response:
    """Return a refusal in the form of the deployment."""
    return JSONResponse({"error": {"text": text}}, status)


def _too_large(size: int) -> Response | None:
    return error(f"most must not be greater than {MOST}") if size > MOST else None


def _all(table: str, *, without_nulls: bool = False) -> Callable[[Contrary], list[Json]]:
    def rows(data: Contrary) -> list[Json]:
        found = list(data.tables[table].values())
        if not without_nulls:
            return found
        return [{name: value for name, value in each.items() if value is not None} for each in found]

    return rows


def _within(*path: str, table: str) -> Handler:
    """List a table as an array at a path of members."""

    def answer(data: Contrary, _request: Request, _body: Json, _who: int) -> Any:
        found: Any = _all(table)(data)
        for name in reversed(path):
            found = {"ok": True, name: found}
        return found

    return answer


def _by_url(table: str) -> Handler:
    """List by an offset, with the URL of the next page in the answer."""

    def answer(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
        size, start = int(request.query_params.get("most", 20)), int(request.query_params.get("from", 0))
        rows = _all(table)(data)
        more = start + size < len(rows)
        following = f"{request.url.path}?most={size}&from={start + size}" if more else None
        return _too_large(size) or {table: rows[start : start + size], "links": {"next": following}}

    return answer


def _by_link(table: str) -> Handler:
    """List two rows a page, with the next page in the header Link."""

    def answer(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
        size, start = int(request.query_params.get("most", 2)), int(request.query_params.get("after", 0))
        if (wrong := _too_large(size)) is not None:
            return wrong
        rows = _all(table)(data)
        link = f'<{request.url.path}?after={start + 2}>; rel="next"' if start + 2 < len(rows) else ""
        return JSONResponse(rows[start : start + 2], headers={"Link": link} if link else {})

    return answer


def _by_number(table: str, size: int, name: str = "p") -> Handler:
    """List by the number of the page, with the total in a header."""

    def answer(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
        page = int(request.query_params.get(name, 1))
        rows = _all(table)(data)
        return JSONResponse(rows[(page - 1) * size : page * size], headers={"X-Total": str(len(rows))})

    return answer


def _by_cursor(table: str) -> Handler:
    """List two rows a page, with a cursor in the answer."""

    def answer(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
        size, mark = int(request.query_params.get("most", 2)), request.query_params.get("mark", "")
        start = int(mark.removeprefix("at-") or 0)
        rows = _all(table)(data)
        more = f"at-{start + 2}" if start + 2 < len(rows) else ""
        return _too_large(size) or {"list": rows[start : start + 2], "more": more}

    return answer


def _query(data: Contrary, _request: Request, body: Json, _who: int) -> Any:
    """List what the body names, by an offset in the body."""
    size, start = int(body.get("most", 20)), int(body.get("skip", 0))
    if body.get("what") not in {"calls", "alarms", "tapes", "outbox"}:
        return error("what?")
    found = _all(body["what"], without_nulls=body["what"] == "calls")(data)
    return _too_large(size) or {"result": {"items": found[start : start + size], "count": len(found)}}


def one(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
    """Return one row of a list."""
    rows = data.tables.get(request.path_params["list"], {})
    found = rows.get(request.path_params["key"])
    return {"data": found} if found is not None else error("no such row", 404)


def _me(data: Contrary, _request: Request, _body: Json, who: int) -> Any:
    return {"result": {"person": data.people[who]}}


def _tokens(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
    names = {each["login"]["name"]: uid for uid, each in data.people.items()}
    owner = names.get(request.query_params.get("name", ""))
    if owner is None:
        return error("no such name", 404)
    rows = [each for each in data.tables["tokens"].values() if each["uid"] == owner]
    return {
        kind: [each for each in rows if each["fresh"] is fresh]
        for kind, fresh in (("access", False), ("refresh", True))
    }


def _rights(data: Contrary, _request: Request, _body: Json, _who: int) -> Any:
    return {"rights": data.rights}


def _cloud(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
    found = data.cloud.get(request.path_params["name"])
    return {"data": found} if found is not None else error("no such realm", 404)


def _counters(data: Contrary, request: Request, _body: Json, _who: int) -> Any:
    found = data.tables["counters"].get(request.path_params["cid"])
    return {"data": found} if found is not None else error("nothing was counted", 404)


def known(data: Contrary) -> Json:
    """Return the users that are known by address, and the followed addresses."""
    found = [{**data.people[int(each.removeprefix("wac-user:"))], "trunk": "line-1"} for each in data.followed]
    return {"found": found, "followed": data.followed}


def _known(data: Contrary, _request: Request, _body: Json, _who: int) -> Any:
    return known(data)


def _health(_data: Contrary, _request: Request, _body: Json, _who: int) -> Any:
    return {
        "people": [1, 2, 3],
        "calls": [1, 4],
        "counts": {"boot": "230", "q": 15, "half": 30, "hour": 60, "all": 999},
        "up": 90_061_000,
        "mem": {"res": 412_000_000, "heap": "200", "used": 50},
    }


LISTS: Mapping[tuple[str, str], Handler] = {
    ("GET", "/me"): _me,
    ("GET", "/people"): _by_url("people"),
    ("POST", "/query"): _query,
    ("GET", "/rooms"): _by_number("rooms", 3),
    ("GET", "/teams"): _by_link("teams"),
    ("GET", "/sirens"): _within("items", table="sirens"),
    ("GET", "/recipes"): _within("recipes", table="recipes"),
    ("GET", "/crew"): _within("crew", table="crew"),
    ("GET", "/talents"): _within("result", "talents", table="talents"),
    ("GET", "/talks"): _within("result", "talks", table="talks"),
    ("GET", "/around"): _within(table="around"),
    ("GET", "/logins"): _within("logins", "list", table="logins"),
    ("GET", "/realms"): _within("data", table="realms"),
    ("GET", "/cards"): _within("data", table="cards"),
    ("GET", "/own-cards"): _within("data", table="own-cards"),
    ("GET", "/house-cards"): _within("data", table="house-cards"),
    ("GET", "/books"): _within("data", table="books"),
    ("GET", "/phonebooks"): _by_cursor("phonebooks"),
    ("GET", "/keys"): _within("data", table="keys"),
    ("GET", "/apps"): _within(table="apps"),
    ("GET", "/tokens"): _tokens,
    ("GET", "/rights"): _rights,
    ("GET", "/prefs"): _within("data", table="prefs"),
    ("GET", "/realms/{name}/cloud"): _cloud,
    ("GET", "/meetings"): _within("data", table="meetings"),
    ("GET", "/calls/{cid}/numbers"): _counters,
    ("GET", "/lines"): _within("data", table="lines"),
    ("GET", "/plugs"): _by_number("plugs", 1),
    ("GET", "/known"): _known,
    ("GET", "/pipes"): _within("data", table="pipes"),
    ("GET", "/missed"): _within("data", table="missed"),
    ("GET", "/offers"): _within("data", table="offers"),
    ("GET", "/health"): _health,
    ("GET", "/one/{list}/{key}"): one,
}
STAFF_LISTS: Mapping[tuple[str, str], Handler] = {
    ("GET", "/staff"): _by_number("staff", 1, "page"),
    ("GET", "/staff/{realm}/{nick}"): lambda data, request, _body, _who: next(
        (row for row in data.tables["staff"].values() if row["nick"] == request.path_params["nick"]),
        error("no such person", 404),
    ),
    ("GET", "/estates"): _within("data", table="estates"),
    ("GET", "/labels"): lambda data, request, _body, _who: {
        "items": list(data.tables["labels"].values())[2 * (int(request.query_params.get("page", 1)) - 1) :][:2],
        "count": str(len(data.tables["labels"])),
    },
}
"""The lists of the provisioning service."""
