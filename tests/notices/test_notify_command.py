"""`console notify test` on a pseudo terminal: what each way did, and what the terminal answers."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import threading
import tty
from pathlib import Path

import pytest

from console.cli.rules.notify import read_answer
from tests.notices.receiver import receiving
from tests.patience import PATIENCE
from tests.terminal.home import Home

KITTY = b"\x1bP>|kitty(0.36.1)\x1b\\\x1b]99;i=console:p=?;p=title,body:a=focus\x1b\\\x1b[?62;c"
ATTRIBUTES = b"\x1b[?62;4c"


def on_a_terminal(home: Home, answer: bytes, *arguments: str) -> tuple[int, str]:
    """Run `console notify test` on a terminal that answers questions so; return exit code and output."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    process = subprocess.Popen(
        [sys.executable, "-m", "console", "notify", "test", *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=home.environment(),
        start_new_session=True,
    )
    os.close(slave)
    said = bytearray()

    def read() -> None:
        try:
            while part := os.read(master, 4096):
                said.extend(part)
                if part.endswith(b"\x1b[c") or b"\x1b[c" in part:
                    os.write(master, answer)
        except OSError:  # The program has ended.
            pass

    reader = threading.Thread(target=read)
    reader.start()
    code = process.wait(PATIENCE)
    reader.join(PATIENCE)
    os.close(master)
    return code, said.decode()


def test_every_way_is_tried_and_the_terminal_is_asked(home: Home, tmp_path: Path) -> None:
    told = tmp_path / "told"
    with receiving(204) as receiver:
        home.write(
            '[notices]\nways.critical = ["bell", "title", "terminal", "command", "webhook"]\n'
            f'command = ["tee", "{told}"]\nwebhook = {{ url = "{receiver.url}" }}\n'
        )
        code, said = on_a_terminal(home, KITTY)
    assert code == 0
    lines = {line.split()[0]: line for line in said.replace("\x07", "").splitlines() if line and line[0].isalpha()}
    assert "\x07" in said
    assert "\x1b]2;▲ console: Test" in said
    assert said.count("\x1b[22;2t") == said.count("\x1b[23;2t") == 1
    assert "\x1b]99;i=console" in said
    assert "tee ended with 0" in lines["command"]
    assert "answered 204" in lines["webhook"]
    assert 'Terminal: kitty(0.36.1). It shows notifications: set terminal = "osc99"' in said
    assert json.loads(told.read_text(encoding="utf-8"))["test"] is True
    assert len(receiver.received) == 1


def test_a_configured_way_that_fails_is_reported_and_the_exit_code_is_1(home: Home) -> None:
    home.write('[notices]\nways.warning = ["command"]\ncommand = ["false"]\n')
    done = home.run("notify", "test", "--json")
    assert done.returncode == 1
    found = {each["way"]: each for each in json.loads(done.stdout)["ways"]}
    assert (found["command"]["result"], found["command"]["words"]) == ("failed", "false ended with 1")
    assert found["bell"]["words"] == "there is no terminal"


@pytest.mark.parametrize(
    ("said", "name", "sequence"),
    [
        (KITTY, "kitty(0.36.1)", "osc99"),
        (b"\x1bP>|foot(1.16)\x1b\\" + ATTRIBUTES, "foot(1.16)", "osc777"),
        (b"\x1bP>|iTerm2 3.5\x1b\\" + ATTRIBUTES, "iTerm2 3.5", "osc9"),
        (ATTRIBUTES, "", None),
        (b"\x1bP>|evil\x9b31m\x07\x1b\\" + ATTRIBUTES, "evil�31m␇", None),
    ],
)
def test_answers_of_terminals(said: bytes, name: str, sequence: str | None) -> None:
    found = read_answer(said)
    assert (found.name, found.sequence) == (name, sequence)


def test_a_secret_is_stored_only_if_it_is_long_enough(home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "console", "notify", "secret"],
        env=home.environment(),
        input="short\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "16 bytes or more" in done.stderr
    assert "short" not in done.stderr
