"""What is kept belongs to one account at one service, whatever the profile is called."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, cast

import pytest

from console.base.clock import SystemClock
from console.client.endpoint import Endpoint, same_address
from console.config.paths import Places, places
from console.live.backend import Backend
from console.live.running import hold
from console.recording.files import aside, companions_of, recording_file
from console.recording.identities import CurrentIdentity, Identities, files_of, is_recorded
from console.recording.notes import Notes, notes_file
from console.recording.recorder import Recorder
from console.records.people import CurrentUser, User
from tests.for_each import for_each
from tests.live.until import until
from tests.recording.desk import Desk, plan_of, prompt, recorded

CORE = "http://127.0.0.1:8080/core"


@pytest.fixture
def here(tmp_path: Path) -> Places:
    return places({"CONSOLE_HOME": str(tmp_path)})


def connected(epoch: str | None = None, me: CurrentUser | None = None) -> Any:
    """Return what an identity asks of a backend."""
    return SimpleNamespace(endpoint=Endpoint(core=CORE), epoch=epoch, me=me)


@for_each(
    "label, other",
    [
        ("another address", ("desk", "http://127.0.0.1:8081/core", "e1", "eva")),
        ("another epoch", ("desk", CORE, "e2", "eva")),
        ("no epoch any more", ("desk", CORE, "", "eva")),
        ("another account", ("desk", CORE, "e1", "ana")),
    ],
)
def test_nothing_is_shared_with(label: str, other: tuple[str, str, str, str], tmp_path: Path):
    here = places({"CONSOLE_HOME": str(tmp_path / label)})
    identities = Identities(here)
    first = identities.note("desk", CORE, "e1", "eva")
    if label == "another address":
        other = (*other[:2], "e9", "eva")
    second = identities.note(*other)
    assert not {*files_of(here, first)[:-1]} & {*files_of(here, second)[:-1]}, label


@for_each(
    "label, other",
    [
        ("another profile", ("night", CORE, "e1", "eva")),
        ("another address of the service", ("desk", "https://voice.example/core", "e1", "eva")),
        ("another spelling", ("desk", "HTTP://127.0.0.1:8080/core/", "e1", "eva")),
    ],
)
def test_the_same_account_finds_its_files_by(label: str, other: tuple[str, str, str, str], tmp_path: Path):
    identities = Identities(places({"CONSOLE_HOME": str(tmp_path / label)}))
    assert identities.note("desk", CORE, "e1", "eva").key == identities.note(*other).key, label


def test_two_profiles_with_long_names_share_nothing(here: Places):
    identities = Identities(here)
    name = "北京客服中心运营控制台" * 4
    keys = {
        identities.note(name + end, f"http://{end}.example/core", "", account).key
        for end in ("a", "b")
        for account in (name + "1", name + "2")
    }
    assert len(keys) == 4


def test_a_running_console_goes_on_with_its_files_when_the_service_begins_a_new_epoch(here: Places):
    connection = connected(epoch="e1", me=CurrentUser(user=User(id="u1", username="eva")))
    identity = CurrentIdentity(here, "desk", connection, lambda: "eva@desk.example")
    first = identity.now()
    connection.epoch = "e2"
    second = identity.now()
    assert first is not None
    assert second is not None
    assert first.key == second.key
    # Also the next console does, which sees the new epoch only, or nothing at all.
    assert Identities(here).note("desk", CORE, "e2", "eva").key == first.key
    for login in ("", "eva", "eva@desk.example"):
        last = Identities(here).last(CORE, login)
        assert last is not None
        assert last.key == first.key
    assert Identities(here).last(CORE, "ana") is None


def test_before_it_is_connected_a_console_has_the_files_of_the_last_one(here: Places):
    known = Identities(here).note("desk", CORE, "e1", "eva")
    identity = CurrentIdentity(here, "desk", connected(), lambda: "eva")
    assert identity.now() is None
    last = identity.last()
    assert last is not None
    assert last.key == known.key
    assert CurrentIdentity(here, "desk", connected(), lambda: "bob").last() is None


def test_notes_are_for_whoever_comes_next_at_the_service(here: Places):
    identities = Identities(here)
    before = identities.service("desk", CORE)
    Notes(notes_file(here, before.key)).add("line 3 is down", "eva", 1_790_000_000_000)
    eva, ana = (identities.note("desk", CORE, "e1", each) for each in ("eva", "ana"))
    elsewhere = identities.note("desk", "http://127.0.0.1:8081/core", "e2", "ana")
    assert [len(Notes(notes_file(here, each.service.key)).all()) for each in (eva, ana, elsewhere)] == [1, 1, 0]


def test_a_damaged_index_costs_nothing_but_what_it_knew(here: Places, tmp_path: Path):
    first = Identities(here).note("desk", CORE, "e1", "eva")
    index = tmp_path / "state" / "services.json"
    for text in ("", "[", "[1, {}]", '[{"key": "../../x", "address": "a", "profile": "p", "accounts": []}]', "{}"):
        index.write_text(text)
        assert Identities(here).last(CORE) is None
        assert Identities(here).note("desk", CORE, "e1", "eva").key == first.key


def test_consoles_that_begin_at_once_lose_nothing_of_each_other(here: Places):
    def begin(number: int) -> None:
        Identities(here).note(f"p{number}", f"http://127.0.0.1:{8000 + number}/core", f"e{number}", "eva")

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert {each.profile for each in Identities(here).all()} == {f"p{number}" for number in range(12)}


def test_what_is_forgotten_leaves_nothing_and_what_is_recorded_now_is_known(here: Places, tmp_path: Path):
    identity = Identities(here).note("demo", CORE, "e1", "eva")
    with prompt(), recorded(Desk("calls"), plan_of(tmp_path, file=recording_file(here, identity.key))):
        assert is_recorded(here, identity.service)
    assert not is_recorded(here, identity.service)
    Identities(here).forget(identity.service)
    assert Identities(here).all() == ()
    assert not any(each.exists() for each in files_of(here, identity))


def test_the_recorder_begins_another_file_when_another_account_logs_in(tmp_path: Path):
    desk = Desk("calls")
    plan = plan_of(tmp_path)
    with prompt():
        recorder = Recorder(cast("Backend", desk), lambda: plan, SystemClock(), apart=False)
        recorder.start()
        try:
            until((tmp_path / "day.rec").exists)
            plan = plan_of(tmp_path, file=tmp_path / "ana.rec", account="ana")
            until((tmp_path / "ana.rec").exists)
        finally:
            recorder.stop()


@for_each(
    "address, spelled",
    [
        ("https://Voice.Example:443/core/", "https://voice.example/core"),
        ("http://voice.example:80", "http://voice.example"),
        ("http://eva:secret@voice.example/core", "http://voice.example/core"),
        ("http://[::1]:8080/Core", "http://[::1]:8080/Core"),
        ("http://voice.example:99999/", "http://voice.example:99999/"),
    ],
)
def test_an_address_has_one_spelling(address: str, spelled: str):
    assert same_address(address) == spelled


@for_each(
    "epoch, account, login",
    [("e\ud800", "eva\ud800", "eva\ud800"), ("e" * 3_000_000, "a" * 3_000_000, "b" * 3_000_000)],
    lambda text: text[:9],
)
def test_names_of_any_form_and_length_are_kept_beside_those_of_others(epoch: str, account: str, login: str):
    with TemporaryDirectory() as folder:
        here = places({"CONSOLE_HOME": folder})
        other = Identities(here).note("day", "https://voice.example/core", "e1", "eva")
        odd = Identities(here).note("desk", CORE, epoch, account, login)
        assert Identities(here).note("desk", CORE, epoch, account).key == odd.key
        assert Identities(here).note("desk", CORE, epoch, f"{account}2").key != odd.key
        assert {each.key for each in Identities(here).all()} == {other.service.key, odd.service.key}


def test_outdated_recordings_of_a_profiles_other_services_go_and_all_others_stay(here: Places, tmp_path: Path):
    identities = Identities(here)
    outdated, ahead, recent, running, killed, current = (
        identities.note("desk", CORE, epoch, "eva") for epoch in ("e1", "e2", "e3", "e4", "e7", "e5")
    )
    elsewhere = identities.note("day", "https://voice.example/core", "e6", "eva")
    kept = (recent, running, killed, current, elsewhere)
    files = {each.key: recording_file(here, each.key) for each in (outdated, *kept)}
    files[ahead.key] = aside(recording_file(here, current.key))
    for file in files.values():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        if file != files[recent.key]:
            os.utime(file, (1_000_000, 1_000_000))
    companions_of(files[killed.key])[1].touch()
    lock = hold(companions_of(files[running.key])[-1])
    assert lock is not None
    identities.forget_recordings(current, 1_500_000_000)
    os.close(lock)
    left = {key for key, file in files.items() if file.exists()}
    assert left == {each.key for each in kept}
