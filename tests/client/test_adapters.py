"""A deployment's own code changes requests and answers where no key of the configuration can."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from console.api.errors import ApiError, BadAnswer, BadRequest, Forbidden
from console.api.operations.people import AddParticipant, GetGroup, ListGroups
from console.api.operations.sessions import IssueToken
from console.client.adapter import AdapterFault, find_adapter
from console.client.client import Client
from console.client.endpoint import Endpoint
from tests.client.canned import Canned
from tests.for_each import for_each

ROOT = Path(__file__).parents[2]
CORE = "http://halcyon.example/core"


@asynccontextmanager
async def client_with(
    folder: Path, code: str, answer: Callable[[httpx.Request], httpx.Response]
) -> AsyncGenerator[Client]:
    """Yield a client whose requests pass this code."""
    file = folder / "halcyon.py"
    file.write_text(code, encoding="utf-8")
    client = Client(Endpoint(CORE, adapter=file), transport=Canned(answer))
    client.sessions.token = "t-1"
    try:
        yield client
    finally:
        await client.close()


async def test_the_example_of_the_page_reaches_a_vendor_that_no_key_can_describe(tmp_path: Path):
    page = (ROOT / "docs" / "your-backend.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(async def request.*?)```", page, re.DOTALL)
    assert example is not None
    teams = {"night": {"groupId": "night", "revision": "7", "members": [{"kind": "user", "ref": "ana"}]}}
    empty = False

    def vendor(request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/core")
        body: Any = json.loads(request.content) if request.content else None
        match request.method, path:
            case "POST", "/oauth2/token":
                assert body == {"login": {"name": "eva", "secret": "pw"}}
                return httpx.Response(200, json={"access_token": "t-2", "token_type": "Bearer"})
            case "GET", "/groups":
                return httpx.Response(404) if empty else httpx.Response(200, json=[*teams.values()])
            case "GET", "/groups/night":
                assert request.headers["Authorization"] == "Bearer t-1"
                return httpx.Response(200, json=teams["night"])
            case "PATCH", "/groups/night/participants":
                if request.headers.get("If-Match") != "7":
                    return httpx.Response(412)
                teams["night"]["members"] += body["add"]
                return httpx.Response(204)
            case _:
                return httpx.Response(405)

    async with client_with(tmp_path, example[1], vendor) as client:
        assert [each.participants for each in await client.send(ListGroups())] == [("ana",)]
        await client.send(AddParticipant(group_id="night", target_user_id="bob"))
        assert [each.participants for each in await client.send(ListGroups())] == [("ana", "bob")]
        empty = True
        assert await client.send(ListGroups()) == ()
        token = await client.send(IssueToken(grant_type="password", username="eva", password="pw"))
        assert token.access_token == "t-2"


REQUEST = "def request(operation, request, read):\n"
ANSWER = "def answer(operation, answer):\n"


@for_each(
    "code, error, words",
    [
        (f"{REQUEST}    return request.nothing", BadRequest, "halcyon.py failed, line 2: AttributeError"),
        (f"async {REQUEST}    raise KeyError('team')", BadRequest, "halcyon.py failed, line 2: KeyError"),
        (f"{REQUEST}    pass", BadRequest, "returned no request"),
        (f"{REQUEST}    request.path = 'http://elsewhere.example'\n    return request", BadRequest, "with a path"),
        (f"{REQUEST}    request.body = {{1, 2}}\n    return request", BadRequest, "made no JSON"),
        (f"{ANSWER}    return {{}}['x']", BadAnswer, "halcyon.py failed, line 2: KeyError"),
        (f"{ANSWER}    pass", BadAnswer, "returned no answer"),
        (f"{ANSWER}    answer.body = float('nan')\n    return answer", BadAnswer, "made no JSON"),
        (f"async {REQUEST}    await read('/groups/secret')", Forbidden, ""),
    ],
    repr,
)
def test_a_fault_in_it_is_that_of_one_operation(code: str, error: type[ApiError], words: str, tmp_path: Path):
    import asyncio

    sent: list[str] = []

    def vendor(request: httpx.Request) -> httpx.Response:
        sent.append(request.url.path)
        return httpx.Response(403) if "secret" in request.url.path else httpx.Response(200, json={"groupId": "night"})

    async def ask() -> None:
        async with client_with(tmp_path, code, vendor) as client:
            with pytest.raises(error) as raised:
                await client.send(GetGroup(group_id="night"))
            assert words in str(raised.value)

    asyncio.run(ask())
    assert sent == (
        [] if error is BadRequest else ["/core/groups/secret" if error is Forbidden else "/core/groups/night"]
    )


async def test_what_is_no_json_comes_as_text_and_goes_on_as_it_came(tmp_path: Path):
    code = f"{ANSWER}    assert isinstance(answer.body, str)\n    return answer"
    page = httpx.Response(200, html="<html>a portal</html>")
    async with client_with(tmp_path, code, lambda _: page) as client:
        with pytest.raises(ApiError, match="not from the service"):
            await client.send(GetGroup(group_id="night"))
    code = f"{ANSWER}    answer.body = {{'groupId': answer.body.split('>')[1].split('<')[0]}}\n    return answer"
    xml = httpx.Response(200, headers={"Content-Type": "text/xml"}, content=b"<id>night</id>")
    async with client_with(tmp_path, code, lambda _: xml) as client:
        assert (await client.send(GetGroup(group_id="night"))).group_id == "night"


@for_each(
    "code, words",
    [
        ("", "neither a function request nor a function answer"),
        ("import nothing_of_this_name", "cannot be imported: ModuleNotFoundError"),
        ("def request(:", "cannot be imported: SyntaxError"),
        ("raise SystemError('no')", "cannot be imported: SystemError: no"),
    ],
)
def test_one_that_cannot_be_used_is_refused_with_words(code: str, words: str, tmp_path: Path):
    file = tmp_path / "halcyon.py"
    file.write_text(code)
    with pytest.raises(AdapterFault, match=re.escape(words)):
        find_adapter(file)


def test_one_that_is_not_installed_is_refused_with_words():
    with pytest.raises(AdapterFault, match="no adapter 'halcyon' is installed"):
        find_adapter(Path("halcyon"))
