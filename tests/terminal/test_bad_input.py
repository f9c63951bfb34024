"""Invalid configuration or input at the start: a sentence, the right exit code, a restored terminal, no traceback."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from console.config.paths import resource_dir
from console.service.scenarios.fill import fill
from tests.background import Running, start_background
from tests.client.certificates import Authority
from tests.patience import PATIENCE
from tests.services import Services, world
from tests.terminal.home import LARGE, SMALL, Home, log_in
from tests.terminal.terminal import Terminal


@pytest.fixture(scope="module")
def service(services: Services) -> Generator[Running]:
    with services.anew(world("busy")) as running:
        yield running


def said(terminal: Terminal) -> str:
    """Return the output that an ended program left on the terminal."""
    assert terminal.leftovers == []
    assert "Traceback" not in terminal.screen
    return terminal.screen


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        ("[profiles.a]\ncore = 'htp://x'", (), "config.toml:2: profiles.a.core: must be a URL of the form http://host"),
        ("[profiles.desk]\ncore = 'http://x'", ("--profile", "deks"), "unknown profile 'deks'; did you mean desk?"),
        (
            "theme = 'mine'\n[profiles.a]\ncore = 'http://x'",
            (),
            "mine.toml:6: colours.backgruond: is an unknown key; did",
        ),
        (
            "[profiles.a]\ncore = 'http://x'\n[keys]\n'alerts.accept' = 'q'",
            (),
            "config.toml:4: keys.alerts.accept: q is already the key of quit (view.quit).",
        ),
    ],
    ids=["url", "profile", "theme file", "clash"],
)
def test_an_invalid_configuration_is_reported_before_any_prompt(
    home: Home, text: str, arguments: tuple[str, ...], words: str
):
    file = home.write(text)
    own = home.folder / "themes"
    own.mkdir()
    dark = (resource_dir("themes") / "dark.toml").read_text(encoding="utf-8")
    (own / "mine.toml").write_text(dark.replace("background", "backgruond", 1), encoding="utf-8")
    with home.open(*arguments, size=SMALL) as terminal:
        assert terminal.ended() == 2
        assert words in said(terminal)
    assert file.read_text(encoding="utf-8") == text


def test_an_invalid_theme_that_is_not_used_is_reported_once_the_console_is_open(home: Home, service: Running):
    own = home.folder / "themes"
    own.mkdir()
    (own / "mine.toml").write_text("[colours]\nbackgruond = '#000000'\n", encoding="utf-8")
    home.configure(service.core_url)
    with home.seat() as eva:
        eva.until("mine.toml:2: colours.backgruond: is an unknown key; did you mean background?")


def test_an_invalid_url_is_reported_as_a_configuration_error(home: Home, service: Running):
    home.configure(f"{service.base_url}/nowhere")
    with home.seat(size=SMALL, until="This profile cannot be used") as terminal:
        terminal.until("no such service at")
        terminal.press("escape")
        assert terminal.ended() == 2
        assert f"console: no such service at {service.base_url}/nowhere" in said(terminal)


@contextmanager
def only_shaking_hands(certificate: Path, key: Path) -> Generator[int]:
    """Listen with a certificate; return the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            try:
                context.wrap_socket(line, server_side=True).close()
            except OSError:
                line.close()

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(PATIENCE)


def test_an_untrusted_certificate_is_reported_and_no_password_is_sent(home: Home, tmp_path: Path):
    certificate, key = Authority(tmp_path / "ours").leaf("service")
    with only_shaking_hands(certificate, key) as port:
        home.configure(f"https://127.0.0.1:{port}/core")
        with home.seat(size=SMALL, until="No secure connection") as terminal:
            terminal.until("certificate is not trusted")
            terminal.press("escape")
            assert terminal.ended() == 3
            assert "console: the service's certificate is not trusted" in said(terminal)


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_a_service_that_is_not_available_yet_is_retried(home: Home):
    port = unused_port()
    home.configure(f"http://127.0.0.1:{port}/core")
    with home.seat(size=SMALL, until="OFFLINE") as eva:
        eva.until("retry in")
        eva.until(f"unknown: cannot connect to 127.0.0.1:{port}")
        assert "all is well" not in eva.screen
        eva.press("2")
        eva.until(f"Not loaded: cannot connect to 127.0.0.1:{port}")
        assert "0 calls" not in eva.screen
        with start_background(lambda platform: fill(platform, "quiet"), port=port):
            eva.until("LIVE")
            eva.until("►")
            eva.press("q")
            assert eva.ended() == 0
            assert said(eva).endswith("Password of eva:")


def test_quitting_before_the_service_answered_exits_as_a_connection_error(home: Home):
    port = unused_port()
    home.configure(f"http://127.0.0.1:{port}/core")
    with home.seat(until="OFFLINE") as eva:
        eva.press("q")
        assert eva.ended() == 3
        reason = f"cannot connect to 127.0.0.1:{port}: connection refused"
        assert f"console: not connected: {reason}" in said(eva)


@pytest.mark.parametrize("arguments", [(), ("demo",)], ids=["console", "demo"])
def test_without_a_terminal_the_headless_commands_are_named(home: Home, service: Running, arguments: tuple[str, ...]):
    home.configure(service.core_url)
    ended = home.run(*arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("console: no terminal: use")
    assert "console list" in ended.stderr


def test_a_dumb_or_missing_terminal_is_refused(home: Home, service: Running, tmp_path: Path):
    home.configure(service.core_url)
    errors = tmp_path / "errors"
    with home.open(errors=errors) as terminal:
        assert terminal.ended() == 2
    assert "no terminal: use" in errors.read_text(encoding="utf-8")
    with home.open(TERM="dumb") as terminal:
        assert terminal.ended() == 2
        assert "console: this terminal (TERM=dumb) cannot draw" in said(terminal)


def test_the_screen_has_the_size_of_the_terminal_whatever_the_environment_says(home: Home, service: Running):
    home.configure(service.core_url)
    with home.open(COLUMNS="37", LINES="11") as eva:
        log_in(eva)
        eva.until("LIVE")
        assert "too small" not in eva.screen
        assert "desk \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} eva" in eva.screen, "the name of the profile"


def line_of(screen: str, words: str) -> int:
    """Return the line of the screen with these words, -1 if there is none."""
    return next((number for number, line in enumerate(screen.splitlines()) if words in line), -1)


def test_a_terminal_that_is_too_small_is_reported_and_restored_when_enlarged(home: Home, service: Running):
    home.configure(service.core_url)
    with home.seat(size=(40, 10), until="This terminal is too small") as eva:
        eva.until("60 columns and 16 lines are needed.")
        eva.resize(*SMALL)
        eva.until("Needs attention")
        eva.press("6")
        eva.until("6 open")
        eva.press("down")
        eva.until(lambda: eva.row)
        row = eva.row
        eva.resize(40, 10)
        eva.until("This terminal is too small")
        eva.type("axxu7")
        eva.until(lambda: eva.unread == 0)
        # The keys that were read may not have been handled yet; before the next size is drawn, they have.
        notice = line_of(eva.screen, "This terminal is too small")
        eva.resize(40, 14)
        eva.until(lambda: line_of(eva.screen, "This terminal is too small") not in {-1, notice})
        eva.resize(*LARGE)
        eva.until(lambda: eva.row.split()[:4] == row.split()[:4])
        eva.until("6 open")
        eva.press("enter")
        eva.until("Message")
        eva.resize(40, 10)
        eva.until("This terminal is too small")
        eva.press("q")
        assert eva.ended() == 0
        assert eva.leftovers == []


def test_forbidden_actions_are_grey_and_have_a_reason(home: Home, service: Running):
    home.configure(service.core_url)
    with home.open(coloured=True) as ana:
        log_in(ana, "ana")
        ana.until("LIVE")
        ana.press("8")
        ana.until("+ make agent")
        assert ana.colour("+ make agent") == ana.colour("make agent") != ana.colour("/ filter")
        ana.press("+")
        ana.until("Only admins can do this.")
