"""Push tokens, pushes, chat pushes and the log of clients (contract 4.8)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.api.operations import push as ops
from console.service.domain import push
from console.service.domain.push import chat_push_nodes, push_tokens, remote_log
from tests.contract.case import CaseSetup, case
from tests.service.delivered import delivered

TOKEN = "token-of-the-device"


def _device(setup: CaseSetup) -> str:
    """Register a device of ana with two kinds of tokens."""
    ana = setup.caller("ana")
    push.register(setup.platform, ana, "phone-1", "voip", f"{TOKEN}-voip")
    push.register(setup.platform, ana, "phone-1", "fcm", TOKEN)
    return "phone-1"


def _node(setup: CaseSetup) -> str:
    found = push.register_chat(setup.platform, setup.caller("ana"), TOKEN, "apns", "ana-chat")
    setup.notes["secret"] = found.secret
    return found.node or ""


def _tokens(setup: CaseSetup) -> list[tuple[str, ...]]:
    with setup.platform.read() as tx:
        columns = (push_tokens.c.user, push_tokens.c.device, push_tokens.c.type, push_tokens.c.token)
        registered = sa.select(*columns).where(push_tokens.c.token.startswith(TOKEN)).order_by(push_tokens.c.token)
        return [tuple(row) for row in tx.rows(registered)]


@case(
    ops.RegisterPushToken,
    by="bob",
    asks=lambda setup: ops.RegisterPushToken(device_id=_device(setup), token_type="fcm", token=TOKEN),
    bad={400: {"deviceId": [""], "token": [None, "", 3, "x" * 4097], "tokenType": [""]}},
)
def register(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _tokens(setup) == [("bob", "phone-1", "fcm", TOKEN), ("ana", "phone-1", "voip", f"{TOKEN}-voip")]


@case(
    ops.DeletePushTokens,
    by="ana",
    asks=lambda setup: ops.DeletePushTokens(device_id=_device(setup)),
    not_for=("bob", "guest"),
    bad={400: {"deviceId": ["", 3]}, 404: {"deviceId": ["none"]}},
)
def forget_device(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    assert _tokens(setup) == []


def _asks_send(setup: CaseSetup) -> ops.SendPush:
    _device(setup)
    return ops.SendPush(token_id=TOKEN, notification={"title": "Hello"})


@case(
    ops.SendPush,
    asks=_asks_send,
    not_for=("bob", "guest"),
    bad={400: {"tokenId": ["", 3], "notification": ["Hello", {"title": "x" * 20_000}]}, 404: {"tokenId": ["none"]}},
)
def send(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "No Content"
    with setup.platform.read() as tx:
        (notice,) = delivered(setup.platform, tx, "phone-1")
    assert (notice.mechanism, notice.recipient) == ("push", TOKEN)
    assert notice.content == {"tokenType": "fcm", "notification": {"title": "Hello"}}


def _asks_build(setup: CaseSetup) -> ops.BuildChatPush:
    return ops.BuildChatPush(
        node=_node(setup),
        sender="bob@desk.example",
        body="Are you there?",
        muc="night@rooms.desk.example",
        muc_name="Night shift",
        is_muc_invite=False,
    )


@case(
    ops.BuildChatPush,
    asks=_asks_build,
    bad={
        400: {
            "node": [None],
            "sender": [""],
            f"{{{ops.CHAT_PUSH_NAMESPACE}}}is-muc-invite": ["perhaps"],
            f"{{{ops.CHAT_PUSH_NAMESPACE}}}muc-name": [3],
        },
        404: {"node": ["none"]},
    },
)
def build(setup: CaseSetup, answer: Any) -> None:
    assert answer.message == "OK"
    with setup.platform.read() as tx:
        (notice,) = delivered(setup.platform, tx, "ana-chat")
    assert (notice.mechanism, notice.recipient, notice.content["tokenType"]) == ("push", TOKEN, "apns")
    notification = notice.content["notification"]
    assert (notification["title"], notification["body"]) == ("bob@desk.example in Night shift", "Are you there?")
    assert notification["muc"] == "night@rooms.desk.example"


def _asks_register_chat(setup: CaseSetup) -> ops.RegisterChatPush:
    _node(setup)
    return ops.RegisterChatPush(token=TOKEN, token_type="apns", node="bob-chat")


@case(
    ops.RegisterChatPush,
    by="bob",
    asks=_asks_register_chat,
    bad={400: {"node": [""], "token": [None], "tokenType": [""]}, 409: {"node": ["ana-chat"]}},
)
def register_chat(setup: CaseSetup, answer: Any) -> None:
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
    asks=lambda setup: ops.UnregisterChatPush(node=_node(setup), token_type="apns"),
    not_for=("bob", "guest"),
    bad={400: {"node": [3, ""]}, 404: {"node": ["none"], "tokenType": ["fcm"]}},
)
def unregister_chat(setup: CaseSetup, answer: Any) -> None:
    assert (answer.node, answer.secret) == ("ana-chat", setup.notes["secret"])
    with setup.platform.read() as tx:
        assert tx.row(sa.select(chat_push_nodes).where(chat_push_nodes.c.node == "ana-chat")) is None


@case(
    ops.LogRemotely,
    by="pat",
    asks=lambda _: ops.LogRemotely(level="error", file="call.js:12", text="no microphone"),
    bad={400: {"level": ["", 3], "text": [3, "x" * 8193], "file": [3]}},
)
def log_remotely(setup: CaseSetup, answer: Any) -> None:
    assert answer.code == 200
    with setup.platform.read() as tx:
        (line,) = tx.rows(sa.select(remote_log))
    assert (line.level, line.file, line.text) == ("error", "call.js:12", "no microphone")
    assert (line.user, line.at) == ("pat", setup.clock.now_ms())
