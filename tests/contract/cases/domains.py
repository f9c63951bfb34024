"""Domains, capabilities and cloud directories (contract 4.4)."""

from __future__ import annotations

from console.api.annotations import Variant
from console.api.operations import domains as ops
from console.records.domains import DirectoryCredentials
from console.service.domain import directories, domains
from console.service.domain.directories import DIRECTORIES
from console.service.domain.domains import DOMAINS
from console.service.domain.people import USERS
from tests.contract.case import CaseSetup, Steps, case

ROOT = "desk.example"


def _kiosk(setup: CaseSetup) -> str:
    return domains.add(setup.platform, "kiosk.example", parent=ROOT, services=("login", "chat")).id


@case(ops.ListDomains)
def list_domains(setup: CaseSetup) -> Steps:
    answer = yield ops.ListDomains(name=_kiosk(setup))
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
    bad={
        400: {
            "domain": ["Not a Name"],
            "parent": ["nowhere.example"],
            "origins": [["("], ["(?=x)"]],
            "anonymousCapabilities": [[["+chat"]], [3]],
            "services": [["login"], {"login": "x"}, {"": []}],
        },
        409: {"domain": [ROOT]},
    },
)
def create(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateDomain(
        domain="new.example",
        origins=(r"https://.*\.new\.example",),
        enable_anonymous=True,
        anonymous_capabilities=_capabilities(setup),
        services={"login": (), "presence": ("basic",)},
    )
    assert (answer.id, answer.parent, answer.enable_anonymous) == ("new.example", ROOT, True)
    assert answer.services == {"login": (), "presence": ("basic",)}
    assert answer.anonymous_capabilities == _capabilities(setup)
    assert answer.guest_capabilities == ("+chat", "+call")
    with setup.platform.read() as tx:
        assert DOMAINS.need(tx, "new.example").origins == (r"https://.*\.new\.example",)
        assert domains.services_of(tx, "new.example") == ("login", "presence")


@case(ops.GetDomain, by="bob", not_for=("guest",), bad={403: {"id": ["guests"]}})
def get(setup: CaseSetup) -> Steps:
    answer = yield ops.GetDomain(id=ROOT)
    assert answer.id == ROOT
    assert "presence" in answer.services
    assert (answer.domain is None) is (setup.variant is Variant.EARLIER)


@case(
    ops.UpdateDomain,
    bad={
        400: {
            "domain": ["Not a Name"],
            "parent": ["nowhere.example", "kiosk.example"],
            "origins": [["[" * 3]],
            "services": [3],
        },
        409: {"domain": ["shop.example"]},
    },
)
def update(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateDomain(
        id=_kiosk(setup),
        domain="stand.example",
        parent="guests",
        origins=("kiosk",),
        services={"login": (), "meetings": ()},
    )
    assert (answer.id, answer.domain) == ("stand.example", "stand.example" if setup.variant is Variant.LATER else None)
    assert (answer.parent, answer.origins, answer.enable_anonymous) == ("guests", ("kiosk",), False)
    with setup.platform.read() as tx:
        assert domains.services_of(tx, "stand.example") == ("login", "meetings")


@case(ops.GetCapabilities, by="bob", not_for=("guest",), bad={403: {"domain": ["elsewhere.example"]}})
def capabilities(setup: CaseSetup) -> Steps:
    answer = yield ops.GetCapabilities(domain=ROOT)
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
    bad={
        400: {"clientId": [LONG], "clientSecret": [LONG], "domainTenantId": [LONG], "domain": ["nowhere.example", LONG]}
    },
)
def create_directory(setup: CaseSetup) -> Steps:
    answer = yield ops.CreateDirectoryCredentials(
        domain=ROOT, client_id="x" * 255, client_secret=SECRET, domain_tenant_id="tenant"
    )
    assert (answer.domain, answer.client_secret, answer.domain_tenant_id) == (ROOT, SECRET, "tenant")
    assert SECRET not in str(setup.dump())
    with setup.platform.read() as tx:
        assert directories.need(setup.platform, tx, ROOT) == answer


@case(ops.GetDirectoryCredentials, bad={404: {"domain": ["guests"]}})
def get_directory(setup: CaseSetup) -> Steps:
    answer = yield ops.GetDirectoryCredentials(domain=_directory(setup))
    assert (answer.client_id, answer.client_secret, answer.domain_tenant_id) == ("app", SECRET, "tenant")


@case(
    ops.UpdateDirectoryCredentials,
    bad={400: {"clientId": [LONG], "clientSecret": [LONG, ""], "domainTenantId": [LONG]}, 404: {"domain": ["guests"]}},
)
def update_directory(setup: CaseSetup) -> Steps:
    answer = yield ops.UpdateDirectoryCredentials(domain=_directory(setup), client_secret="new")
    assert (answer.client_id, answer.client_secret) == ("app", "new")
    with setup.platform.read() as tx:
        assert directories.need(setup.platform, tx, ROOT).client_secret == "new"


@case(ops.DeleteDirectoryCredentials, bad={404: {"domain": ["guests"]}})
def delete_directory(setup: CaseSetup) -> Steps:
    answer = yield ops.DeleteDirectoryCredentials(domain=_directory(setup))
    assert answer.message
    assert setup.row(DIRECTORIES, ROOT) is None
