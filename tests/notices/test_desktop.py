"""Notifications of the desktop, on a real bus with a program that shows them."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from console.notices.notice import notice_of
from console.notices.ways.desktop import Desktop
from console.notices.ways.way import NotDelivered
from tests.faults.hostile_texts import HOSTILE
from tests.notices.played import episode
from tests.patience import PATIENCE

pytestmark = pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="there is no dbus-daemon here")
NAME = "org.freedesktop.Notifications"


@pytest.fixture(scope="module")
def bus() -> Generator[str]:
    """The address of a bus of its own. It is no path, which could be too long, or need escapes."""
    address = f"unix:abstract=console-{uuid4()}"
    arguments = ["dbus-daemon", "--session", f"--address={address}", "--print-address", "--nofork", "--nopidfile"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip().partition(",guid=")[0]
        process.terminate()


@contextmanager
def showing(address: str, *can: str) -> Generator[list[tuple[Any, ...]]]:
    """Run a program that shows notifications; yield the values of each."""
    jeepney: Any = import_module("jeepney")
    blocking: Any = import_module("jeepney.io.blocking")
    shown: list[tuple[Any, ...]] = []
    ready = threading.Event()
    connection = blocking.open_dbus_connection(bus=address)

    def serve() -> None:
        connection.send_and_get_reply(jeepney.message_bus.RequestName(NAME))
        ready.set()
        while True:
            try:
                call = connection.receive()
            except (OSError, ValueError):
                return
            fields = call.header.fields
            method = fields.get(jeepney.HeaderFields.member)
            if method == "Quit":
                return
            answers = {
                "GetCapabilities": ("as", (list(can),)),
                "GetServerInformation": ("ssss", ("shower", "tests", "1", "1.2")),
                "Notify": ("u", (len(shown) + 1,)),
            }
            if method in answers:
                if method == "Notify":
                    shown.append(call.body)
                connection.send(jeepney.new_method_return(call, *answers[method]))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield shown
    finally:
        with blocking.open_dbus_connection(bus=address) as quits:
            quits.send(jeepney.new_method_call(jeepney.DBusAddress("/", NAME, NAME), "Quit"))
        thread.join(PATIENCE)
        connection.close()


def test_a_notice_is_shown_and_replaces_the_one_before_about_the_same_episode(bus: str) -> None:
    way = Desktop({"DBUS_SESSION_BUS_ADDRESS": bus})
    assert way.available() == ""
    with showing(bus) as shown:
        way.send(notice_of(episode("a", words="Ana waits"), "desk"))
        way.send(notice_of(episode("a", words="Ana waits"), "desk", again=1))
        way.send(notice_of(episode("b"), "desk"))
    assert [each[1] for each in shown] == [0, 1, 0]
    assert shown[0][3:5] == ("console desk: Long wait", "Ana waits")
    assert shown[0][6]["urgency"] == ("y", 2)
    assert way.expected_effect() == "shown by shower"


def test_hostile_texts_are_text_and_no_markup(bus: str) -> None:
    with showing(bus, "body", "body-markup") as shown:
        way = Desktop({"DBUS_SESSION_BUS_ADDRESS": bus})
        for text in (*HOSTILE[::8], "<b>x</b>", '<a href="http://evil">x</a>', "&lt;"):
            way.send(notice_of(episode(text, title=text, words=text), text))
    for each in shown:
        assert not {"<", ">"} & set(each[4])
        assert all(character.isprintable() or character == " " for character in each[3] + each[4])


def test_without_a_session_or_a_program_that_shows_it_the_reason_is_said(bus: str, tmp_path: Path) -> None:
    notice = notice_of(episode("a"), "desk")
    with pytest.raises(NotDelivered, match="no program shows notifications"):
        Desktop({"DBUS_SESSION_BUS_ADDRESS": bus}).send(notice)
    with pytest.raises(NotDelivered, match="does not answer"):
        Desktop({"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path}/none"}).send(notice)
