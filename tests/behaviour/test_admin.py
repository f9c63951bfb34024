"""Lists and forms of the administrator by keys, checked in the database; whole tasks are in `tests/terminal`."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from console.api.operations.people import UpdateUser
from console.base.text import clean
from console.live.command import Command, Stage, Step, Ticket
from console.service.domain import credentials, people, permissions, phonebooks, sip_mappings
from console.service.domain.groups import GROUPS
from console.service.scenarios.draft import PLAIN
from console.ui.dialogs import FormDialog
from console.ui.screens.admin import AdminScreen
from console.ui.screens.browsing import BrowserPane
from console.ui.screens.palette import ConsoleCommands
from tests.background import Running
from tests.behaviour.driver import Seat, seat

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def eva(floor: Running, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Seat]:
    async with seat(floor, tmp_path_factory.mktemp("eva")) as seated:
        yield seated


def rows(eva: Seat) -> int:
    screen = eva.app.screen
    assert isinstance(screen, AdminScreen)
    return screen.pane.view.total


async def fill(eva: Seat, **fields: str) -> None:
    """Fill in a form field by field, then check the difference and send it."""
    await eva.dialog()
    for label, text in fields.items():
        await eva.focus_field(label.replace("_", " "))
        await eva.type(text)
    await eva.press("ctrl+y")
    await eva.sees("Send")
    await eva.dialog()
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, AdminScreen))


async def choose(eva: Seat, operation: str) -> None:
    """Open the form of an operation on the record under the cursor."""
    await eva.until(lambda: len(eva.shown) == 1)
    await eva.open_dialog("o")
    await eva.type(operation)
    await eva.press("enter")
    await eva.until(lambda: isinstance(eva.app.screen, FormDialog))
    await eva.dialog()


async def test_the_cursor_is_on_the_new_record_so_that_one_can_continue_with_it(eva: Seat, floor: Running) -> None:
    await eva.look_at("phonebooks")
    await eva.press("n")
    await fill(eva, Phonebook_name="Zebra couriers")

    def made() -> str | None:
        with floor.platform.read() as tx:
            return next((each.id for each in phonebooks.PHONEBOOKS.records(tx) if each.name == "Zebra couriers"), None)

    book = await eva.until(made)
    await eva.until(lambda: eva.cursor == book)
    await eva.open_dialog("o")
    await eva.type("subscribe")
    await eva.press("enter")
    await fill(eva, Subscriber_id="Ana Belmonte")

    def subscribers() -> tuple[str, ...]:
        with floor.platform.read() as tx:
            return phonebooks.PHONEBOOKS.need(tx, book).subscribers

    await eva.until(lambda: subscribers() == ("ana",))


async def test_a_mapping_is_created_and_its_password_is_neither_shown_nor_written(eva: Seat, floor: Running) -> None:
    with floor.platform.read() as tx:
        uris = (sip_mappings.GROUP_PREFIX + group.group_id for group in GROUPS.records(tx))
        uri = next(each for each in uris if sip_mappings.SIP_MAPPINGS.get(tx, each) is None)
    await eva.look_at("sip-mappings")
    await eva.press("n")
    await fill(eva, Owner_URI=uri, Credential_username="free-4711", Credential_password="s3cret-enough")

    def stored() -> bool:
        with floor.platform.read() as tx:
            return sip_mappings.SIP_MAPPINGS.get(tx, uri) is not None

    await eva.until(stored)
    assert "s3cret-enough" not in eva.screen_text()
    assert "s3cret-enough" not in eva.journal.read_text(encoding="utf-8")


async def test_domains_are_shown_as_a_tree_with_the_permissions_of_their_users(eva: Seat) -> None:
    await eva.look_at("domains")
    await eva.sees("└ north.desk.example")
    await eva.press("enter")
    await eva.sees("Permissions of its users")
    await eva.sees("Capabilities")


async def test_a_list_that_needs_a_user_prompts_for_one_at_once(eva: Seat) -> None:
    await eva.go_to("admin")
    await eva.open_dialog("colon")
    await eva.type("oauth2 tokens")
    await eva.press("enter")
    await eva.sees("Press enter to fill in: username.")
    await eva.press("enter")
    await fill(eva, Username="eva")
    await eva.until(lambda: rows(eva) > 0)


async def test_an_identity_shows_who_uses_it(eva: Seat) -> None:
    await eva.look_at("sip-identities", filter_text="user:Belmonte")
    await eva.sees("1 of 180")
    await eva.press("enter")
    await eva.sees("Used by")
    await eva.sees("User Ana Belmonte")


async def test_a_long_list_is_loaded_page_by_page_as_the_cursor_nears_its_end(eva: Seat) -> None:
    await eva.look_at("sip-mappings")
    screen = eva.app.screen
    assert isinstance(screen, AdminScreen)
    pane = screen.pane
    assert isinstance(pane, BrowserPane)
    total = await eva.until(lambda: pane.pages.total or 0)
    assert total > 100
    await eva.sees(f"100 of {total}")
    await eva.press("end")
    await eva.until(lambda: rows(eva) > 100)


async def test_selected_users_are_changed_in_the_same_way_after_their_values_were_shown(
    eva: Seat, floor: Running
) -> None:
    def locales() -> list[str | None]:
        with floor.platform.read() as tx:
            return [people.need_user(tx, each).locale for each in ("ana", "bob")]

    before = locales()
    await eva.look_at("users")
    for name in ("Belmonte", "Whitaker"):
        await eva.press("slash")
        await eva.press("ctrl+u")
        await eva.type(f"name:{name}")
        await eva.press("enter")
        await eva.sees("1 of ")
        await eva.press("space")
    await eva.press("slash", "ctrl+u", "enter")
    await eva.sees("2 selected")
    await eva.open_dialog("e")
    await eva.sees("Edit 2 users")
    await eva.focus_field("Locale")
    await eva.type("pt-PT")
    await eva.press("ctrl+y")
    await eva.sees(f"Locale: was {before[0]}")
    await eva.sees("Bob Whitaker")
    await eva.confirm("enter")
    await eva.until(lambda: locales() == ["pt-PT", "pt-PT"])
    await eva.undo()
    await eva.until(lambda: locales() == before)


async def test_permissions_open_with_their_values_and_are_changed_and_undone_by_four_keys(
    eva: Seat, floor: Running
) -> None:
    def voicemail() -> bool | None:
        with floor.platform.read() as tx:
            found = permissions.need(tx, permissions.of_user(PLAIN)).voicemail
        return found.enabled if found is not None else None

    await eva.look_at("users", filter_text="username:pat")
    await choose(eva, "update user permissions")
    await eva.sees("never")
    with eva.counted() as keys:
        await eva.press("up", "right", "enter")
        await eva.sees("yes → no")
        await eva.confirm("enter")
    assert keys.pressed <= 4
    await eva.until(lambda: voicemail() is False)
    await eva.undo()
    assert voicemail() is True


async def test_permissions_that_a_user_does_not_have_are_blank_with_the_reason(eva: Seat) -> None:
    await eva.look_at("users", filter_text="name:Belmonte")
    await choose(eva, "update user permissions")
    await eva.sees("Cannot read the current values: ")
    await eva.press("escape")
    await eva.no_dialog()


async def test_a_new_user_takes_seven_keys_beside_the_name_and_one_leads_to_each_next_step(
    eva: Seat, floor: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    await eva.look_at("users")
    await eva.press("l")
    await eva.sees("The last change has no next step.")
    under_way = Command("users.edit", "users", (Step(UpdateUser(id="u1"), "u1", clean("changed a user")),), "user")
    with monkeypatch.context() as patched:
        patched.setattr(eva.backend.commands, "tickets", lambda: (Ticket(under_way, Stage.PENDING),))
        await eva.press_again("l")
        await eva.sees("The last change is not confirmed yet.")
    with eva.counted() as keys:
        await eva.open_dialog("n")
        await eva.type("yara")
        await eva.press("down", "down", "right", "enter")
        await eva.sees("Send")
        await eva.confirm("enter")
    assert keys.pressed - len("yara") <= 7, "the domain is filled in"
    screen = eva.app.screen
    assert isinstance(screen, AdminScreen)
    await eva.until(lambda: screen.message_line.said.endswith("l create credential"))
    assert screen.message_line.said.startswith("√ Created user yara ")
    assert "l create credential" in str(screen.footer.said)
    with floor.platform.read() as tx:
        yara = next(each for each in people.USERS.records(tx) if each.username == "yara")
    await eva.until(lambda: eva.cursor == yara.id)
    with eva.counted() as keys:
        await eva.open_dialog("l")
        await eva.type("open-sesame")
        await eva.sees("Data: password")
        await eva.confirm("enter")
        await eva.press("ctrl+y")
        await eva.sees("Send")
        await eva.confirm("enter")
    assert keys.pressed - len("open-sesame") <= 4
    await eva.sees("l make agent")
    with floor.platform.read() as tx:
        assert [each.user for each in credentials.CREDENTIALS.records(tx)].count(yara.id) == 1
    await eva.press_again("l")
    await eva.done("users.make-agent")
    await eva.sees("l add skill")
    await eva.press_again("l")
    await eva.dialog()
    await eva.sees("Add a skill to yara")
    await eva.press("escape")
    await eva.no_dialog()


async def test_an_operation_from_the_palette_is_about_the_user_under_the_cursor(eva: Seat) -> None:
    await eva.look_at("users", filter_text="username:pat")
    screen = eva.app.screen
    (hit, *_) = [hit async for hit in ConsoleCommands(screen).search("(run user-permissions.create)")]
    hit.command()
    await eva.dialog()
    assert "Create user permissions" in eva.screen_text()
    assert " Id *" not in eva.screen_text()
    await eva.press("escape")


async def test_a_form_says_what_the_sign_of_a_required_field_means_unless_its_field_has_a_hint(eva: Seat) -> None:
    await eva.look_at("users")
    await eva.open_dialog("n")
    await eva.sees("Username *")
    await eva.sees("* required")
    await eva.press("down", "down")
    await eva.sees("←→ one of: user")
    await eva.press("escape")
    await eva.no_dialog()
