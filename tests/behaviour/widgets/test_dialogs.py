from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.events import Paste

from console.api.operations.presence import UpdatePresence
from console.api.operations.support import CreateTemplate, SetAgents
from console.base.frozen import replace
from console.base.text import clean
from console.commands.action import Choice, ChoiceAsk, FormAsk, TextAsk
from console.kinds.actions import by_id
from console.kinds.calls.columns import TABLE as CALLS
from console.ui.dialogs import (
    ChoiceDialog,
    ColumnsDialog,
    ConfirmDialog,
    DifferenceDialog,
    FormDialog,
    HelpDialog,
    TextDialog,
    ThemeDialog,
    TypeNameDialog,
)
from console.ui.dialogs import dialog as dialog_module
from console.ui.dialogs.dialog import Dialog
from console.ui.widgets.clean_input import CleanInput
from console.ui.widgets.detail_pane import DetailPane
from console.views.cell import Cell, Line, Tone
from tests.kinds.action_world import asks_of, situation

from .asking import OPEN, Asking, text_of, until

pytestmark = pytest.mark.asyncio(loop_scope="module")


def confirm() -> ConfirmDialog:
    return ConfirmDialog("Cancel alert", [clean("Line down"), clean("id a-204")], clean("It stops for everybody."))


def type_name() -> TypeNameDialog:
    return TypeNameDialog("Remove group", [clean("Night shift")], clean("It is gone."), clean("Night shift"))


LEAST = (60, 20)
"""The smallest terminal that dialogs support."""
GROUPS = [clean(f"group {n}") for n in range(40)]
PEOPLE = tuple(
    Choice(value, clean(title), clean(note), tags=tags)
    for value, title, note, tags in [
        ("u1", "Ana Ruiz", "free", ("support", "billing")),
        ("u2", "Bob Martin", "busy", ("support",)),
        ("u3", "Carla Vidal", "away", ("sales",)),
        ("u4", "Mariana Oro", "free", ()),
    ]
)


# -- accidental keys -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [confirm, type_name])
async def test_only_the_confirmation_key_confirms(asked: Asking, make: Callable[[], Dialog[bool]]) -> None:
    for key in ["enter", "y", "c", "space", "escape", "n", "ctrl+c", "tab", "ctrl+m"]:
        async with asked(make()) as (app, pilot):
            await pilot.press(key)
            assert app.answer in {OPEN, False}


async def test_the_filled_button_is_what_enter_does(asked: Asking) -> None:
    for dialog, filled in [
        (confirm(), "Cancel  esc"),
        (type_name(), "Cancel  esc"),
        (FormDialog(FormAsk("f", "Status", UpdatePresence)), "Check and send  enter ^y"),
        (ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE)), "Select  enter"),
    ]:
        async with asked(dialog) as (app, _):
            buttons = app.top().query("KeyButton")
            assert [str(button.render()).strip() for button in buttons if button.styles.background.a] == [filled]


async def test_a_new_dialog_ignores_keys_at_first(asked: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialog_module, "DEAF_SECONDS", 3600)
    dialog = confirm()
    async with asked(dialog, early=True) as (app, pilot):
        await pilot.press("ctrl+y", "escape", "enter")
        await pilot.click(app.top().query("KeyButton").last())
        assert app.answer == OPEN
        dialog.listen()
        await pilot.press("ctrl+y")
        assert app.answer is True


@pytest.mark.parametrize(
    "make",
    [
        confirm,
        type_name,
        lambda: ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE, digits=True)),
        lambda: TextDialog(TextAsk("t", "Name")),
        lambda: TextDialog(TextAsk("t", "Names", lines=True)),
        lambda: FormDialog(FormAsk("f", "Template", CreateTemplate)),
    ],
)
async def test_pasting_never_confirms(asked: Asking, make: Callable[[], Dialog[Any]]) -> None:
    async with asked(make()) as (app, pilot):
        for text in ["y\r\n\x19\n", "Night shift\n\x19", "1\n", "\x1b[200~\x19\n"]:
            app.post_message(Paste(text))
            await pilot.pause()
        assert app.answer == OPEN
        assert "\x1b" not in text_of(app)


@pytest.mark.parametrize("action", ["skills.create", "me.note"])
async def test_a_text_says_what_it_is_for(asked: Asking, action: str) -> None:
    (ask,) = asks_of(by_id(action), situation(), ())
    assert isinstance(ask, TextAsk)
    assert ask.hint
    async with asked(TextDialog(replace(ask, initial="", used=("in a meeting", "lunch"))), LEAST) as (app, _pilot):
        assert ask.hint in text_of(app)
        assert "lunch" in text_of(app)
        assert app.screen.region.contains_region(app.screen.query_one("#box").region)


@pytest.mark.parametrize(
    "make",
    [
        confirm,
        type_name,
        lambda: ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE * 20)),
        lambda: TextDialog(TextAsk("t", "Names", lines=True)),
        lambda: FormDialog(FormAsk("f", "Template", CreateTemplate)),
        lambda: ColumnsDialog(CALLS, ("state",)),
        ThemeDialog,
    ],
)
async def test_every_dialog_fits_and_shows_its_keys(asked: Asking, make: Callable[[], Dialog[Any]]) -> None:
    async with asked(make(), LEAST) as (app, pilot):
        screen = app.screen.region
        for button in app.screen.query("KeyButton"):
            assert screen.contains_region(button.region)
            assert button.size.width == button.get_content_width(button.size, button.size)
        assert screen.contains_region(app.screen.query_one("#box").region)
        assert "esc" in text_of(app)
        await pilot.press("escape")
        assert app.answer in {None, False}


# -- confirming ------------------------------------------------------------------------------------------------------


async def test_a_confirmation_names_the_object_and_the_consequences(asked: Asking) -> None:
    async with asked(confirm()) as (app, pilot):
        seen = text_of(app)
        for words in ("Cancel alert", "Line down", "id a-204", "It stops for everybody.", "Cancel  esc", "^y"):
            assert words in seen
        await pilot.press("ctrl+y")
        assert app.answer is True


async def test_a_change_of_several_small_records_needs_only_enter_after_they_were_listed(asked: Asking) -> None:
    names = [clean(f"alert {n}") for n in range(40)]
    ready = ConfirmDialog("Accept 40 alerts", names, clean("They end for everybody."), does="accept", ready=True)
    async with asked(ready, LEAST) as (app, pilot):
        seen = text_of(app)
        assert "They end for everybody." in seen
        assert "accept  enter" in seen
        assert "alert 39" not in seen
        await pilot.press("y", "space", *["pagedown"] * 6)
        await until(pilot, lambda: "alert 39" in text_of(app))
        assert app.answer == OPEN
        await pilot.press("enter")
        assert app.answer is True


async def test_a_long_list_in_a_confirmation_scrolls_under_its_warning(asked: Asking) -> None:
    async with asked(TypeNameDialog("Leave", GROUPS, clean("You leave them."), clean("40")), LEAST) as (app, pilot):
        assert "You leave them." in text_of(app)
        assert "^y" in text_of(app)
        await pilot.press(*["down"] * 45)
        await until(pilot, lambda: "group 39" in text_of(app))
        await pilot.press("enter")
        assert app.answer in {OPEN, False}


async def test_a_click_equals_its_key(asked: Asking) -> None:
    async with asked(confirm()) as (app, pilot):
        await pilot.click(app.top().query("KeyButton").last())
        assert app.answer is True


async def test_the_name_must_be_typed_before_it_can_be_confirmed(asked: Asking) -> None:
    async with asked(type_name()) as (app, pilot):
        await pilot.press(*"Night", "ctrl+y")
        assert app.answer == OPEN
        assert "The text does not match." in text_of(app)
        await pilot.press("space", *"shift", "enter")
        assert app.answer == OPEN
        await pilot.press("ctrl+y")
        assert app.answer is True


# -- text ------------------------------------------------------------------------------------------------------------


async def test_text_is_checked_while_it_is_typed(asked: Asking) -> None:
    taken = TextAsk("n", "Name", check=lambda text: "Too short." if len(text) < 3 else None)
    async with asked(TextDialog(taken)) as (app, pilot):
        await pilot.press("enter")
        assert "Enter a value." in text_of(app)
        await pilot.press("a", "b", "enter")
        assert "Too short." in text_of(app)
        await pilot.press("c")
        assert "Too short." not in text_of(app)
        await pilot.press("enter")
        assert app.answer == "abc"


async def test_untouched_text_is_returned_unchanged(asked: Asking) -> None:
    raw = "caf\u200be\x1b[31m\u202e"
    async with asked(TextDialog(TextAsk("n", "Name", raw))) as (app, pilot):
        assert "\u202e" not in text_of(app)
        await pilot.press("enter")
        assert app.answer == raw


async def test_earlier_answers_are_put_in_by_the_arrow_keys_and_can_be_edited(asked: Asking) -> None:
    ask = TextAsk("n", "Note", "now", anew=True, used=("back 15:30", "lunch"))
    async with asked(TextDialog(ask)) as (app, pilot):
        assert "used before" in text_of(app)
        await pilot.press("m", "e", "down", "down", "down")
        assert "► lunch" in text_of(app)
        await pilot.press("up", "up", "up")
        assert app.screen.query_one(CleanInput).value == "me"
        await pilot.press("down", "backspace", "backspace", "4", "5", "enter")
        assert app.answer == "back 15:45"
    # Without earlier answers they change nothing.
    async with asked(TextDialog(TextAsk("n", "Note", "now"))) as (app, pilot):
        await pilot.press("down", "up", "enter")
        assert app.answer == "now"


def adding(text: str) -> tuple[tuple[Cell, ...], ...]:
    return tuple((Cell(clean(f"adds {line}"), Tone.GOOD),) for line in text.split())


async def test_several_lines_are_submitted_with_the_confirmation_key_after_a_preview(asked: Asking) -> None:
    async with asked(TextDialog(TextAsk("n", "Names", lines=True, preview=adding))) as (app, pilot):
        await pilot.press(*"ana", "enter", *"bob", "up", "end", "enter", "x")
        assert "adds ana" in text_of(app)
        assert "adds bob" in text_of(app)
        assert app.answer == OPEN
        await pilot.press("ctrl+y")
        assert app.answer.split() == ["ana", "x", "bob"]


async def test_a_pasted_list_is_previewed_and_submitted_with_enter(asked: Asking) -> None:
    async with asked(TextDialog(TextAsk("n", "Names", lines=True, preview=adding))) as (app, pilot):
        app.post_message(Paste("ana\x1b[c\nbob\n"))
        await pilot.pause()
        assert "adds ana␛[c" in text_of(app)
        assert "enter accepts this" in text_of(app)
        await pilot.press("enter")
        assert app.answer.split() == ["ana␛[c", "bob"]


async def test_typing_returns_from_the_preview_to_the_text(asked: Asking) -> None:
    async with asked(TextDialog(TextAsk("n", "Names", lines=True, preview=adding))) as (app, pilot):
        app.post_message(Paste("ana\n"))
        await pilot.pause()
        await pilot.press("x", "enter", "y")
        assert app.answer == OPEN
        assert "adds x" in text_of(app)
        assert "accepts this" not in text_of(app)
        app.post_message(Paste("\nz"))
        await pilot.pause()
        app.post_message(Paste("\nlast"))
        await pilot.pause()
        await pilot.press("enter")
        assert app.answer.split() == ["ana", "x", "y", "z", "last"]


async def test_an_invalid_list_shows_the_reason_and_stays_open(asked: Asking) -> None:
    refusing = TextAsk("n", "Names", lines=True, preview=adding, check=lambda _: "Nobody would be added.")
    async with asked(TextDialog(refusing)) as (app, pilot):
        app.post_message(Paste("ana\nbob"))
        await pilot.pause()
        await pilot.press("enter", "ctrl+y")
        assert app.answer == OPEN
        assert "Nobody would be added." in text_of(app)


async def test_a_long_preview_scrolls_and_leaves_room_for_the_keys(asked: Asking) -> None:
    async with asked(TextDialog(TextAsk("n", "Names", lines=True, preview=adding, verb="Add")), LEAST) as (app, pilot):
        app.post_message(Paste("\n".join(f"name{n}" for n in range(200))))
        await until(pilot, lambda: "adds name0" in text_of(app))
        assert "adds name199" not in text_of(app)
        await pilot.press("end")
        await until(pilot, lambda: "adds name199" in text_of(app))
        assert "Add  ^y" in text_of(app)
        await pilot.press("enter")
        assert len(app.answer.split()) == 200


async def test_a_one_line_preview_follows_the_typing_and_scrolls(asked: Asking) -> None:
    def preview(text: str) -> tuple[tuple[Cell, ...], ...]:
        return tuple((Cell(clean(f"{text} {n}")),) for n in range(60))

    async with asked(TextDialog(TextAsk("n", "Name", preview=preview)), LEAST) as (app, pilot):
        await pilot.press(*"ab")
        assert "ab 0" in text_of(app)
        await pilot.press("pagedown", "pagedown", "pagedown", "pagedown", "pagedown", "pagedown", "pagedown")
        await until(pilot, lambda: "ab 59" in text_of(app))
        await pilot.press("enter")
        assert app.answer == "ab"


# -- opening ---------------------------------------------------------------------------------------------------------


TWO_WORDS = (Choice("abc", clean("Above")), Choice("ab", clean("Billing A")))
LETTERS = (Choice("on", clean("Online"), key="o"), Choice("off", clean("Offline"), key="f"))


@pytest.mark.parametrize(
    ("make", "early"),
    [
        (lambda: ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE, digits=True)), ["2", "enter", "escape", "ctrl+y"]),
        (lambda: ChoiceDialog(ChoiceAsk("a", "I am", LETTERS)), ["o", "enter", "escape"]),
        (lambda: ChoiceDialog(ChoiceAsk("a", "Agents", PEOPLE, many=True)), ["space", "tab", "enter"]),
        (lambda: TextDialog(TextAsk("t", "Name", "as it was")), ["enter", "ctrl+y", "escape"]),
        (lambda: TextDialog(TextAsk("t", "Names", "as it was", lines=True)), ["ctrl+y", "escape"]),
        (lambda: FormDialog(FormAsk("f", "Template", CreateTemplate)), ["enter", "ctrl+y", "escape"]),
        (type_name, ["enter", "ctrl+y", "escape"]),
    ],
)
async def test_no_key_confirms_in_the_first_moment(
    asked: Asking, make: Callable[[], Dialog[Any]], early: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialog_module, "DEAF_SECONDS", 3600)
    dialog = make()
    async with asked(dialog, early=True) as (app, pilot):
        before = text_of(app)
        await pilot.press(*early)
        assert app.answer == OPEN
        assert app.screen is dialog
        assert text_of(app) == before


async def test_letters_typed_in_the_first_moment_are_not_lost(asked: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialog_module, "DEAF_SECONDS", 3600)
    for dialog, letters, after, answer in (
        (ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE, digits=True)), "car", "enter", "u3"),
        (ChoiceDialog(ChoiceAsk("a", "Group", TWO_WORDS, digits=True)), "a b", "enter", "ab"),
        (ChoiceDialog(ChoiceAsk("a", "Groups", TWO_WORDS, many=True)), "a b", "enter", ("ab",)),
        (TextDialog(TextAsk("t", "Name")), "car", "x enter", "carx"),
        (type_name(), "night shift", "ctrl+y", True),
    ):
        async with asked(dialog, early=True) as (app, pilot):
            await pilot.press(*("space" if letter == " " else letter for letter in letters))
            dialog.listen()
            await pilot.press(*after.split())
            assert app.answer == answer


# -- choices ---------------------------------------------------------------------------------------------------------


async def test_typing_filters_and_enter_selects(asked: Asking) -> None:
    async with asked(ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE))) as (app, pilot):
        await pilot.press(*"ana")
        assert "2 of 4" in text_of(app)
        assert text_of(app).index("Ana Ruiz") < text_of(app).index("Mariana Oro")
        await pilot.press("down", "enter")
        assert app.answer == "u4"


async def test_a_tag_filters_and_keeps_the_order(asked: Asking) -> None:
    async with asked(ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE))) as (app, pilot):
        await pilot.press("number_sign", *"sup")
        assert "2 of 4" in text_of(app)
        await pilot.press("enter")
        assert app.answer == "u1"


async def test_digits_and_own_letters_select_at_once(asked: Asking) -> None:
    async with asked(ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE, digits=True))) as (app, pilot):
        await pilot.press("2")
        assert app.answer == "u2"
    async with asked(ChoiceDialog(ChoiceAsk("a", "I am", LETTERS))) as (app, pilot):
        await pilot.press("f")
        assert app.answer == "off"


async def test_several_are_selected_with_space_and_returned_in_the_displayed_order(asked: Asking) -> None:
    async with asked(ChoiceDialog(ChoiceAsk("a", "Agents", PEOPLE, many=True))) as (app, pilot):
        await pilot.press("down", "down", "space", "home", "space", "enter")
        assert app.answer == ("u1", "u3")
    async with asked(ChoiceDialog(ChoiceAsk("a", "Agents", PEOPLE, many=True))) as (app, pilot):
        await pilot.press("down", "enter")
        assert app.answer == ("u2",)


async def test_a_space_within_a_name_selects_nobody(asked: Asking) -> None:
    async with asked(ChoiceDialog(ChoiceAsk("a", "Agents", PEOPLE, many=True))) as (app, pilot):
        await pilot.press(*"bob mar")
        assert "1 of 4" in text_of(app)
        assert "1 selected" not in text_of(app)
        await pilot.press("tab", "ctrl+u", *"carla", "down", "space", "ctrl+u")
        assert "2 selected" in text_of(app)
        await pilot.press("enter")
        assert app.answer == ("u2", "u3")


async def test_typed_text_can_be_submitted_where_any_text_is_allowed(asked: Asking) -> None:
    async with asked(ChoiceDialog(ChoiceAsk("a", "Strategy", PEOPLE, free=True))) as (app, pilot):
        await pilot.press(*"zzz", "enter")
        assert app.answer == "zzz"


async def test_nothing_can_be_selected_when_nothing_matches(asked: Asking) -> None:
    async with asked(ChoiceDialog(ChoiceAsk("a", "Agent", PEOPLE))) as (app, pilot):
        await pilot.press(*"zzz", "enter")
        assert "Nothing matches." in text_of(app)
        assert app.answer == OPEN
        await pilot.press("ctrl+u", "enter")
        assert app.answer == "u1"


async def test_a_cut_note_is_shown_in_full_below_the_choices_when_its_choice_is_reached(asked: Asking) -> None:
    long = "Change a user's own permissions for recording and voicemail"
    notes = [("get", "Get a user"), ("update user permissions", long), ("drop tokens", "Delete all tokens")]
    choices = tuple(Choice(title, clean(title), clean(note)) for title, note in notes)
    async with asked(ChoiceDialog(ChoiceAsk("a", "Users", choices, digits=True))) as (app, pilot):
        assert long not in text_of(app)
        assert all(title in text_of(app) for title, _ in notes)
        await pilot.press("down")
        assert long in text_of(app)
        await pilot.press("down")
        assert long not in text_of(app)


async def test_ten_thousand_choices_can_be_filtered_by_typing(asked: Asking) -> None:
    many = tuple(Choice(f"u{n}", clean(f"User {n}"), clean(f"user{n}@desk.example")) for n in range(10_000))
    async with asked(ChoiceDialog(ChoiceAsk("a", "User", many))) as (app, pilot):
        await pilot.press("pagedown", "end", "home", *"er 7777", "enter")
        assert app.answer == "u7777"


# -- forms -----------------------------------------------------------------------------------------------------------


async def test_a_form_lists_missing_fields_and_shows_the_difference_before_sending(asked: Asking) -> None:
    ask = FormAsk("t", "New template", CreateTemplate, only=("template_id", "title", "payload"), fixed=FIXED)
    form = FormDialog(ask)
    async with asked(form) as (app, pilot):
        await pilot.press(*"t1", "enter")
        assert text_of(app).count("is required") == 2
        await pilot.press(*"Fire", "down", *"Leave the house", "enter")
        await until(pilot, lambda: isinstance(app.screen, DifferenceDialog) and app.screen.listening)
        lines = text_of(app).splitlines()
        values = ("t1", "Fire", "Leave the house")
        columns = {line.index(value) for value in values for line in lines if value in line}
        assert len(columns) == 1, "values stand below each other"
        assert app.answer == OPEN
        await pilot.press("escape")
        assert app.screen is form
        await pilot.press("ctrl+y")
        await until(pilot, lambda: isinstance(app.screen, DifferenceDialog) and app.screen.listening)
        await pilot.press("enter")
        assert app.answer == {"template_id": "t1", "title": "Fire", "payload": "Leave the house"}


FIXED: dict[str, Any] = {
    "number_of_retries": 1,
    "time_in_ms_between_retries": 60_000,
    "time_to_expire": 60_000,
    "users": ("u1",),
}


async def test_a_form_returns_only_changed_fields(asked: Asking) -> None:
    initial = {"online": True, "note": "raw\u200btext", "mood": "calm", "activity": "busy"}
    ask = FormAsk("p", "Presence", UpdatePresence, initial, {"address": "a@b"}, ("online", "activity", "mood", "note"))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press("ctrl+y")
        assert "Nothing was changed." in text_of(app)
        await pilot.press("right", "down", "down", "ctrl+u", "ctrl+y")
        await until(pilot, lambda: isinstance(app.screen, DifferenceDialog) and app.screen.listening)
        assert "calm → (empty)" in text_of(app)
        assert "yes → no" in text_of(app)
        await pilot.press("enter")
        assert app.answer == {"online": False, "mood": ""}


async def test_numbers_and_limits_are_checked_while_typing(asked: Asking) -> None:
    ask = FormAsk("t", "Template", CreateTemplate, only=("number_of_retries",))
    async with asked(FormDialog(ask)) as (app, pilot):
        await pilot.press(*"many")
        assert "must be a number" in text_of(app)
        await pilot.press("ctrl+u", "minus", "1")
        assert "greater than or equal" in text_of(app)


async def test_lists_are_typed_one_entry_per_line_and_the_variant_decides_the_fields(asked: Asking) -> None:
    from console.api.annotations import Variant

    async with asked(FormDialog(FormAsk("a", "Agents", SetAgents), Variant.EARLIER)) as (app, pilot):
        await until(pilot, lambda: "not in the earlier variant" in text_of(app))
        await pilot.press("u", "1", "enter", "u", "2", "ctrl+y")
        await until(pilot, lambda: isinstance(app.screen, DifferenceDialog) and app.screen.listening)
        await pilot.press("enter")
        assert app.answer == {"user_ids": ("u1", "u2")}


# -- other dialogs ---------------------------------------------------------------------------------------------------


async def test_columns_are_chosen_and_ordered(asked: Asking) -> None:
    async with asked(ColumnsDialog(CALLS, ("state", "caller", "age"))) as (app, pilot):
        await pilot.press("down", "space", "down", "less_than_sign", "less_than_sign", "enter")
        assert app.answer == ("age", "state")
    async with asked(ColumnsDialog(CALLS, ("state",))) as (app, pilot):
        await pilot.press("space", "enter")
        assert "Show at least one column." in text_of(app)
        await pilot.press("d", "enter")
        assert app.answer == tuple(each.id for each in CALLS.columns if each.priority < 9)


async def test_themes_are_applied_while_choosing_and_restored_on_escape(asked: Asking) -> None:
    async with asked(ThemeDialog()) as (app, pilot):
        assert app.theme == "dark"
        await pilot.press("down")
        assert app.theme != "dark"
        await pilot.press("escape")
        assert app.theme == "dark"
        assert app.answer is None


async def test_help_scrolls_and_closes(asked: Asking) -> None:
    lines = [(Cell(clean(f"key {number}")),) for number in range(100)]
    async with asked(HelpDialog("Keys", lines, {"q"})) as (app, pilot):
        assert "key 0" in text_of(app)
        await pilot.press("down", "down")
        await until(pilot, lambda: "key 0" not in text_of(app))
        await pilot.press("end")
        await until(pilot, lambda: "key 99" in text_of(app))
        await pilot.press("q")
        assert app.answer is None


async def test_help_has_two_columns_on_a_wide_screen(asked: Asking) -> None:
    lines: list[Line] = []
    for title in ("Here", "Anywhere"):
        keys = ((Cell(clean(f"{title} {key}")), Cell(clean("  do")), Cell(clean("at once"))) for key in range(30))
        lines += [(Cell(clean(title), Tone.STRONG),), *keys, (Cell(clean("")),)]
    async with asked(HelpDialog("Keys", lines, {"q"})) as (app, pilot):
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: any("Here 0" in row and "Anywhere 0" in row for row in text_of(app).splitlines()))
        await pilot.press("slash", *"anywhere")
        await until(pilot, lambda: "Here" not in text_of(app))
        await pilot.press("escape")
        await until(pilot, lambda: "Here 0" in text_of(app))
        await pilot.resize_terminal(119, 40)
        await until(pilot, lambda: "Anywhere 0" not in text_of(app))


async def test_help_on_a_small_screen_uses_its_lines_and_says_below_a_key_what_it_does(asked: Asking) -> None:
    about = Cell(clean("Accepts the chat, or the alert for everybody. The first acceptance counts."))
    lines = [(Cell(clean(f"{key:>9}")), Cell(clean("  accept            ")), about) for key in range(20)]
    async with asked(HelpDialog("Keys", lines)) as (app, pilot):
        await pilot.resize_terminal(60, 16)
        await until(pilot, lambda: len([row for row in text_of(app).splitlines() if row.strip(" │")]) == 14)
        first, *below = [row.replace("│", " ").rstrip() for row in text_of(app).splitlines()[2:5]]
        assert first.endswith("0  accept")
        assert all(len(row) - len(row.lstrip()) > first.index("accept") for row in below)
        await pilot.resize_terminal(80, 24)


@pytest.mark.parametrize("title", ["accept", "stop following presence", "remove from all the groups of a user"])
async def test_help_never_continues_what_a_key_does_left_of_its_title(asked: Asking, title: str) -> None:
    does = "Removes a user from every group, and undo restores the membership of groups that you own."
    about = Cell(clean(does), Tone.QUIET)
    keys = [(Cell(clean(f"{key:>9}")), Cell(clean(f"  {title}  ")), about) for key in range(5)]
    lines: list[Line] = [(Cell(clean("Anywhere"), Tone.STRONG),), *keys]
    async with asked(HelpDialog("Keys", lines)) as (app, pilot):
        for width in (60, 70, 80, 90, 100, 119, 120, 200):
            await pilot.resize_terminal(width, 40)
            await pilot.pause()
            await until(pilot, lambda width=width: app.screen.size.width == width and "own." in text_of(app))
            rows = app.screen.query_one(DetailPane).words.splitlines()
            column = next(row.index(title) for row in rows if title in row)
            assert {row[:column].strip() for row in rows} <= {"", "Anywhere"[:column], *"01234"}, width
        await pilot.resize_terminal(80, 24)


async def test_help_is_searched_and_escape_ends_the_search_first(asked: Asking) -> None:
    lines = [
        (Cell(clean("Anywhere"), Tone.STRONG),),
        (Cell(clean("u  undo")),),
        (Cell(clean("")),),
        (Cell(clean("Navigation"), Tone.STRONG),),
        (Cell(clean("z  reverse the order")),),
        (Cell(clean("q  Quit the console")),),
    ]
    async with asked(HelpDialog("Keys", lines, {"q"})) as (app, pilot):
        await pilot.press("slash", *"q")
        await until(pilot, lambda: "undo" not in text_of(app))
        assert all(text in text_of(app) for text in ("Navigation", "Quit the console"))
        assert not any(text in text_of(app) for text in ("Anywhere", "reverse"))
        await pilot.press(*"x")
        await until(pilot, lambda: "Nothing matches." in text_of(app))
        await pilot.press("backspace", "escape")
        await until(pilot, lambda: "undo" in text_of(app))
        await pilot.press("escape")
        assert app.answer is None
