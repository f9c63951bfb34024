"""A program for each notice: with JSON on its input, without a shell, bounded in time and number."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from console.cli.profiles.credentials import without_password
from console.notices.notice import notice_of
from console.notices.ways.command import CommandWay
from console.notices.ways.lane import Lane
from console.notices.ways.way import NotDelivered
from tests.faults.hostile_texts import FEW, HOSTILE
from tests.notices.played import episode

APPENDS = "import os, sys; open(sys.argv[1], 'a').write(sys.stdin.read()); print('noise'); sys.stderr.write('noise')"
SHELL = "$(touch {0}) `touch {0}`; touch {0} | touch {0} && touch {0} > {0}\n touch {0} '\"; touch {0}"


def appending(file: Path) -> CommandWay:
    return CommandWay((sys.executable, "-c", APPENDS, str(file)), {"PATH": os.environ["PATH"]})


def gone(process: int) -> bool:
    """Return whether a process has ended. A zombie that nobody has reaped yet has ended too."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_the_program_gets_the_notice_as_a_line_of_json(tmp_path: Path) -> None:
    appending(tmp_path / "told").send(notice_of(episode("a", words="Ana waits"), "desk"))
    told = (tmp_path / "told").read_text(encoding="utf-8")
    assert told.endswith("\n")
    assert json.loads(told) == notice_of(episode("a", words="Ana waits"), "desk").to_object()


def test_hostile_texts_are_values_on_its_input_and_run_nothing(tmp_path: Path) -> None:
    touched = tmp_path / "touched"
    texts = (*FEW, *HOSTILE[::60], SHELL.format(touched))
    command = appending(tmp_path / "told")
    for text in texts:
        command.send(notice_of(episode(text, title=text, words=text, keys=(text,)), text))
    lines = (tmp_path / "told").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(texts)
    assert all(line.isprintable() and json.loads(line) for line in lines)
    assert not touched.exists()


def test_its_output_is_dropped(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    appending(tmp_path / "told").send(notice_of(episode("a"), "desk"))
    assert capfd.readouterr() == ("", "")


def test_its_environment_contains_no_secret(tmp_path: Path) -> None:
    secrets = dict.fromkeys(("CONSOLE_PASSWORD", "CONSOLE_NOTICE_SECRET", "CONSOLE_WEBHOOK_SECRET"), "canary")
    program = "import os, sys; open(sys.argv[1], 'w').write(repr(dict(os.environ)))"
    environ = without_password({"PATH": os.environ["PATH"], "KEPT": "yes", **secrets})
    CommandWay((sys.executable, "-c", program, str(tmp_path / "env")), environ).send(notice_of(episode("a"), "desk"))
    found = (tmp_path / "env").read_text(encoding="utf-8")
    assert "canary" not in found
    assert "KEPT" in found


def test_a_program_that_hangs_is_ended_with_those_that_it_started(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys; child = subprocess.Popen(['sleep', '60']);"
        "print(child.pid, file=open(sys.argv[1], 'w'), flush=True); child.wait()"
    )
    command = CommandWay((sys.executable, "-c", program, str(tmp_path / "pid")), {"PATH": os.environ["PATH"]}, 2.0)
    with pytest.raises(NotDelivered, match="was ended after 2 s"):
        command.send(notice_of(episode("a"), "desk"))
    child = int((tmp_path / "pid").read_text(encoding="utf-8"))
    end = time.monotonic() + 5
    while not gone(child):
        assert time.monotonic() < end, "the program's own child is still running"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("/nowhere/tell",), "cannot be run: No such file"), (("false",), "false ended with 1"), (("true",), "")],
)
def test_a_failure_is_said(arguments: tuple[str, ...], words: str) -> None:
    command = CommandWay(arguments, {"PATH": os.environ["PATH"]})
    try:
        command.send(notice_of(episode("a"), "desk"))
        said = ""
    except NotDelivered as failed:
        said = str(failed)
    assert words in said
    assert bool(words) is bool(said)


def test_several_run_at_once_and_not_more_than_allowed(tmp_path: Path) -> None:
    program = (
        "import os, sys, time; d = sys.argv[1]; me = os.path.join(d, str(os.getpid())); open(me, 'w').close();"
        "time.sleep(0.2); print(len(os.listdir(d)), file=open(sys.argv[2], 'a')); os.remove(me)"
    )
    folder = tmp_path / "running"
    folder.mkdir()
    arguments = (sys.executable, "-c", program, str(folder), str(tmp_path / "most"))
    lane = Lane(CommandWay(arguments, {"PATH": os.environ["PATH"]}), at_once=3)
    for number in range(9):
        lane.put(notice_of(episode(str(number)), "desk"))
    assert lane.close(30)
    most = [int(each) for each in (tmp_path / "most").read_text(encoding="utf-8").split()]
    assert len(most) == 9
    assert 2 <= max(most) <= 3
