"""The files of `deploy/` agree with the program and with each other, in what would otherwise fail at a customer."""

from __future__ import annotations

import re
import shlex
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from console.cli.parser import parse
from console.service.http.app import build_app
from console.service.platform import Platform

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
PINNED = re.compile(r"[a-z-]+:\d+\.\d+(\.\d+)?(-[a-z]+)*")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


@pytest.fixture(scope="module")
def unit() -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None, comment_prefixes=("#",), delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their case
    parser.read_string((DEPLOY / "console-serve@.service").read_text())
    return parser


@pytest.fixture(scope="module")
def nodes(compose: dict[str, Any]) -> dict[str, Any]:
    return {name: service for name, service in compose["services"].items() if name.startswith("node-")}


def words_of(instruction: str) -> list[str]:
    """Return the words of the last instruction of this name in the Containerfile, which are a list in JSON."""
    (*_, words) = re.findall(rf"^\s*{instruction} (\[.*\])$", CONTAINERFILE, re.MULTILINE)
    return yaml.safe_load(words)


def balancer_words(name: str) -> list[list[str]]:
    """Return the words of the lines of the balancer that begin with a name."""
    lines = map(shlex.split, (DEPLOY / "haproxy.cfg").read_text().splitlines())
    return [line[1:] for line in lines if line[:1] == [name]]


def test_images_are_pinned_to_a_version_and_built_from_what_exists(compose: dict[str, Any]) -> None:
    bases = re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE)
    images = [service["image"] for service in compose["services"].values()]
    assert len(bases) == 2
    assert [image for image in (*bases, *images) if not PINNED.fullmatch(image)] == []
    copies = [words.split()[:-1] for words in re.findall(r"^COPY (?!--from)(.*)$", CONTAINERFILE, re.MULTILINE)]
    sources = [ROOT / name for names in copies for name in names]
    assert len(sources) >= 6
    assert [source for source in sources if not source.exists()] == []
    for node in (service for service in compose["services"].values() if "build" in service):
        context = DEPLOY / node["build"]["context"]
        assert (context / node["build"]["dockerfile"]).resolve() == DEPLOY / "Containerfile"


def test_the_image_runs_the_service_as_its_own_user_and_checks_its_port() -> None:
    assert words_of("ENTRYPOINT") == ["console"]
    options = parse(words_of("CMD"))
    users = re.findall(r"^USER (\S+)$", CONTAINERFILE, re.MULTILINE)
    assert users == ["10001"]
    assert f"--uid {users[0]}" in CONTAINERFILE
    assert f"EXPOSE {options['port']}" in CONTAINERFILE
    check = re.search(r"HEALTHCHECK .*?CMD (\[.*\])$", CONTAINERFILE, re.MULTILINE)
    assert check is not None
    program = yaml.safe_load(check[1])[2]
    compile(program, "the check", "exec")
    assert f"'127.0.0.1', {options['port']}" in program
    assert f"VOLUME {options['key'].parent}" in CONTAINERFILE


def test_the_balancer_has_the_nodes_with_their_ports_and_asks_whether_they_are_ready(nodes: dict[str, Any]) -> None:
    ports = {name: parse(node["command"])["port"] for name, node in nodes.items()}
    assert len(ports) == 2
    assert {name: address for name, address, *_ in balancer_words("server")} == {
        name: f"{name}:{port}" for name, port in ports.items()
    }
    ((_, method, asked),) = [words for words in balancer_words("option") if words[0] == "httpchk"]
    assert method == "GET"
    platform = Platform()
    try:
        assert asked in {getattr(route, "path", "") for route in build_app(platform).routes}
    finally:
        platform.close()
    assert f"'{asked}'" in CONTAINERFILE
    assert ["deny", "if", "{", "path", "/metrics", "}"] in balancer_words("http-request")


def test_the_balancer_listens_at_the_published_port_with_its_own_configuration(compose: dict[str, Any]) -> None:
    balancer = compose["services"]["balancer"]
    ((bound,),) = balancer_words("bind")
    assert [port.rpartition(":")[2] for port in balancer["ports"]] == [bound.removeprefix(":")]
    (mounted,) = balancer["volumes"]
    assert (DEPLOY / mounted.split(":")[0]).resolve() == DEPLOY / "haproxy.cfg"


def test_the_nodes_share_database_and_key_and_trust_the_network_of_the_balancer(
    compose: dict[str, Any], nodes: dict[str, Any]
) -> None:
    (subnet,) = [each["subnet"] for each in compose["networks"]["default"]["ipam"]["config"]]
    database = compose["services"]["database"]["environment"]
    for node in nodes.values():
        options = parse(node["command"])
        expected = f"postgresql://{database['POSTGRES_USER']}@database/{database['POSTGRES_DB']}"
        assert (options["database"], options["trusted_proxy"]) == (expected, [subnet])
        (volume,) = [each.split(":") for each in node["volumes"]]
        assert volume == ["key", str(options["key"].parent)]
        assert node["read_only"] is True
    assert compose["volumes"].keys() == {"data", "key"}
    waits = [(name, wait) for name, service in compose["services"].items() for wait in service.get("depends_on", ())]
    assert ("node-2", "node-1") in waits
    assert {wait for _, wait in waits} <= compose["services"].keys()


def test_the_unit_starts_the_service_with_options_that_exist_and_a_key_that_it_may_write(unit: ConfigParser) -> None:
    service = unit["Service"]
    program, *arguments = shlex.split(service["ExecStart"].replace("%i", "8080"))
    assert program == "/opt/console/bin/console"
    options = parse(arguments)
    assert options["port"] == 8080
    assert options["key"].parent == Path("/var/lib") / service["StateDirectory"]
    assert (service["ProtectSystem"], service["DynamicUser"], service["Type"]) == ("strict", "yes", "exec")


def test_no_secret_stands_in_a_file(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        secrets = {value for name, value in service.get("environment", {}).items() if "PASSWORD" in name}
        assert all(value.startswith("${DATABASE_PASSWORD:?") for value in secrets)
        options = parse(service["command"]) if "command" in service else {"database": "//"}
        assert ":" not in options["database"].split("//")[1]
    for file in DEPLOY.iterdir():
        assert not re.search(r"(PASSWORD|SECRET|TOKEN)=(?!\.\.\.)", file.read_text()), file.name
