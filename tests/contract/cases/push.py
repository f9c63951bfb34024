"""Push tokens, pushes, chat pushes and the log of clients (contract 4.8)."""

from __future__ import annotations

import sqlalchemy as sa

from console.api.operations import push as ops
from console.records.push import ChatPushNode
from console.service.domain import push
from console.service.domain.push import chat_push_nodes, push_tokens, remote_log
from tests.contract.case import CaseSetup, Steps, case
from tests.service.delivered import delivered

TOKEN = "token-of-the-device"


def _device(setup: CaseSetup) -> str:
    """Register a device of ana with two kinds of tokens."""
    ana = setup.caller("ana")
    push.register(setup.platform, ana, "phone-1", "voip", f"{TOKEN}-voip")
    push.register(setup.platform, ana, "phone-1", "fcm", TOKEN)
    return "phone-1"


def _node(setup: CaseSetup) -> ChatPushNode:
    return push.register_chat(setup.platform, setup.caller("ana"), TOKEN, "apns", "ana-chat")


def _tokens(setup: CaseSetup) -> list[tuple[str, ...]]:
    with setup.platform.read() as tx:
        columns = (push_tokens.c.user, push_tokens.c.device, push_tokens.c.type, push_tokens.c.token)
        registered = sa.select(*columns).where(push_tokens.c.token.startswith(TOKEN)).order_by(push_tokens.c.token)
        return [tuple(row) for row in tx.rows(registered)]


@case(
    ops.RegisterPushToken, by="bob", bad={400: {"deviceId": [""], "token": [None, "", "x" * 4097], "tokenType": [""]}}
)
def register(setup: CaseSetup) -> Steps:
    answer = yield ops.RegisterPushToken(device_id=_device(setup), token_type="fcm", token=TOKEN)
    assert answer.message == "No Content"
    assert _tokens(setup) == [("bob", "phone-1", "fcm", TOKEN), ("ana", "phone-1", "voip", f"{TOKEN}-voip")]


@case(
    ops.DeletePushTokens, by="ana", not_for=("bob", "guest"), bad={400: {"deviceId": [""]}, 404: {"deviceId": ["none"]}}
)
def forget_device(setup: CaseSetup) -> Steps:
    answer = yield ops.DeletePushTokens(device_id=_device(setup))
    assert answer.message == "No Content"
    assert _tokens(setup) == []


@case(
    ops.SendPush,
    not_for=("bob", "guest"),
    bad={400: {"tokenId": [""], "notification": [{"title": "x" * 20_000}]}, 404: {"tokenId": ["none"]}},
)
def send(setup: CaseSetup) -> Steps:
    _device(setup)
    answer = yield ops.SendPush(token_id=TOKEN, notification={"title": "Hello"})
    assert answer.message == "No Content"
    with setup.platform.read() as tx:
        (notice,) = delivered(setup.platform, tx, "phone-1")
    assert (notice.mechanism, notice.recipient) == ("push", TOKEN)
    assert notice.content == {"tokenType": "fcm", "notification": {"title": "Hello"}}


@case(ops.BuildChatPush, bad={400: {"node": [None], "sender": [""]}, 404: {"node": ["none"]}})
def build(setup: CaseSetup) -> Steps:
    answer = yield ops.BuildChatPush(
        node=_node(setup).node,
        sender="bob@desk.example",
        body="Are you there?",
        muc="night@rooms.desk.example",
        muc_name="Night shift",
        is_muc_invite=False,
    )
    assert answer.message == "OK"
    with setup.platform.read() as tx:
        (notice,) = delivered(setup.platform, tx, "ana-chat")
    assert (notice.mechanism, notice.recipient, notice.content["tokenType"]) == ("push", TOKEN, "apns")
    notification = notice.content["notification"]
    assert (notification["title"], notification["body"]) == ("bob@desk.example in Night shift", "Are you there?")
    assert notification["muc"] == "night@rooms.desk.example"


@case(
    ops.RegisterChatPush,
    by="bob",
    bad={400: {"node": [""], "token": [None], "tokenType": [""]}, 409: {"node": ["ana-chat"]}},
)
def register_chat(setup: CaseSetup) -> Steps:
    _node(setup)
    answer = yield ops.RegisterChatPush(token=TOKEN, token_type="apns", node="bob-chat")
    assert answer.node == "bob-chat"
    assert len(answer.secret) >= 24
    with setup.platform.read() as tx:
        row = tx.row(sa.select(chat_push_nodes).where(chat_push_nodes.c.node == "bob-chat"))
        assert row is not None
        assert (row.user, row.type, row.token) == ("bob", "apns", TOKEN)
        assert answer.secret not in row.secret


@case(
    ops.UnregisterChatPush,
    by="ana",
    not_for=("bob", "guest"),
    bad={400: {"node": [""]}, 404: {"node": ["none"], "tokenType": ["fcm"]}},
)
def unregister_chat(setup: CaseSetup) -> Steps:
    node = _node(setup)
    answer = yield ops.UnregisterChatPush(node=node.node, token_type="apns")
    assert (answer.node, answer.secret) == ("ana-chat", node.secret)
    with setup.platform.read() as tx:
        assert tx.row(sa.select(chat_push_nodes).where(chat_push_nodes.c.node == "ana-chat")) is None


@case(ops.LogRemotely, by="pat", bad={400: {"level": [""], "text": ["x" * 8193]}})
def log_remotely(setup: CaseSetup) -> Steps:
    answer = yield ops.LogRemotely(level="error", file="call.js:12", text="no microphone")
    assert answer.code == 200
    with setup.platform.read() as tx:
        (line,) = tx.rows(sa.select(remote_log))
    assert (line.level, line.file, line.text) == ("error", "call.js:12", "no microphone")
    assert (line.user, line.at) == ("pat", setup.clock.now_ms())
