"""Domains, capabilities and cloud directories (contract 4.4)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations import domains as ops
from console.records.domains import DirectoryCredentials
from console.service.domain import directories, domains
from console.service.domain.directories import DIRECTORIES
from console.service.domain.domains import DOMAINS
from console.service.domain.people import USERS
from tests.contract.case import CaseSetup, case

ROOT = "desk.example"


def _kiosk(setup: CaseSetup) -> str:
    return domains.add(setup.platform, "kiosk.example", parent=ROOT, services=("login", "chat")).id


def _listing(setup: CaseSetup) -> ops.ListDomains:
    return ops.ListDomains(name=_kiosk(setup))


@case(ops.ListDomains, asks=_listing)
def list_domains(setup: CaseSetup, answer: Any) -> None:
    listed = {each.id: each for each in answer}
    assert listed["kiosk.example"].parent == ROOT
    if setup.variant is Variant.LATER:
        assert listed.keys() == {"kiosk.example"}
        assert listed["kiosk.example"].domain == "kiosk.example"
    else:
        assert {ROOT, "guests", "kiosk.example"} <= listed.keys()
        assert all(each.domain is None for each in answer)


def _capabilities(setup: CaseSetup) -> tuple[str | tuple[str, ...], ...]:
    return ("+chat", "+call") if setup.variant is Variant.LATER else (("+chat",), ("+call",))


@case(
    ops.CreateDomain,
    asks=lambda setup: ops.CreateDomain(
        domain="new.example",
        origins=(r"https://.*\.new\.example",),
        enable_anonymous=True,
        anonymous_capabilities=_capabilities(setup),
        services={"login": (), "presence": ("basic",)},
    ),
    bad={
        400: {
            "domain": [None, "", "Not a Name"],
            "parent": ["nowhere.example"],
            "origins": [["("], ["(?=x)"], "x"],
            "enableAnonymous": ["perhaps"],
            "anonymousCapabilities": [[["+chat"]], [3]],
            "services": [["login"], {"login": "x"}, {"": []}],
        },
        409: {"domain": [ROOT]},
    },
)
def create(setup: CaseSetup, answer: Any) -> None:
    assert (answer.id, answer.parent, answer.enable_anonymous) == ("new.example", ROOT, True)
    assert answer.services == {"login": (), "presence": ("basic",)}
    assert answer.anonymous_capabilities == _capabilities(setup)
    assert answer.guest_capabilities == ("+chat", "+call")
    with setup.platform.read() as tx:
        assert DOMAINS.need(tx, "new.example").origins == (r"https://.*\.new\.example",)
        assert domains.services_of(tx, "new.example") == ("login", "presence")


@case(
    ops.GetDomain,
    by="bob",
    asks=lambda _: ops.GetDomain(id=ROOT),
    not_for=("guest",),
    bad={403: {"id": ["guests"]}, 404: {"id": ["nowhere.example"]}},
)
def get(setup: CaseSetup, answer: Any) -> None:
    assert answer.id == ROOT
    assert "presence" in answer.services
    assert (answer.domain is None) is (setup.variant is Variant.EARLIER)


@case(
    ops.UpdateDomain,
    asks=lambda setup: ops.UpdateDomain(
        id=_kiosk(setup),
        domain="stand.example",
        parent="guests",
        origins=("kiosk",),
        services={"login": (), "meetings": ()},
    ),
    bad={
        400: {
            "domain": [None, "Not a Name"],
            "parent": ["nowhere.example", "kiosk.example"],
            "origins": [["[" * 3]],
            "services": [3],
        },
        404: {"id": ["nowhere.example"]},
        409: {"domain": ["shop.example"]},
    },
)
def update(setup: CaseSetup, answer: Any) -> None:
    assert (answer.id, answer.domain) == ("stand.example", "stand.example" if setup.variant is Variant.LATER else None)
    assert (answer.parent, answer.origins, answer.enable_anonymous) == ("guests", ("kiosk",), False)
    with setup.platform.read() as tx:
        assert domains.services_of(tx, "stand.example") == ("login", "meetings")


@case(
    ops.GetCapabilities,
    by="bob",
    asks=lambda _: ops.GetCapabilities(domain=ROOT),
    not_for=("guest",),
    bad={403: {"domain": ["elsewhere.example"]}},
)
def capabilities(setup: CaseSetup, answer: Any) -> None:
    assert "presence" in answer.domain
    assert answer.user == setup.need(USERS, "bob").capabilities


# -- cloud directories ------------------------------------------------------------------------------------------------

SECRET = "a secret for the directory"


def _directory(setup: CaseSetup) -> str:
    given = DirectoryCredentials(domain=ROOT, client_id="app", client_secret=SECRET, domain_tenant_id="tenant")
    return directories.create(setup.platform, given).domain


LONG = "x" * 256


@case(
    ops.CreateDirectoryCredentials,
    asks=lambda _: ops.CreateDirectoryCredentials(
        domain=ROOT, client_id="x" * 255, client_secret=SECRET, domain_tenant_id="tenant"
    ),
    bad={
        400: {
            "clientId": [LONG, 3, None],
            "clientSecret": [LONG, "", None],
            "domainTenantId": [LONG, None],
            "domain": ["nowhere.example", LONG, None],
        }
    },
)
def create_directory(setup: CaseSetup, answer: Any) -> None:
    assert (answer.domain, answer.client_secret, answer.domain_tenant_id) == (ROOT, SECRET, "tenant")
    assert SECRET not in str(setup.dump())
    with setup.platform.read() as tx:
        assert directories.need(setup.platform, tx, ROOT) == answer


@case(
    ops.GetDirectoryCredentials,
    asks=lambda setup: ops.GetDirectoryCredentials(domain=_directory(setup)),
    bad={404: {"domain": ["guests"]}},
)
def get_directory(setup: CaseSetup, answer: Any) -> None:
    assert (answer.client_id, answer.client_secret, answer.domain_tenant_id) == ("app", SECRET, "tenant")


@case(
    ops.UpdateDirectoryCredentials,
    asks=lambda setup: ops.UpdateDirectoryCredentials(domain=_directory(setup), client_secret="new"),
    bad={
        400: {"clientId": [LONG, 3], "clientSecret": [LONG, ""], "domainTenantId": [LONG]},
        404: {"domain": ["guests"]},
    },
)
def update_directory(setup: CaseSetup, answer: Any) -> None:
    assert (answer.client_id, answer.client_secret) == ("app", "new")
    with setup.platform.read() as tx:
        assert directories.need(setup.platform, tx, ROOT).client_secret == "new"


@case(
    ops.DeleteDirectoryCredentials,
    asks=lambda setup: ops.DeleteDirectoryCredentials(domain=_directory(setup)),
    bad={404: {"domain": ["guests"]}},
)
def delete_directory(setup: CaseSetup, answer: Any) -> None:
    assert answer.message
    assert setup.row(DIRECTORIES, ROOT) is None
