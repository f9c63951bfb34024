"""Actions on sessions."""

from __future__ import annotations

import pytest

from console.api.operations.sessions import RevokeSession
from console.base.frozen import replace
from console.commands.guards import blocked
from console.kinds.actions import by_id
from console.kinds.consequences import consequence
from console.records.extent import Extent
from console.records.people import Session
from tests.kinds.action_world import (
    OWN_SESSION,
    SESSION,
    plan,
    requests,
    situation,
)


def test_sessions_are_ended() -> None:
    steps = plan("sessions.revoke", situation(), (SESSION, OWN_SESSION))
    assert requests(steps) == [RevokeSession(id="s-1"), RevokeSession(id="s-2")]
    assert [each.words for each in steps] == ["ended a session of Ana", "ended a session of Eva"]


def test_all_sessions_of_a_user_end_except_the_current_one() -> None:
    here = Session(id="s-3", user="u-eva")
    known = {each.id: each for each in (SESSION, OWN_SESSION, here)}
    at = replace(situation(sessions=tuple(known.values())), session_id="s-3")
    assert requests(plan("sessions.revoke-all", at, (OWN_SESSION,))) == [RevokeSession(id="s-2")]
    assert requests(plan("sessions.revoke-all", at, (SESSION,))) == [RevokeSession(id="s-1")]
    action = by_id("sessions.revoke-all")
    assert blocked(action, at, (here,)) is None
    said = consequence(at, action.plan(at, (here,), {})).warning
    assert said == "The session of Eva ends immediately. Your current session is kept."
    unknown = replace(at, session_id="")
    assert blocked(action, unknown, (here,)) == ("Your current session is unknown: end the sessions one by one.")
    alone = replace(situation(sessions=(here,)), session_id="s-3")
    assert blocked(action, alone, (here,)) == "This user has no other session."


@pytest.mark.parametrize("extent", [Extent.PART, Extent.UNKNOWN])
def test_all_sessions_of_a_user_are_only_those_that_are_listed(extent: Extent) -> None:
    further = Session(id="s-9", user=SESSION.user)
    at = situation(sessions=(SESSION, further, OWN_SESSION))

    def known(_kind: str) -> Extent:
        return extent

    at = replace(at, render=replace(at.render, extent=known))

    def told(action: str) -> str | None:
        return consequence(at, plan(action, at, (SESSION,))).warning

    assert told("sessions.revoke-all") == "2 sessions of Ana end immediately. Sessions that are not listed go on."
    assert told("sessions.revoke") == "The session of Ana ends immediately."
