"""Extensions of the embedded service that the contract does not have: deliveries, and the list of missed calls."""

from __future__ import annotations

from console.api.operations import extensions as ops
from console.records.meetings import MissedCallDetails
from console.records.support import SupportChat
from console.service.domain import agents, chats, deliveries, missed_calls, notifications, people
from console.service.domain.deliveries import DELIVERIES, deliver
from console.service.transports.message import Message
from tests.contract.case import CaseSetup, Steps, case
from tests.service.transports import Stuck


def _deliveries(setup: CaseSetup) -> tuple[str, ...]:
    with setup.platform.write() as tx:
        code = Message("sms", "+34600111444", "phone code", "ana", {"code": "12345678"}, 60_000)
        deliver(setup.platform, tx, [code, Message("push", "token-of-a-device", "push", "phone-1")])
        return tuple(each.id for each in DELIVERIES.records(tx, order=(DELIVERIES.c.mechanism.desc(),)))


@case(ops.ListDeliveries, bad={400: {"state": ["late"], "limit": [0]}})
def list_deliveries(setup: CaseSetup) -> Steps:
    _deliveries(setup)
    answer = yield ops.ListDeliveries(state="unsent", limit=5)
    assert {each.mechanism: each.recipient for each in answer} == {"sms": "+34600111444", "push": "…vice"}
    assert {each.last_error for each in answer} == {"no transport"}
    assert "12345678" not in str(answer)


@case(ops.GetDelivery, bad={404: {"id": ["none"]}})
def get_delivery(setup: CaseSetup) -> Steps:
    answer = yield ops.GetDelivery(id=_deliveries(setup)[0])
    assert (answer.secret, answer.text) == ("12345678", "Your code is ********. It is valid for 15 minutes.")


@case(ops.RetryDelivery, bad={404: {"id": ["none"]}})
def retry(setup: CaseSetup) -> Steps:
    first = _deliveries(setup)[0]
    setup.platform.transports = {"sms": Stuck()}
    setup.stack.callback(setattr, setup.platform, "transports", {})
    answer = yield ops.RetryDelivery(id=first)
    assert answer.message == "OK"
    (due,) = deliveries.due_messages(setup.platform, {"sms"}, 5)
    assert due.message.content == {"code": "12345678"}


@case(ops.ListNotifications, by="carla")
def list_notifications(setup: CaseSetup) -> Steps:
    # Request a chat of a skill whose only agent is not free.
    agents.create_skill(setup.platform, "chess", ("carla",))
    with setup.platform.write() as tx:
        pat = chats.participant(people.need_user(tx, "pat"))
        chat = SupportChat(chat_id="offered", context={"skill": "chess"}, participants=(pat,))
        chats.CHATS.put(tx, chat, began=tx.now)
        notifications.notify(tx, chats.OFFER, [(chats.offer(chat, tx.now), ["carla"])])
    answer = yield ops.ListNotifications()
    (offer,) = (each for each in answer if each.kind == "chat")
    assert (offer.id, offer.title, offer.from_user) == ("offered", "chess", "pat")


@case(ops.ListMissedCalls, by="bob", bad={400: {"limit": [0], "unread": ["soon"]}})
def list_missed_calls(setup: CaseSetup) -> Steps:
    made = [
        missed_calls.register(setup.platform, user, source, MissedCallDetails())
        for user, source in (("bob", "+34911000111"), ("carla", "+34911000112"), ("bob", "svc-user:ana"))
    ]
    missed_calls.mark_read(setup.platform, "bob", made[0].id)
    answer = yield ops.ListMissedCalls(unread=True, limit=5)
    first, others, last = (each.id for each in made)
    assert [(each.id, each.user_id, each.from_, each.read) for each in answer] == [
        (last, "bob", "svc-user:ana", False)
    ], f"neither {first}, which was read, nor {others}, which is of somebody else"
