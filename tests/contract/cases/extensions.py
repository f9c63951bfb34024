"""What the contract does not have, and the embedded service offers: deliveries, and the list of missed calls."""

from __future__ import annotations

from typing import Any

from console.api.operations.extensions import (
    GetDelivery,
    ListDeliveries,
    ListMissedCalls,
    ListNotifications,
    RetryDelivery,
)
from console.records.meetings import MissedCallDetails
from console.records.support import SupportChat
from console.service.domain import agents, chats, deliveries, missed_calls, notifications, people
from console.service.domain.deliveries import DELIVERIES, Message, deliver
from tests.contract.case import Bad, Ground, case
from tests.service.transports import Quiet


def _deliveries(ground: Ground) -> tuple[str, ...]:
    with ground.platform.write() as tx:
        code = Message("sms", "+34600111444", "phone code", "ana", {"code": "12345678"}, 60_000)
        deliver(ground.platform, tx, [code, Message("push", "token-of-a-device", "push", "phone-1")])
        return tuple(each.id for each in DELIVERIES.records(tx, order=(DELIVERIES.c.mechanism.desc(),)))


def _list(ground: Ground) -> ListDeliveries:
    _deliveries(ground)
    return ListDeliveries(state="unsent", limit=5)


@case(ListDeliveries, asks=_list, not_for=("ana", "guest"), bad=(Bad({"state": "late"}), Bad({"limit": 0})))
def list_deliveries(ground: Ground, answer: Any) -> None:
    assert {each.mechanism: each.recipient for each in answer} == {"sms": "+34600111444", "push": "…vice"}
    assert {each.last_error for each in answer} == {"no transport"}
    assert "12345678" not in str(answer)


@case(
    GetDelivery,
    asks=lambda ground: GetDelivery(id=_deliveries(ground)[0]),
    not_for=("ana", "guest"),
    bad=(Bad({"id": "none"}, 404),),
)
def get_delivery(ground: Ground, answer: Any) -> None:
    assert (answer.secret, answer.text) == ("12345678", "Your code is ********. It is valid for 15 minutes.")


def _retry(ground: Ground) -> RetryDelivery:
    first = _deliveries(ground)[0]
    ground.platform.transports = {"sms": Quiet()}
    ground.stack.callback(setattr, ground.platform, "transports", {})
    return RetryDelivery(id=first)


@case(RetryDelivery, asks=_retry, not_for=("ana", "guest"), bad=(Bad({"id": "none"}, 404),))
def retry(ground: Ground, answer: Any) -> None:
    assert answer.message == "OK"
    (due,) = deliveries.due(ground.platform, {"sms"}, 5)
    assert due.message.content == {"code": "12345678"}


def _offer(ground: Ground) -> ListNotifications:
    """Ask for a chat of a skill whose only agent is not free."""
    agents.create_skill(ground.platform, "chess", ("carla",))
    with ground.platform.write() as tx:
        pat = chats.participant(people.need_user(tx, "pat"))
        chat = SupportChat(chat_id="offered", context={"skill": "chess"}, participants=(pat,))
        chats.CHATS.put(tx, chat, began=tx.now)
        notifications.notify(tx, chats.offer(chat, tx.now), ["carla"])
    return ListNotifications()


@case(ListNotifications, by="carla", asks=_offer, not_for=())
def list_notifications(ground: Ground, answer: Any) -> None:
    (offer,) = (each for each in answer if each.kind == "chat")
    assert (offer.id, offer.title, offer.from_user) == ("offered", "chess", "pat")


def _unread(ground: Ground) -> ListMissedCalls:
    made = [
        missed_calls.register(ground.platform, user, source, MissedCallDetails())
        for user, source in (("bob", "+34911000111"), ("carla", "+34911000112"), ("bob", "svc-user:ana"))
    ]
    ground.notes["made"] = [each.id for each in made]
    missed_calls.mark_read(ground.platform, "bob", made[0].id)
    return ListMissedCalls(unread=True, limit=5)


@case(ListMissedCalls, by="bob", asks=_unread, not_for=("guest",), bad=(Bad({"limit": 0}), Bad({"unread": "soon"})))
def list_missed_calls(ground: Ground, answer: Any) -> None:
    first, others, last = ground.notes["made"]
    assert [(each.id, each.user_id, each.from_, each.read) for each in answer] == [
        (last, "bob", "svc-user:ana", False)
    ], f"neither {first}, which was read, nor {others}, which is of somebody else"
