"""Domains, capabilities and cloud directories (contract 4.4)."""

from __future__ import annotations

from typing import Any

from console.api.annotations import Variant
from console.api.operations.domains import (
    CreateDirectoryCredentials,
    CreateDomain,
    DeleteDirectoryCredentials,
    GetCapabilities,
    GetDirectoryCredentials,
    GetDomain,
    ListDomains,
    UpdateDirectoryCredentials,
    UpdateDomain,
)
from console.records.domains import DirectoryCredentials
from console.service.domain import directories, domains
from console.service.domain.directories import DIRECTORIES
from console.service.domain.domains import DOMAINS
from console.service.domain.people import USERS
from tests.contract.case import Bad, CaseSetup, case

ROOT = "desk.example"


def _kiosk(setup: CaseSetup) -> str:
    return domains.add(setup.platform, "kiosk.example", parent=ROOT, services=("login", "chat")).id


def _listing(setup: CaseSetup) -> ListDomains:
    return ListDomains(name=_kiosk(setup))


@case(ListDomains, asks=_listing, not_for=("guest",))
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
    CreateDomain,
    asks=lambda setup: CreateDomain(
        domain="new.example",
        origins=(r"https://.*\.new\.example",),
        enable_anonymous=True,
        anonymous_capabilities=_capabilities(setup),
        services={"login": (), "presence": ("basic",)},
    ),
    not_for=("ana", "guest"),
    bad=(
        Bad({"domain": None}),
        Bad({"domain": ""}),
        Bad({"domain": "Not a Name"}),
        Bad({"domain": ROOT}, 409),
        Bad({"parent": "nowhere.example"}),
        Bad({"origins": ["("]}),
        Bad({"origins": ["(?=x)"]}),
        Bad({"origins": "x"}),
        Bad({"enableAnonymous": "perhaps"}),
        Bad({"anonymousCapabilities": [["+chat"]]}),
        Bad({"anonymousCapabilities": [3]}),
        Bad({"services": ["login"]}),
        Bad({"services": {"login": "x"}}),
        Bad({"services": {"": []}}),
    ),
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
    GetDomain,
    by="bob",
    asks=lambda _: GetDomain(id=ROOT),
    not_for=("guest",),
    bad=(Bad({"id": "nowhere.example"}, 404), Bad({"id": "guests"}, 403)),
)
def get(setup: CaseSetup, answer: Any) -> None:
    assert answer.id == ROOT
    assert "presence" in answer.services
    assert (answer.domain is None) is (setup.variant is Variant.EARLIER)


@case(
    UpdateDomain,
    asks=lambda setup: UpdateDomain(
        id=_kiosk(setup),
        domain="stand.example",
        parent="guests",
        origins=("kiosk",),
        services={"login": (), "meetings": ()},
    ),
    not_for=("ana", "guest"),
    bad=(
        Bad({"id": "nowhere.example"}, 404),
        Bad({"domain": None}),
        Bad({"domain": "shop.example"}, 409),
        Bad({"domain": "Not a Name"}),
        Bad({"parent": "nowhere.example"}),
        Bad({"parent": "kiosk.example"}),
        Bad({"origins": ["[" * 3]}),
        Bad({"services": 3}),
    ),
)
def update(setup: CaseSetup, answer: Any) -> None:
    assert (answer.id, answer.domain) == ("stand.example", "stand.example" if setup.variant is Variant.LATER else None)
    assert (answer.parent, answer.origins, answer.enable_anonymous) == ("guests", ("kiosk",), False)
    with setup.platform.read() as tx:
        assert domains.services_of(tx, "stand.example") == ("login", "meetings")


@case(
    GetCapabilities,
    by="bob",
    asks=lambda _: GetCapabilities(domain=ROOT),
    not_for=("guest",),
    bad=(Bad({"domain": "elsewhere.example"}, 403),),
)
def capabilities(setup: CaseSetup, answer: Any) -> None:
    assert "presence" in answer.domain
    with setup.platform.read() as tx:
        assert answer.user == USERS.need(tx, "bob").capabilities


# -- cloud directories ------------------------------------------------------------------------------------------------

SECRET = "a secret for the directory"


def _directory(setup: CaseSetup) -> str:
    given = DirectoryCredentials(domain=ROOT, client_id="app", client_secret=SECRET, domain_tenant_id="tenant")
    return directories.create(setup.platform, given).domain


TEXTS = (
    Bad({"clientId": "x" * 256}),
    Bad({"clientSecret": "x" * 256}),
    Bad({"domainTenantId": "x" * 256}),
    Bad({"clientSecret": ""}),
    Bad({"clientId": 3}),
)


@case(
    CreateDirectoryCredentials,
    asks=lambda _: CreateDirectoryCredentials(
        domain=ROOT, client_id="x" * 255, client_secret=SECRET, domain_tenant_id="tenant"
    ),
    not_for=("ana", "guest"),
    bad=(
        *TEXTS,
        Bad({"domain": "nowhere.example"}),
        Bad({"domain": "x" * 256}),
        Bad({"domain": None}),
        Bad({"clientId": None}),
        Bad({"clientSecret": None}),
        Bad({"domainTenantId": None}),
    ),
)
def create_directory(setup: CaseSetup, answer: Any) -> None:
    assert (answer.domain, answer.client_secret, answer.domain_tenant_id) == (ROOT, SECRET, "tenant")
    assert SECRET not in str(setup.dump())
    with setup.platform.read() as tx:
        assert directories.need(setup.platform, tx, ROOT) == answer


@case(
    GetDirectoryCredentials,
    asks=lambda setup: GetDirectoryCredentials(domain=_directory(setup)),
    not_for=("ana", "guest"),
    bad=(Bad({"domain": "guests"}, 404),),
)
def get_directory(setup: CaseSetup, answer: Any) -> None:
    assert (answer.client_id, answer.client_secret, answer.domain_tenant_id) == ("app", SECRET, "tenant")


@case(
    UpdateDirectoryCredentials,
    asks=lambda setup: UpdateDirectoryCredentials(domain=_directory(setup), client_secret="new"),
    not_for=("ana", "guest"),
    bad=(*TEXTS, Bad({"domain": "guests"}, 404)),
)
def update_directory(setup: CaseSetup, answer: Any) -> None:
    assert (answer.client_id, answer.client_secret) == ("app", "new")
    with setup.platform.read() as tx:
        assert directories.need(setup.platform, tx, ROOT).client_secret == "new"


@case(
    DeleteDirectoryCredentials,
    asks=lambda setup: DeleteDirectoryCredentials(domain=_directory(setup)),
    not_for=("ana", "guest"),
    bad=(Bad({"domain": "guests"}, 404),),
)
def delete_directory(setup: CaseSetup, answer: Any) -> None:
    assert answer.message
    with setup.platform.read() as tx:
        assert DIRECTORIES.row(tx, ROOT) is None
