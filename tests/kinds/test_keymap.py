"""The key map: defaults without conflicts, and all errors of a configuration at once, in little time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.commands.action import ChoiceAsk
from console.kinds.actions import ACTIONS, by_id
from console.kinds.keymap import FIXED, clashes, everything_bound, format_key, in_the_past, key_map, parse_key
from console.kinds.view_keys import VIEW_KEYS
from console.ui.textual_compat.testing import key_of
from tests.for_each import for_each
from tests.kinds.action_world import MENU, asks_of, situation

IDS = [each.id for each in everything_bound()]


def test_the_default_keys_do_not_clash() -> None:
    assert clashes((*everything_bound(), *FIXED), {}) == ()


def test_the_default_keys_use_textuals_names() -> None:
    for each in (*everything_bound(), *FIXED):
        for key in each.keys:
            assert parse_key(key) == key


def test_an_empty_configuration_gives_the_default_keys() -> None:
    made = key_map({})
    assert made.faults == ()
    assert all(made.keys[action.id] == ((action.key,) if action.key else ()) for action in ACTIONS)


def test_a_key_has_the_same_meaning_on_every_screen() -> None:
    # In the past, nothing can be changed: its keys may be those of actions.
    meanings: dict[tuple[str, bool], set[str]] = {}
    for each in everything_bound():
        for key in each.keys:
            meanings.setdefault((key, each.where == "past"), set()).add(each.meaning)
    assert {key: found for key, found in meanings.items() if len(found) > 1} == {}


def test_a_meaning_has_the_same_key_on_every_screen() -> None:
    keys: dict[str, set[tuple[str, ...]]] = {}
    for each in everything_bound():
        if each.keys:
            keys.setdefault(each.meaning, set()).add(each.keys)
    assert {meaning: found for meaning, found in keys.items() if len(found) > 1} == {}
    first = {meaning: key for meaning, ((key, *_),) in keys.items()}
    assert (first["new"], first["delete"], first["open or confirm"]) == ("n", "d", "enter")


@pytest.mark.parametrize("verb", ["new", "delete"])
def test_creating_and_deleting_records_use_the_key_of_that_meaning(verb: str) -> None:
    words = {"new": ("create", "start"), "delete": ("delete", "revoke")}[verb]
    found = {each.id: each.meaning for each in everything_bound() if each.id.partition(".")[2] in words}
    assert found
    assert set(found.values()) == {verb}


def test_an_action_without_a_key_is_in_the_menu_of_another() -> None:
    for action in ACTIONS:
        if not action.key:
            asks = asks_of(by_id(MENU), situation(), ())
            choices = [each for ask in asks if isinstance(ask, ChoiceAsk) for each in ask.choices]
            assert [each.leads_to for each in choices if each.leads_to == action.id] == [action.id]


def test_keys_are_changed_added_and_removed() -> None:
    made = key_map({"calls.record": "K, f5", "calls.edit": "", "view.help": ["f2", "?"], "alerts.send": "~"})
    assert made.faults == ()
    assert made.keys["calls.record"] == ("K", "f5")
    assert made.keys["calls.edit"] == ()
    assert made.keys["view.help"] == ("f2", "question_mark")
    assert made.keys["alerts.send"] == ("tilde",)


def test_an_unknown_action_suggests_the_nearest() -> None:
    (fault,) = key_map({"alerts.acept": "b"}).faults
    assert fault.words == "Unknown action alerts.acept; did you mean alerts.accept?"
    assert (fault.id, fault.nearest) == ("alerts.acept", "alerts.accept")
    (fault,) = key_map({"\x1b[2J": "b"}).faults
    assert fault.words.isprintable()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("entr", "entr is not a key. Did you mean enter?"),
        ("ctl+a", "ctl in ctl+a is not a modifier. Did you mean ctrl?"),
        ("ctrl+", "ctrl+ is not a key."),
        ("ab", "ab is not a key."),
        ("shift+1", "shift+1 is not a key: write the character that it types."),
    ],
)
def test_an_invalid_key_is_reported(key: str, words: str) -> None:
    made = key_map({"calls.record": key})
    assert [fault.words for fault in made.faults] == [words]
    assert made.keys["calls.record"] == ("r",)


@for_each(
    "configured, loser, winner",
    [
        ({"calls.record": "e"}, "calls.record", "calls.edit"),
        ({"calls.record": "m"}, "calls.record", "me.set"),
        ({"me.note": "r"}, "me.note", "calls.record"),
        ({"calls.record": "K", "calls.edit": "K"}, "calls.edit", "calls.record"),
        ({"members.remove": "plus"}, "members.remove", "groups.add"),
        ({"users.follow": "e"}, "users.follow", "admin.update"),
        ({"chats.start": "c"}, "chats.start", "agents.next-chat"),
        ({"skills.grid": "space"}, "skills.grid", "view.mark"),
        ({"calls.record": "p"}, "calls.record", "view.pause"),
        ({"calls.record": "3"}, "calls.record", "going to a screen"),
        ({"calls.record": "ctrl+p"}, "calls.record", "the palette"),
    ],
)
def test_two_actions_on_one_key_of_a_screen_are_reported(configured: dict[str, str], loser: str, winner: str) -> None:
    made = key_map(configured)
    (fault,) = made.faults
    assert fault.id == loser
    assert winner in fault.words
    default = next(each.keys for each in everything_bound() if each.id == loser)
    assert made.keys[loser] == default


def test_the_same_key_on_two_screens_is_valid() -> None:
    assert key_map({"sessions.revoke": "r", "calls.record": "x"}).faults == ()


def test_the_same_meaning_on_one_key_is_valid() -> None:
    assert key_map({"sessions.revoke": "d", "admin.delete": "d"}).faults == ()


def test_the_keys_of_the_past_take_the_place_of_actions_there() -> None:
    made = key_map({})
    assert made.keys["me.set"] == made.keys["view.set-mark"] == ("m",)
    past = in_the_past(made.keys)
    assert (past["me.set"], past["view.set-mark"]) == ((), ("m",))
    assert (past["view.mark"], past["view.play"]) == (("insert",), ("space",))
    (fault,) = key_map({"view.set-mark": "slash"}).faults
    assert "view.filter" in fault.words


def test_what_gives_way_in_the_past_has_a_key_left_there() -> None:
    made = key_map({})
    past = in_the_past(made.keys)
    assert [each.id for each in VIEW_KEYS if made.keys[each.id] and not past[each.id]] == []


def test_two_actions_can_swap_keys() -> None:
    made = key_map({"calls.record": "e", "calls.edit": "r"})
    assert made.faults == ()
    assert (made.keys["calls.record"], made.keys["calls.edit"]) == (("e",), ("r",))


def test_a_swap_can_cost_a_third_action_its_new_key() -> None:
    made = key_map({"calls.record": "p", "calls.edit": "r"})
    assert [fault.id for fault in made.faults] == ["calls.record", "calls.edit"]
    assert (made.keys["calls.record"], made.keys["calls.edit"]) == (("r",), ("e",))


@given(st.dictionaries(st.sampled_from(IDS) | st.text(max_size=5), st.text(max_size=8) | st.sampled_from("abcdefx!?")))
def test_in_any_configuration_no_two_actions_share_a_key(configured: dict[str, str]) -> None:
    made = key_map(configured)
    assert set(made.keys) == set(IDS)
    assert clashes((*everything_bound(), *FIXED), made.keys) == ()
    assert all(fault.words.isprintable() for fault in made.faults)


@for_each("sign", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
def test_punctuation_keys_have_textuals_names(sign: str) -> None:
    assert parse_key(sign) == key_of(sign)
    assert format_key(parse_key(sign)) == sign


@for_each(
    "written, key",
    [
        ("A", "A"),
        ("shift+a", "A"),
        ("Ctrl+R", "ctrl+r"),
        ("shift+up", "shift+up"),
        ("F5", "f5"),
        (" Enter ", "enter"),
        (" ", "space"),
        ("ctrl++", "ctrl+plus"),
        ("shift+ctrl+a", "ctrl+shift+a"),
        ("question_mark", "question_mark"),
    ],
)
def test_keys_are_parsed(written: str, key: str) -> None:
    assert parse_key(written) == key


@pytest.mark.parametrize(("key", "shown"), [("ctrl+r", "^r"), ("exclamation_mark", "!"), ("shift+up", "shift+up")])
def test_keys_are_formatted(key: str, shown: str) -> None:
    assert format_key(key) == shown
