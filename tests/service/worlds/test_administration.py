"""The administrator's data in a scenario: domains with users, inherited permissions, credentials, clients."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from console.api.annotations import Variant
from console.config.toml_source import ConfigFault
from console.service.auth.passwords import Cost
from console.service.domain import clients, credentials, domains, permissions
from console.service.domain.clients import CLIENTS
from console.service.domain.credentials import CREDENTIALS
from console.service.domain.domains import DOMAINS
from console.service.domain.people import USERS
from console.service.domain.settings import SETTINGS
from console.service.platform import Platform, ServiceSettings
from console.service.scenarios.fill import fill
from tests.for_each import for_each
from tests.service.worlds.conftest import Filled


@for_each(
    "world, variant", [*((name, Variant.LATER) for name in ("quiet", "busy", "incident")), ("quiet", Variant.EARLIER)]
)
def test_a_world_contains_records_of_every_administration_list(filled: Filled, world: str, variant: Variant) -> None:
    platform = filled(world, variant)
    with platform.read() as tx:
        known = {each.id: each for each in DOMAINS.records(tx)}
        peopled = set(tx.run(sa.select(USERS.c.domain).distinct()).scalars())
        assert peopled <= known.keys()
        assert {"desk.example", "north.desk.example"} <= peopled
        assert known["north.desk.example"].parent == "desk.example"
        assert domains.of_origin(tx, "https://www.shop.example") == known["shop.example"]
        assert known["shop.example"].guest_capabilities == ("+chat", "+c2ccall")
        north = USERS.records(tx, USERS.c.domain == "north.desk.example", limit=1)[0]
        assert (shared := permissions.in_force(tx, north).recording) is not None
        assert shared.recording_type == "all"
        assert (own := permissions.in_force(tx, USERS.need(tx, "pat")).recording) is not None
        assert own.recording_type == "none"
        assert {"basic", "svc-ims", "oauth2"} == {each.type for each in CREDENTIALS.records(tx)}
        assert {"eva", "ana", "pat"} <= {each.user for each in SETTINGS.records(tx)}
        for client in CLIENTS.records(tx):
            secret = clients.with_secret(platform, tx, client.id).client_secret or ""
            assert clients.is_right(platform, client.client_id or "", secret)
        phone = CREDENTIALS.records(tx, CREDENTIALS.c.user == "ana", CREDENTIALS.c.type == "svc-ims")[0]
        assert credentials.secret_of(platform, tx, phone.id)["password"] not in (CREDENTIALS.body(tx, phone.id) or "")


@pytest.mark.parametrize(
    ("domain", "fault"),
    [
        ('domain = "a.example"\nparent = "b.example"', "there is no domain b.example"),
        ('domain = "a.example"\norigins = ["("]', "is not a regular expression"),
    ],
)
def test_an_invalid_domain_of_a_world_is_reported(tmp_path: Path, domain: str, fault: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(f'title = "Own"\n\n[[domains]]\n{domain}\n', encoding="utf-8")
    platform = Platform(settings=ServiceSettings(password_cost=Cost.cheap()))
    with pytest.raises(ConfigFault, match=fault):
        fill(platform, file)
    platform.close()
