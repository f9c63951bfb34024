"""Agents, skills and support chats over HTTP."""

from __future__ import annotations

from typing import Any

from console.service.domain.agents import MOST_CHATS
from tests.service.over_http import data
from tests.service.worlds.conftest import World


def _agents(world: World) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in data(world["eva"].get("/agents"))["agents"]}


def _chats_of(agent: dict[str, Any]) -> list[str]:
    return [each["chatId"] for each in agent["channels"]["chat"]]


def test_agents_list_their_own_chats_oldest_first(busy: World) -> None:
    for name, number in (("ana", 3), ("bob", 2), ("eva", 0)):
        own = data(busy[name].get("/support-chats"))["chats"]
        assert len(own) == number
        assert all(each["agent"]["id"] == name for each in own)
        if name != "eva":
            assert {each["chatId"] for each in own} == set(_chats_of(_agents(busy)[name]))


def test_the_assigner_gives_a_chat_to_the_free_agent_with_the_least_work(busy: World) -> None:
    for name in ("ana", "bob", "carla"):
        data(busy[name].put(f"/presence/svc-user:{name}", json={"activity": "available"}))
    data(busy["eva"].post("/skills", json={"skill": "chess", "agents": ["ana", "bob", "carla"]}))
    agents = _agents(busy)
    load = {name: sum(len(each) for each in agents[name]["channels"].values()) for name in ("ana", "bob", "carla")}
    least = min(load, key=lambda name: (load[name], name))
    head = busy.head()
    answer = busy["pat"].post(
        "/support-chats", json={"id": "c-1", "context": {"skill": "chess", "subject": "Castling"}}
    )
    assert answer.status_code == 200
    assert set(answer.json()) == {"message"}
    own = data(busy["pat"].get("/support-chats"))["chats"]
    assert [(each["chatId"], each["agent"]["id"]) for each in own] == [("c-1", least)]
    assert own[0]["context"] == {"skill": "chess", "subject": "Castling"}
    assert _chats_of(_agents(busy)[least])[-1] == "c-1"
    assert {each.key for each in busy.events("agents", head)} == {least}


def test_a_guest_can_request_a_chat(busy: World) -> None:
    data(busy["guest"].post("/support-chats", json={"id": "from-guest"}))
    assert len(data(busy["guest"].get("/support-chats"))["chats"]) == 1


def test_a_chat_without_an_available_agent_waits_for_one(busy: World) -> None:
    data(busy["ana"].put("/presence/svc-user:ana", json={"activity": "away"}))
    data(busy["eva"].post("/skills", json={"skill": "chess", "agents": ["ana"]}))
    answer = data(busy["pat"].post("/support-chats", json={"id": "c-1", "context": {"skill": "chess"}}))
    assert "waits" in answer["message"]
    assert "agent" not in data(busy["pat"].get("/support-chats"))["chats"][0]
    data(busy["ana"].put("/presence/svc-user:ana", json={"activity": "available"}))
    assert data(busy["pat"].get("/support-chats"))["chats"][0]["agent"]["id"] == "ana"
    assert busy["ana"].post("/notifications/c-1/resolve", json={"action": "accept"}).status_code == 404


def test_a_missed_offer_is_accepted_by_the_first_agent(busy: World) -> None:
    for name in ("ana", "bob"):
        data(busy[name].put(f"/presence/svc-user:{name}", json={"activity": "away"}))
    data(busy["eva"].post("/skills", json={"skill": "chess", "agents": ["ana", "bob"]}))
    data(busy["pat"].post("/support-chats", json={"id": "c-1", "context": {"skill": "chess"}}))
    assert busy["carla"].post("/notifications/c-1/resolve", json={"action": "accept"}).status_code == 404
    assert busy["ana"].post("/notifications/c-1/resolve", json={"action": "eat"}).status_code == 400
    assert data(busy["ana"].post("/notifications/c-1/resolve", json={"action": "dismiss"})) == "OK"
    assert busy["ana"].post("/notifications/c-1/resolve", json={"action": "accept"}).status_code == 404
    data(busy["bob"].post("/notifications/c-1/resolve", json={"action": "accept"}))
    assert "c-1" in _chats_of(_agents(busy)["bob"])


def test_a_transferred_chat_moves_with_all_its_records(busy: World) -> None:
    chat = data(busy["ana"].get("/support-chats"))["chats"][0]
    head = busy.head()
    body = {"id": chat["chatId"], "destination": {"username": "carla", "domain": "desk.example"}}
    assert data(busy["ana"].post("/support-chats/transfer", json=body)) == {"message": "transferred"}
    agents = _agents(busy)
    assert chat["chatId"] not in _chats_of(agents["ana"])
    assert chat["chatId"] in _chats_of(agents["carla"])
    moved = next(
        each for each in data(busy["carla"].get("/support-chats"))["chats"] if each["chatId"] == chat["chatId"]
    )
    assert moved == chat | {"agent": {"id": "carla", "username": "carla", "domain": "desk.example"}}
    assert len(data(busy["ana"].get("/support-chats"))["chats"]) == 2
    assert {each.key for each in busy.events("agents", head)} == {"ana", "carla"}
    event = busy.events("chats", head)[-1]
    assert (event.key, event.before["agent"], event.after["agent"]) == (chat["chatId"], "ana", "carla")


def test_no_agent_is_given_more_chats_than_the_limit(busy: World) -> None:
    data(busy["eva"].post("/skills", json={"skill": "chess", "agents": ["ana"]}))
    for number in range(MOST_CHATS + 2):
        data(busy["pat"].post("/support-chats", json={"id": f"c-{number}", "context": {"skill": "chess"}}))
    assert len(_chats_of(_agents(busy)["ana"])) == MOST_CHATS
