"""A proxy that the console cannot use is refused with words, where it is configured."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.config.reader import load
from console.config.toml_source import ConfigFault
from tests.for_each import for_each

PROFILE = '[profiles.day]\ncore = "http://127.0.0.1:9/core"\n'
VARIABLES = ("ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy")
NO_HTTP_PROXIES = (
    "socks5://127.0.0.1:1080",
    "socks5h://a:b@h",
    "ftp://h",
    "http://h:port",
    "http://",
    "\udcff",
    "http://a b",
)


@for_each("scheme", ("socks", "socks4", "socks4a", "socks5", "socks5h", "SOCKS5"))
def test_a_socks_proxy_of_a_profile_is_refused(scheme: str, tmp_path: Path):
    file = tmp_path / "config.toml"
    file.write_text(f'{PROFILE}proxy = "{scheme}://127.0.0.1:1080"\n', encoding="utf-8")
    with pytest.raises(ConfigFault, match=r":3: profiles.day.proxy: is a SOCKS proxy, which the console cannot use"):
        load(file, {})


@pytest.mark.parametrize("variable", VARIABLES)
@pytest.mark.parametrize("url", NO_HTTP_PROXIES)
def test_a_proxy_of_the_environment_that_is_not_http_is_refused(
    variable: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in (*VARIABLES, "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
    file = tmp_path / "config.toml"
    monkeypatch.setenv(variable, url)
    file.write_text(PROFILE, encoding="utf-8")
    load(file, {}).check_files("day")
    file.write_text(PROFILE + "trust_env = true\n", encoding="utf-8")
    with pytest.raises(ConfigFault, match="not an HTTP proxy"):
        load(file, {}).check_files("day")
    monkeypatch.setenv(variable, "proxy.example:3128")
    load(file, {}).check_files("day")
