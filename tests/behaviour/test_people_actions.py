"""Every action on agents, skills, chats, presence, users and sessions: key, dialogs, database, undo."""

from __future__ import annotations

import re

import pytest
from textual.widgets import TextArea

from console.records.people import AGENT_CAPABILITY, User
from console.records.support import Agent
from console.service.domain import presence
from console.service.domain.agents import AGENTS, SKILLS
from console.service.domain.chats import CHATS
from console.service.domain.presence import followers_of
from console.service.domain.sessions import SESSIONS, create
from console.ui.screens.console_screen import ConsoleScreen
from tests.behaviour.driver import Seat
from tests.behaviour.pressing import presses
from tests.behaviour.service_base import Base, fresh

pytestmark = pytest.mark.asyncio(loop_scope="module")


# -- skills ----------------------------------------------------------------------------------------------------------


@presses("agents.give-skill", undone=True)
async def test_several_agents_get_a_skill_and_lose_it_again(eva: Seat, base: Base) -> None:
    skill = base.skill("ana").skill
    await eva.look_at("agents", "ana")
    await eva.press("space")
    await eva.until(lambda: skill in eva.backend.records("skills"))
    other = eva.cursor
    await eva.press("space", "plus")
    await eva.dialog()
    await eva.sees("Add a skill to 2 agents")
    await eva.type(skill)
    await eva.confirm("enter", does="agents.give-skill")
    assert base.stored(SKILLS, skill)["agents"] == ["ana", other]
    await eva.undo()
    assert base.stored(SKILLS, skill)["agents"] == ["ana"]


@presses("agents.take-skill", undone=True)
async def test_an_agent_loses_a_skill_and_gets_it_back(eva: Seat, base: Base) -> None:
    skill = base.skill("ana", "bob").skill
    await eva.until(lambda: skill in eva.backend.records("skills"))
    await eva.look_at("agents", "bob")
    await eva.open_dialog("minus")
    await eva.type(skill)
    await eva.confirm("enter", does="agents.take-skill")
    assert base.stored(SKILLS, skill)["agents"] == ["ana"]
    await eva.undo()
    assert set(base.stored(SKILLS, skill)["agents"]) == {"ana", "bob"}


@presses("skills.attach", undone=True)
async def test_a_skill_is_assigned_to_selected_agents(eva: Seat, base: Base) -> None:
    skill = base.skill("ana").skill
    await eva.look_at("skills", skill)
    await eva.open_dialog("plus")
    await eva.type("whitaker")
    await eva.press("tab", "ctrl+u")
    await eva.type("figueiredo")
    await eva.press("tab")
    await eva.confirm("enter", does="skills.attach")
    assert set(base.stored(SKILLS, skill)["agents"]) == {"ana", "bob", "carla"}
    await eva.undo()
    assert base.stored(SKILLS, skill)["agents"] == ["ana"]


@presses("skills.detach", undone=True)
async def test_a_skill_is_removed_from_an_agent(eva: Seat, base: Base) -> None:
    skill = base.skill("ana", "bob").skill
    await eva.look_at("skills", skill)
    await eva.open_dialog("minus")
    await eva.type("ana b")
    await eva.confirm("enter", does="skills.detach")
    assert base.stored(SKILLS, skill)["agents"] == ["bob"]
    await eva.undo()
    assert set(base.stored(SKILLS, skill)["agents"]) == {"ana", "bob"}


@presses("skills.create")
async def test_a_skill_is_created_once(eva: Seat, base: Base) -> None:
    skill, there = fresh("made"), base.skill().skill
    await eva.look_at("skills", there)
    await eva.open_dialog("n")
    await eva.type(there)
    await eva.sees(f"Skill {there} already exists.")
    await eva.press("enter", "ctrl+u")
    await eva.type(skill)
    await eva.confirm("enter", does="skills.create")
    assert base.stored(SKILLS, skill)["agents"] == []


@presses("users.make-agent", undone=True)
async def test_a_user_becomes_an_agent_and_a_plain_user_again(eva: Seat, base: Base) -> None:
    user = base.newcomer()
    await eva.until(lambda: user in eva.backend.records("users"))
    await eva.look_at("users", user)
    await eva.press("plus")
    await eva.done("users.make-agent")
    assert base.stored(AGENTS, user)["id"] == user
    await eva.undo()
    assert base.lookup(AGENTS, user) is None
    assert AGENT_CAPABILITY not in base.user(user).capabilities


@presses("users.make-plain", undone=True)
async def test_agents_become_plain_users_and_undo_restores_their_skills(eva: Seat, base: Base) -> None:
    people = [base.new_agent(), base.new_agent()]
    skill = base.skill(*people).skill
    await eva.until(
        lambda: skill in eva.backend.records("skills") and set(people) <= eva.backend.records("users").keys()
    )
    await eva.until(lambda: all(AGENT_CAPABILITY in eva.known("users", each, User).capabilities for each in people))
    await eva.look_at("users", filter_text=" ".join(["id:" + ",".join(people)]))
    await eva.until(lambda: set(eva.shown) == set(people))
    await eva.press("asterisk", "minus")
    await eva.done("users.make-plain")
    for each in people:
        assert base.lookup(AGENTS, each) is None
        assert not base.skills_of(each)
    await eva.undo()
    for each in people:
        assert base.stored(AGENTS, each)["id"] == each
        assert base.skills_of(each) == {skill}


# -- chats -----------------------------------------------------------------------------------------------------------


async def test_selecting_chats_takes_only_own_ones_and_counts_the_skipped(ana: Seat, base: Base) -> None:
    own, other = base.chat("ana"), base.chat("bob")
    # The subject of somebody else's chat is not visible, its participants are.
    await ana.look_at("chats", filter_text="Llorente")
    await ana.until(lambda: {own, other} <= set(ana.shown))
    await ana.press("asterisk")
    await ana.sees("skipped: Only its agent")
    assert own in ana.marked
    assert other not in ana.marked
    await ana.press("escape")


@presses("agents.transfer")
async def test_a_supervisor_transfers_all_chats_of_an_agent(eva: Seat, base: Base) -> None:
    chats = [base.chat("ana"), base.chat("ana")]
    await eva.until(lambda: set(chats) <= {each.chat_id for each in eva.known("agents", "ana", Agent).channels.chat})
    await eva.look_at("agents", "ana")
    await eva.open_dialog("t")
    await eva.sees("Chats of Ana Belmonte")
    await eva.press("enter")
    await eva.sees("Transfer")
    await eva.dialog()
    await eva.type("whitaker")
    await eva.confirm("enter")
    await eva.confirm("enter", does="agents.transfer")
    assert {base.stored(CHATS, each)["agent"]["id"] for each in chats} == {"bob"}


@presses("chats.start")
async def test_a_chat_is_requested_with_a_subject(eva: Seat, base: Base) -> None:
    request = fresh("asked")
    await eva.look_at("chats")
    await eva.open_dialog("n")
    await eva.type("support")
    await eva.press("enter")
    await eva.sees("Request a support chat with this id")
    await eva.dialog()
    await eva.press("ctrl+u")
    await eva.type(request)
    await eva.confirm("enter", does="chats.start")
    assert base.stored(CHATS, request)["context"] == {"skill": "support"}


# -- presence --------------------------------------------------------------------------------------------------------


@presses("presence.follow", undone=True)
async def test_pasted_addresses_and_names_are_followed(ana: Seat, base: Base) -> None:
    await ana.look_at("presence")
    await ana.until(lambda: ana.backend.records("users"))
    first, second = sorted(ana.backend.records("users").keys() & {f"u{number}" for number in range(1200, 1250)})[:2]
    await ana.press("F")
    await ana.paste(f"{first}\nsip:door@desk.example\nnobody")
    await ana.dialog()
    await ana.sees("nobody  unknown")
    await ana.sees("sip:door@desk.example  an address")
    await ana.press("escape")
    await ana.no_dialog()
    await ana.press("F")
    await ana.paste(f"{first}\n{second}")
    await ana.confirm("ctrl+y", does="presence.follow")
    assert follows(base, "ana", first, second) == [True, True]
    await ana.undo()
    assert follows(base, "ana", first, second) == [False, False]


async def test_the_form_of_whom_to_follow_begins_with_the_user_under_the_cursor_or_the_words_that_nobody_matches(
    ana: Seat, eva: Seat, base: Base
) -> None:
    await eva.look_at("presence")
    await eva.until(lambda: bool(eva.cursor and eva.backend.records("users")))
    user = eva.backend.records("users")[str(eva.cursor).removeprefix("svc-user:")]
    await eva.open_dialog("F")
    await eva.sees("to add")
    assert isinstance(user, User)
    assert eva.app.screen.query_one(TextArea).text == user.username
    await eva.press("escape")
    await ana.look_at("presence", filter_text="nobody of this name")
    await ana.open_dialog("F")
    assert ana.app.screen.query_one(TextArea).text == "nobody of this name"
    await ana.press("escape")
    followed(base, "ana")
    await ana.look_at("presence")
    await ana.until(lambda: bool(ana.cursor))
    await ana.open_dialog("F")
    assert ana.app.screen.query_one(TextArea).text == "", "they are followed already"
    await ana.press("escape")


def follows(base: Base, who: str, *users: str) -> list[bool]:
    """Return for each user whether `who` follows them."""
    with base.service.database.read() as tx:
        return [who in followers_of(tx, f"svc-user:{each}") for each in users]


def followed(base: Base, who: str) -> list[str]:
    """Create three users that `who` follows."""
    users = [base.newcomer() for _ in range(3)]
    presence.follow(base.service.platform, base.caller(who), [f"svc-user:{each}" for each in users])
    return users


@presses("presence.unfollow", undone=True)
async def test_one_user_is_unfollowed_and_the_others_are_not(ana: Seat, base: Base) -> None:
    first, second, third = followed(base, "ana")
    await ana.look_at("presence", f"svc-user:{second}")
    await ana.press("U")
    await ana.done("presence.unfollow")
    assert follows(base, "ana", first, second, third) == [True, False, True]
    await ana.until(lambda: f"svc-user:{second}" not in ana.backend.records("presence"))
    presence.follow(base.service.platform, base.caller("ana"), [f"svc-user:{(late := base.newcomer())}"])
    await ana.undo()
    assert follows(base, "ana", first, second, third, late) == [True, True, True, True]


@presses("users.unfollow", undone=True)
async def test_selected_users_are_unfollowed(ana: Seat, base: Base) -> None:
    people = followed(base, "ana")
    await ana.until(lambda: set(people) <= ana.backend.records("users").keys())
    await ana.until(lambda: all(f"svc-user:{each}" in ana.backend.records("presence") for each in people))
    await ana.look_at("users", filter_text=f"id:{','.join(people)}")
    await ana.until(lambda: set(ana.shown) == set(people))
    await ana.press("asterisk", "U")
    ticket = await ana.done("users.unfollow")
    assert ticket.command.steps[0].words == "unfollowed 3 addresses"
    assert not any(follows(base, "ana", *people))
    await ana.undo()
    assert all(follows(base, "ana", *people))


@presses("groups.follow", undone=True)
async def test_the_members_of_a_group_are_followed(eva: Seat, base: Base) -> None:
    people = [base.newcomer(), base.newcomer()]
    group = base.group(people)
    await eva.look_at("groups", group.group_id)
    await eva.press("F")
    await eva.done("groups.follow")
    assert follows(base, "eva", *people) == [True, True]
    await eva.undo()
    assert follows(base, "eva", *people) == [False, False]


@presses("groups.unfollow", undone=True)
async def test_the_members_of_a_group_are_unfollowed(eva: Seat, base: Base) -> None:
    people = followed(base, "eva")
    group = base.group(people)
    await eva.look_at("groups", group.group_id)
    await eva.press("U")
    await eva.done("groups.unfollow")
    assert not any(follows(base, "eva", *people))
    await eva.undo()
    assert all(follows(base, "eva", *people))
    await eva.press("U")
    await eva.done("groups.unfollow")
    await eva.press("down", "up", "U")
    await eva.sees("You do not follow any of these.")


@presses("users.follow", undone=True)
async def test_a_user_is_followed(ana: Seat, base: Base) -> None:
    await ana.until(lambda: ana.backend.records("users"))
    await ana.look_at("users")
    who = next(each for each in ana.shown if f"svc-user:{each}" not in ana.backend.records("presence"))
    await ana.look_at("users", who)
    await ana.press("F")
    await ana.done("users.follow")
    assert follows(base, "ana", who) == [True]
    await ana.until(lambda: f"svc-user:{who}" in ana.backend.records("presence"))
    await ana.press("down", "up", "F")
    await ana.sees("already")
    await ana.undo()
    assert follows(base, "ana", who) == [False]


async def test_the_message_after_a_change_stays_longer_than_one_tick(ana: Seat, base: Base) -> None:
    await ana.look_at("users")
    screen = ana.app.screen
    assert isinstance(screen, ConsoleScreen)

    def say_nothing(*_: object) -> None:
        """There was no refresh yet."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screen.message_line, "show", say_nothing)
        await ana.open_dialog("M")
        await ana.type("Back at ten")
        await ana.press("enter")
        await ana.done("me.note")
    screen.say("Nothing to copy here.")
    screen.beat(True)
    await ana.sees("Nothing to copy here.", seconds=1)


# -- sessions --------------------------------------------------------------------------------------------------------


@presses("sessions.revoke-all")
async def test_ending_all_sessions_of_a_user_keeps_the_current_one(eva: Seat, base: Base) -> None:
    made = [create(base.service.platform, base.user("eva"), None)[0].id for _ in range(2)]
    await eva.look_at("sessions", made[0])
    await eva.open_dialog("D")
    await eva.sees("session is kept.")
    (amount,) = re.findall(r"Type (\d+) to continue", eva.screen_text())
    await eva.type(amount)
    await eva.confirm("ctrl+y", does="sessions.revoke-all")
    assert all(base.lookup(SESSIONS, each) is None for each in made)
    assert base.lookup(SESSIONS, eva.context.backend.session_id) is not None


@presses("sessions.revoke")
async def test_ending_one_session_needs_a_confirmation(eva: Seat, base: Base) -> None:
    made = create(base.service.platform, base.user("u1220"), None)[0].id
    await eva.look_at("sessions", made)
    await eva.open_dialog("d")
    await eva.sees("ends immediately")
    await eva.confirm("escape")
    assert base.lookup(SESSIONS, made) is not None
    await eva.press("d")
    await eva.confirm("ctrl+y", does="sessions.revoke")
    assert base.lookup(SESSIONS, made) is None
