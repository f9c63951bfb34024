"""Domains, capabilities and cloud directories (contract 4.4)."""

from __future__ import annotations

from typing import Any

from console.api.marks import Variant
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
from tests.contract.case import Bad, Ground, case

ROOT = "desk.example"


def _kiosk(ground: Ground) -> str:
    return domains.add(ground.platform, "kiosk.example", parent=ROOT, services=("login", "chat")).id


def _listing(ground: Ground) -> ListDomains:
    return ListDomains(name=_kiosk(ground))


@case(ListDomains, asks=_listing, not_for=("guest",))
def list_domains(ground: Ground, answer: Any) -> None:
    listed = {each.id: each for each in answer}
    assert listed["kiosk.example"].parent == ROOT
    if ground.variant is Variant.LATER:
        assert listed.keys() == {"kiosk.example"}
        assert listed["kiosk.example"].domain == "kiosk.example"
    else:
        assert {ROOT, "guests", "kiosk.example"} <= listed.keys()
        assert all(each.domain is None for each in answer)


def _capabilities(ground: Ground) -> tuple[str | tuple[str, ...], ...]:
    return ("+chat", "+call") if ground.variant is Variant.LATER else (("+chat",), ("+call",))


@case(
    CreateDomain,
    asks=lambda ground: CreateDomain(
        domain="new.example",
        origins=(r"https://.*\.new\.example",),
        enable_anonymous=True,
        anonymous_capabilities=_capabilities(ground),
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
def create(ground: Ground, answer: Any) -> None:
    assert (answer.id, answer.parent, answer.enable_anonymous) == ("new.example", ROOT, True)
    assert answer.services == {"login": (), "presence": ("basic",)}
    assert answer.anonymous_capabilities == _capabilities(ground)
    assert answer.guest_capabilities == ("+chat", "+call")
    with ground.platform.read() as tx:
        assert DOMAINS.need(tx, "new.example").origins == (r"https://.*\.new\.example",)
        assert domains.services_of(tx, "new.example") == ("login", "presence")


@case(
    GetDomain,
    by="bob",
    asks=lambda _: GetDomain(id=ROOT),
    not_for=("guest",),
    bad=(Bad({"id": "nowhere.example"}, 404), Bad({"id": "guests"}, 403)),
)
def get(ground: Ground, answer: Any) -> None:
    assert answer.id == ROOT
    assert "presence" in answer.services
    assert (answer.domain is None) is (ground.variant is Variant.EARLIER)


@case(
    UpdateDomain,
    asks=lambda ground: UpdateDomain(
        id=_kiosk(ground),
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
def update(ground: Ground, answer: Any) -> None:
    assert (answer.id, answer.domain) == ("stand.example", "stand.example" if ground.variant is Variant.LATER else None)
    assert (answer.parent, answer.origins, answer.enable_anonymous) == ("guests", ("kiosk",), False)
    with ground.platform.read() as tx:
        assert domains.services_of(tx, "stand.example") == ("login", "meetings")


@case(
    GetCapabilities,
    by="bob",
    asks=lambda _: GetCapabilities(domain=ROOT),
    not_for=("guest",),
    bad=(Bad({"domain": "elsewhere.example"}, 403),),
)
def capabilities(ground: Ground, answer: Any) -> None:
    assert "presence" in answer.domain
    with ground.platform.read() as tx:
        assert answer.user == USERS.need(tx, "bob").capabilities


# -- cloud directories ------------------------------------------------------------------------------------------------

SECRET = "a secret for the directory"


def _directory(ground: Ground) -> str:
    given = DirectoryCredentials(domain=ROOT, client_id="app", client_secret=SECRET, domain_tenant_id="tenant")
    return directories.create(ground.platform, given).domain


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
def create_directory(ground: Ground, answer: Any) -> None:
    assert (answer.domain, answer.client_secret, answer.domain_tenant_id) == (ROOT, SECRET, "tenant")
    assert SECRET not in str(ground.dump())
    with ground.platform.read() as tx:
        assert directories.need(ground.platform, tx, ROOT) == answer


@case(
    GetDirectoryCredentials,
    asks=lambda ground: GetDirectoryCredentials(domain=_directory(ground)),
    not_for=("ana", "guest"),
    bad=(Bad({"domain": "guests"}, 404),),
)
def get_directory(ground: Ground, answer: Any) -> None:
    assert (answer.client_id, answer.client_secret, answer.domain_tenant_id) == ("app", SECRET, "tenant")


@case(
    UpdateDirectoryCredentials,
    asks=lambda ground: UpdateDirectoryCredentials(domain=_directory(ground), client_secret="new"),
    not_for=("ana", "guest"),
    bad=(*TEXTS, Bad({"domain": "guests"}, 404)),
)
def update_directory(ground: Ground, answer: Any) -> None:
    assert (answer.client_id, answer.client_secret) == ("app", "new")
    with ground.platform.read() as tx:
        assert directories.need(ground.platform, tx, ROOT).client_secret == "new"


@case(
    DeleteDirectoryCredentials,
    asks=lambda ground: DeleteDirectoryCredentials(domain=_directory(ground)),
    not_for=("ana", "guest"),
    bad=(Bad({"domain": "guests"}, 404),),
)
def delete_directory(ground: Ground, answer: Any) -> None:
    assert answer.message
    with ground.platform.read() as tx:
        assert DIRECTORIES.row(tx, ROOT) is None
