"""What the actions on SIP identities offer and undo while the mappings are not known."""

from __future__ import annotations

from console.api.operations.sip import DeleteSipMapping, NewSipCredential, SetSipMapping
from console.base.frozen import replace
from console.commands.action import ChoiceAsk
from console.kinds.actions import by_id
from console.kinds.sip_identities.actions import INVERSES
from console.records.extent import Extent
from console.records.sip import SipCredential, SipIdentity, SipMapping
from tests.kinds.action_world import situation

IDENTITY = SipIdentity(id="i", username="sip-1", available=True, domain="desk.example")
OTHER = SipMapping(owner="svc-user:u-eve", mapping=SipCredential(username="sip-2"))
KNOWN = situation().with_records("sip-identities", (IDENTITY,)).with_records("sip-mappings", (OTHER,))


def first_ones(kind: str) -> Extent:
    return Extent.PART if kind == "sip-mappings" else Extent.WHOLE


PART = replace(KNOWN, render=replace(KNOWN.render, extent=first_ones))


def test_owners_are_not_offered_as_free_while_their_mappings_may_not_be_listed() -> None:
    action = by_id("sip.assign")
    assert action.asks is not None
    for at, said in ((KNOWN, False), (PART, True)):
        asks = action.asks(at, (IDENTITY,))
        assert not callable(asks)
        (ask,) = asks
        assert isinstance(ask, ChoiceAsk)
        notes = [choice.note for choice in ask.choices]
        assert notes
        assert all((note is not None and "identity unknown" in note) is said for note in notes)


def test_a_mapping_that_may_replace_another_is_not_undone_by_its_deletion() -> None:
    request = SetSipMapping(owner_uri="svc-user:u-dan", credential=NewSipCredential(username="sip-1"))
    assert INVERSES[SetSipMapping](KNOWN, request) == (DeleteSipMapping(owner_uri="svc-user:u-dan"),)
    assert INVERSES[SetSipMapping](PART, request) == ()
