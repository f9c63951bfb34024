from __future__ import annotations

import os
import re
import threading
from pathlib import Path
from textwrap import dedent
from typing import ClassVar

import pytest

from console.base.signs import terminal_symbols
from console.config.paths import places, resource_dir
from console.config.reader import load, load_config, pick_profile
from console.config.schema import Config, Profile
from console.config.toml_source import ConfigFault, parse_toml
from tests.for_each import for_each


def write(directory: Path, text: str, name: str = "config.toml") -> Path:
    file = directory / name
    file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return file


def faults(file: Path, environ: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(ConfigFault) as caught:
        load_config(file, environ or {})
    return [str(problem).removeprefix(f"{file}:") for problem in caught.value.problems]


def test_without_a_file_all_settings_have_defaults(tmp_path: Path):
    assert load_config(None, {"CONSOLE_HOME": str(tmp_path), "TERM": "xterm-kitty"}) == Config()


def test_a_profile_is_read_with_its_defaults(tmp_path: Path):
    file = write(
        tmp_path,
        """
        profile = "night"
        [profiles.night]
        core = "https://voice.example/core"
        password_command = "pass show 'voice desk'"
        """,
    )
    profile = load_config(file, {}).profiles["night"]
    assert profile.core == "https://voice.example/core"
    assert profile.password_command == ("pass", "show", "voice desk")
    assert profile.events == "auto"
    assert profile.present.header == "Authorization"


def test_paths_in_a_file_are_relative_to_it(tmp_path: Path):
    file = write(
        tmp_path,
        """
        [profiles.a]
        core = "https://voice.example/core"
        routes = "routes.toml"
        tls_ca = "/etc/ca.pem"
        """,
    )
    profile = load_config(file, {}).profiles["a"]
    assert profile.routes == tmp_path / "routes.toml"
    assert profile.tls_ca == Path("/etc/ca.pem")


def test_every_error_is_reported_at_once_with_its_line_and_the_nearest_key(tmp_path: Path):
    file = write(
        tmp_path,
        """
        theem = "dark"
        hold_seconds = 99

        [profiles.a]
        core = "voice.example"
        read_olny = true

        [profiles.b]
        variant = "latest"
        """,
    )
    assert faults(file) == [
        "1: theem: is an unknown key; did you mean theme?",
        "2: hold_seconds: must be a number from 0 to 30",
        "5: profiles.a.core: must be a URL of the form http://host[:port]/path or https://host[:port]/path",
        "6: profiles.a.read_olny: is an unknown key; did you mean read_only?",
        "8: profiles.b.core: is missing",
        "9: profiles.b.variant: must be 'later' or 'earlier'",
    ]


@for_each(
    "line, fault",
    [
        (
            'events = "http://x/events"',
            "events: must be auto, off, or a URL of the form ws://host[:port]/path or wss://…",
        ),
        ('provisioning = "http://a b/core"', "provisioning: must not contain blanks or control characters"),
        ('time_zone = "Mars/Base"', "time_zone: is not a time zone; use a name such as Europe/Madrid or UTC"),
        ('present = "basic"', 'present: must be "bearer", or a table with header and scheme, or with query'),
        ('present = { heder = "X" }', "present.heder: is an unknown key; did you mean header?"),
        (
            'proxy = "http://me:secret@p"',
            "proxy: must not contain a user name or password: use proxy_command",
        ),
        ("username = 7", "username: must be a text that is not empty"),
        ("trust_env = 3", "trust_env: must be true or false"),
        ("tls_ca = 3", "tls_ca: must be the name of a file"),
        ("password_command = 3", "password_command: must be a list of texts"),
        ("statuses = { 200 = 'login' }", "statuses.200: must be a whole number from 300 to 599"),
        (
            "statuses = { 440 = 'loggin' }",
            "statuses.440: must be 'invalid', 'login', 'forbidden', 'missing', 'conflict', 'busy' or 'absent'",
        ),
        ("tls_key = 'me.key'", "tls_key: needs tls_cert"),
        ("addresses = { usr = 'x' }", "addresses.usr: is an unknown key; did you mean user?"),
        (
            "addresses = { user = 'wac-user:' }",
            'addresses.user: must contain {id} once, such as "wac-user:{id}"',
        ),
        (
            "addresses = { also = ['sip:{id}@x', '{id}'] }",
            'addresses.also: must be texts with {id} once and more around it, such as "sip:{id}@voice.example"',
        ),
        ("addresses = { user = 'a:{id}', group = 'a:{id}' }", "addresses.group: must differ from user"),
        ("channel = { diallect = 'x' }", "channel.diallect: is an unknown key; did you mean dialect?"),
        ("channel = { say = 'hello' }", "channel.say: needs lists, or another dialect"),
        ("channel = { lists = { x = ['calls'] } }", "channel.url: is missing: the dialect hints needs it"),
        ("channel = { dialect = 'hints', url = 'ws://x/y' }", "channel.lists: is missing: the dialect hints needs it"),
        (
            "channel = { url = 'https://x/y?z=1', say = 'hello', lists = { x = ['calls'] } }",
            "channel.say: cannot be sent: server-sent events have one direction",
        ),
        ("channel = { quiet = 30 }", "channel.quiet: needs lists, or another dialect"),
        ("channel = { quiet = 0 }", "channel.quiet: must be a number from 1 to 3600"),
        ("channel = { url = 'http://x/y' }", "channel.url: must be a ws or wss URL for the dialect console"),
        (
            "channel = { url = 'wss://me:secret@x/y' }",
            "channel.url: must not contain a user name or password: use username and password_command",
        ),
        ("page_size = 0", "page_size: must be a whole number from 1 to 1000"),
        ("headers = { 'a b' = 'x' }", "headers.a b: is not a header name: use letters, digits and hyphens"),
        (
            "headers = { X-Key = 'k\u00e9y' }",
            "headers.X-Key: cannot be sent as a header: it must be ASCII text on one line, without blanks around it",
        ),
        (
            'headers = { X-Key = "a\\nb" }',
            "headers.X-Key: cannot be sent as a header: it must be ASCII text on one line, without blanks around it",
        ),
        ("headers = { Host = 'x' }", "headers.Host: is set by the console"),
        (
            "headers = { authorization = 'x' }",
            "headers.authorization: carries the token: use present, and login for the token",
        ),
        ("present = { header = 'a b' }", "present.header: must be a text of letters, digits and hyphens"),
    ],
)
def test_an_invalid_value_is_reported_with_its_position(tmp_path: Path, line: str, fault: str):
    file = write(tmp_path, f'[profiles.a]\ncore = "https://voice.example"\n\n{line}\n')
    (found,) = faults(file)
    assert found.startswith(f"4: profiles.a.{fault}")


def test_an_event_channel_is_named_only_once(tmp_path: Path):
    file = write(tmp_path, '[profiles.a]\ncore = "https://x"\nevents = "off"\n[profiles.a.channel]\nurl = "ws://x/y"\n')
    assert faults(file) == ["3: profiles.a.events: cannot be combined with channel: set channel.url instead"]


def test_no_error_repeats_the_value(tmp_path: Path):
    file = write(tmp_path, '[profiles.a]\ncore = "https://me:hunter2@voice.example"\n')
    assert "hunter2" not in " ".join(faults(file))


def test_invalid_toml_is_reported_with_its_line(tmp_path: Path):
    file = write(tmp_path, 'theme = "dark"\nbell = yes\n')
    assert faults(file)[0].startswith("2: is not valid TOML: invalid value")


@for_each("text", (f"a{'.a' * 3000} = 1", f"a = {'[' * 3000}", f"[a{'.a' * 3000}]", f"a{'.a' * 101} = 1"))
def test_a_file_nested_too_deeply_is_reported(tmp_path: Path, text: str):
    assert faults(write(tmp_path, text)) == ["1: is nested too deeply"]


def test_an_empty_variable_names_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path))
    monkeypatch.delenv("CONSOLE_HOME", raising=False)
    assert load_config(None, {"CONSOLE_CONFIG": ""}) == load_config(None, {})


def test_a_named_file_must_exist(tmp_path: Path):
    with pytest.raises(ConfigFault, match=r"nothing\.toml: cannot be read: No such file"):
        load_config(tmp_path / "nothing.toml", {})
    with pytest.raises(ConfigFault, match="cannot be read"):
        load_config(None, {"CONSOLE_CONFIG": str(tmp_path / "nothing.toml")})


def test_the_environment_overrides_the_file_and_is_named_as_the_origin(tmp_path: Path):
    file = write(tmp_path, 'theme = "light"\nbell = false\n')
    loaded = load(file, {"CONSOLE_THEME": "mono"})
    assert loaded.config.theme == "mono"
    assert loaded.origins["theme",] == "CONSOLE_THEME"
    assert loaded.origins["bell",] == f"{file}:2"


def test_the_command_line_overrides_the_environment(tmp_path: Path):
    loaded = load(write(tmp_path, ""), {"CONSOLE_THEME": "mono"}, {"theme": "light"})
    assert loaded.config.theme == "light"
    assert loaded.origins["theme",] == "--theme"


@pytest.mark.parametrize(
    ("variable", "value", "fault"),
    [
        ("CONSOLE_SYMBOLS", "emoji", "must be 'full', 'plain' or 'ascii'"),
        ("CONSOLE_VARIANT", "earlier", "needs CONSOLE_CORE, the URL of the core service"),
    ],
)
def test_an_error_in_the_environment_names_the_variable(tmp_path: Path, variable: str, value: str, fault: str):
    assert faults(write(tmp_path, ""), {variable: value}) == [f"{variable}: {fault}"]


def test_an_unknown_default_profile_is_reported_with_the_nearest(tmp_path: Path):
    file = write(
        tmp_path,
        """
        profile = "nihgt"
        [profiles.night]
        core = "https://voice.example"
        """,
    )
    assert faults(file) == ["1: profile: profile 'nihgt' is not defined in profiles; did you mean night?"]


def test_a_core_url_in_the_environment_is_a_profile_of_its_own(tmp_path: Path):
    config = load_config(write(tmp_path, ""), {"CONSOLE_CORE": " http://127.0.0.1:8080/core\n"})
    assert pick_profile(config, None) == ("environment", Profile(core="http://127.0.0.1:8080/core"))


def test_a_profile_from_the_environment_can_have_a_provisioning_service_and_variants(tmp_path: Path):
    environ = {
        "CONSOLE_CORE": "http://127.0.0.1:8080/core",
        "CONSOLE_PROVISIONING": "http://127.0.0.1:8080/provisioning",
        "CONSOLE_VARIANT": "earlier",
        "CONSOLE_PROVISIONING_VARIANT": "earlier",
    }
    loaded = load(write(tmp_path, '[profiles.environment]\ncore = "http://file"\nread_only = true\n'), environ)
    name, profile = pick_profile(loaded.config, None)
    assert name == "environment"
    assert profile == Profile(
        core="http://127.0.0.1:8080/core",
        provisioning="http://127.0.0.1:8080/provisioning",
        variant="earlier",
        provisioning_variant="earlier",
    )
    assert loaded.origins["profiles", "environment", "variant"] == "CONSOLE_VARIANT"


@pytest.mark.parametrize(
    ("variable", "value", "fault"),
    [
        (
            "CONSOLE_PROVISIONING",
            "voice.example",
            "must be a URL of the form http://host[:port]/path or https://host[:port]/path",
        ),
        ("CONSOLE_VARIANT", "newest", "must be 'later' or 'earlier'"),
        ("CONSOLE_PROVISIONING_VARIANT", "", None),
        ("CONSOLE_PROVISIONING_VARIANT", "new", "must be 'later' or 'earlier'"),
    ],
)
def test_each_variable_of_the_environment_profile_is_checked(
    tmp_path: Path, variable: str, value: str, fault: str | None
):
    environ = {"CONSOLE_CORE": "http://127.0.0.1:8080/core", variable: value}
    if fault is None:
        load(write(tmp_path, ""), environ)
    else:
        assert faults(write(tmp_path, ""), environ) == [f"{variable}: {fault}"]


class TestPickingAProfile:
    profiles: ClassVar = {"day": Profile(core="http://a"), "night": Profile(core="http://b")}

    def test_a_single_profile_needs_no_name(self):
        assert pick_profile(Config(profiles={"day": self.profiles["day"]}), None)[0] == "day"

    def test_the_configured_profile_is_selected(self):
        assert pick_profile(Config(profiles=self.profiles, profile="night"), None)[0] == "night"

    def test_among_several_profiles_one_must_be_named(self):
        with pytest.raises(ConfigFault, match="several profiles"):
            pick_profile(Config(profiles=self.profiles), None)

    def test_an_unknown_profile_gets_the_nearest_as_a_suggestion(self):
        with pytest.raises(ConfigFault, match=r"unknown profile 'nite'; did you mean night\?"):
            pick_profile(Config(profiles=self.profiles), "nite")

    def test_without_profiles_the_demo_is_suggested(self):
        with pytest.raises(ConfigFault, match="console demo"):
            pick_profile(Config(), None)


def test_the_system_file_is_read_first_and_the_users_overrides_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    site, own = tmp_path / "site", tmp_path / "own"
    for place in (site, own):
        (place / "operator-console").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(site))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(own))
    write(
        site / "operator-console", 'theme = "light"\nbell = false\n[profiles.a]\ncore = "http://a"\nread_only = true\n'
    )
    write(own / "operator-console", 'theme = "mono"\n[profiles.a]\ncore = "http://b"\n')
    loaded = load(None, {})
    assert (loaded.config.theme, loaded.config.bell) == ("mono", False)
    assert loaded.config.profiles["a"].core == "http://b"
    assert loaded.config.profiles["a"].read_only
    assert loaded.origins["profiles", "a", "read_only"].endswith("site/operator-console/config.toml:5")


def test_all_files_of_a_user_can_be_moved_below_one_directory(tmp_path: Path):
    where = places({"CONSOLE_HOME": str(tmp_path)})
    assert where.site_config_file is None
    assert all(tmp_path in place.parents for place in (where.config_file, where.journal, where.tokens, where.log))


def test_worlds_and_themes_are_moved_as_well():
    assert (resource_dir("seeds") / "busy.toml").is_file()
    with pytest.raises(FileNotFoundError, match="sounds is missing from this installation"):
        resource_dir("sounds")


def test_lines_are_found_in_every_toml_syntax():
    source = parse_toml(
        dedent(
            '''
            # a comment with = and [brackets]
            "quoted key" = 1
            text = """
            [not.a.table]
            fake = 1
            """
            raw = \'\'\'
            x = \'\'\'
            list = [
                1,  # one
                [2, "]"],
                { a = 1, "b.c" = 2 },
            ]
            dotted.key = { inner = true, deep = { er = "#" } }

            [table . "sub"]
            a = 2020-01-01T00:00:00Z
            [[many]]
            a = 1
            [[many]]
            b = 2
            [many.under]
            c = 3
            '''
        ),
        Path("x.toml"),
    )
    expected = {
        ("quoted key",): 3,
        ("text",): 4,
        ("raw",): 8,
        ("list",): 10,
        ("list", 0): 11,
        ("list", 1, 1): 12,
        ("list", 2, "b.c"): 13,
        ("dotted", "key", "deep", "er"): 15,
        ("table", "sub", "a"): 18,
        ("many", 0, "a"): 20,
        ("many", 1, "b"): 22,
        ("many", 1, "under", "c"): 24,
    }
    assert {place: source.line(place) for place in expected} == expected


def test_a_file_that_is_not_text_is_reported_with_its_line(tmp_path: Path):
    file = tmp_path / "config.toml"
    file.write_bytes(b"theme = 'dark'\nx = '\xff'\n")
    assert faults(file) == ["2: is not UTF-8 text"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("/dev/zero", "cannot be read: more than 16 MiB"),
        ("config.toml", "cannot be read: Too many levels of symbolic links"),
    ],
)
def test_a_link_to_a_file_without_end_or_to_itself_is_refused_in_words(tmp_path: Path, target: str, message: str):
    file = tmp_path / "config.toml"
    file.symlink_to(target)
    with pytest.raises(ConfigFault, match=re.escape(message)):
        load_config(None, {"CONSOLE_HOME": str(tmp_path.parent), "CONSOLE_CONFIG": str(file)})


def test_a_pipe_is_read_to_its_end_and_one_without_writer_is_empty(tmp_path: Path):
    pipe = tmp_path / "config.toml"
    os.mkfifo(pipe)
    assert load_config(pipe, {}).profiles == {}
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "wb", buffering=0) as writer:
        writer.write(b"[profiles.a]\n")
        config: list[Config] = []
        reader = threading.Thread(target=lambda: config.append(load_config(Path(f"/dev/fd/{reading}"), {})))
        reader.start()
        writer.write(b'core = "https://voice.example"\n')
        writer.close()
        reader.join()
    assert list(config[0].profiles) == ["a"]


def test_a_number_with_too_many_digits_is_refused_in_words(tmp_path: Path):
    file = write(tmp_path, "a = " + "1" * 5000)
    with pytest.raises(ConfigFault, match="contains a number with too many digits"):
        load_config(file, {})


def test_a_toml_error_reads_like_a_compilers():
    with pytest.raises(ConfigFault, match=r"^x\.toml:2: is not valid TOML"):
        parse_toml("a = 1\na = 2\n", Path("x.toml"))


@pytest.mark.parametrize(
    ("login", "session", "alone"),
    [
        ('"session"', True, False),
        ('"token"', False, False),
        ('{ url = "https://idp.example/token", client_id = "desk" }', None, False),
        ('{ command = "gcloud auth print-access-token" }', None, True),
        (
            '{ url = "https://idp.example/t", grant = "client_credentials", client_id = "d", '
            'client_secret_command = "pass desk" }',
            None,
            True,
        ),
    ],
)
def test_a_login_is_a_word_or_a_table(tmp_path: Path, login: str, session: bool | None, alone: bool):
    file = write(tmp_path, f"[profiles.a]\ncore = 'https://voice.example/core'\nlogin = {login}\n")
    found = load_config(file, {}).profiles["a"].login
    assert (found.session, found.alone) == (session, alone)


LOGIN_FAULTS = [
    ('"sesion"', 'login: must be "session", "token", or a table with url or command'),
    ('{ urll = "https://idp.example" }', "login.urll: is an unknown key; did you mean url?"),
    (
        '{ url = "idp.example" }',
        "login.url: must be a URL of the form http://host[:port]/path or https://host[:port]/path",
    ),
    ('{ scope = "a" }', "login.scope: needs url, the token endpoint"),
    ('{ url = "https://i.example", command = "x" }', "login.command: cannot be combined with url"),
    (
        '{ url = "https://i.example", grant = "client-credentials" }',
        "login.grant: must be 'password' or 'client_credentials'",
    ),
    (
        '{ url = "https://i.example", grant = "client_credentials" }',
        "login.grant: needs client_id and client_secret_command",
    ),
    (
        '{ url = "https://i.example", parameters = { client_secret = "canary" } }',
        "login.parameters.client_secret: is set by the console: use client_secret_command instead",
    ),
]


@pytest.mark.parametrize(("login", "words"), LOGIN_FAULTS)
def test_a_login_that_cannot_work_is_refused_with_its_line(tmp_path: Path, login: str, words: str):
    file = write(tmp_path, f"[profiles.a]\ncore = 'https://voice.example/core'\nlogin = {login}\n")
    assert faults(file) == [f"3: profiles.a.{words}"]


def test_the_program_of_a_command_is_relative_to_its_file(tmp_path: Path):
    file = write(
        tmp_path,
        """
        [profiles.a]
        core = "https://voice.example/core"
        password_command = "bin/word --of eva"
        provisioning_token_command = "pass show voice"
        login = { command = ["./token", "a/b"] }
        """,
    )
    profile = load_config(file, {}).profiles["a"]
    assert profile.password_command == (f"{tmp_path}/bin/word", "--of", "eva")
    assert profile.provisioning_token_command == ("pass", "show", "voice")
    assert profile.login.command == (f"{tmp_path}/token", "a/b")


@for_each(
    "environ, symbols",
    [
        ({"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}, ("full", "LANG=en_GB.UTF-8")),
        ({"TERM": "xterm-256color", "LC_ALL": "C", "LANG": "en_GB.UTF-8"}, ("plain", "LC_ALL=C")),
        ({"TERM": "xterm-256color", "LANG": "de_DE.utf8@euro"}, ("full", "LANG=de_DE.utf8@euro")),
        ({"TERM": "xterm-256color"}, ("plain", "no locale is set")),
        ({"TERM": "xterm-256color", "WEZTERM_PANE": "1"}, ("full", "the terminal is WezTerm")),
        ({"TERM": "foot"}, ("full", "TERM=foot")),
        ({"TERM": "linux", "LANG": "en_GB.UTF-8"}, ("plain", "TERM=linux")),
        ({"LANG": "en_GB.UTF-8"}, ("plain", "TERM is not set")),
    ],
)
def test_symbols_follow_the_terminal_and_its_locale(environ: dict[str, str], symbols: tuple[str, str]) -> None:
    assert terminal_symbols(environ) == symbols


def test_configured_symbols_have_precedence_over_the_terminal(tmp_path: Path) -> None:
    loaded = load(write(tmp_path, 'symbols = "full"\n'), {"TERM": "linux"})
    assert loaded.config.symbols == "full"
    assert loaded.origins["symbols",].endswith("config.toml:1")
    assert load(write(tmp_path, ""), {"TERM": "linux"}).origins["symbols",] == "TERM=linux"
