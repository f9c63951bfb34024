"""The text of SIP identities, pools and mappings."""

from __future__ import annotations

from console.base.frozen import replace
from console.kinds.domains.columns import TABLE as DOMAINS
from console.kinds.sip_identities.columns import TABLE as SIP_IDENTITIES
from console.kinds.sip_mappings.columns import TABLE as SIP_MAPPINGS
from console.records.domains import Domain
from console.records.extent import Extent
from console.records.people import Group, UserReference
from console.records.sip import SipIdentity, SipMapping
from tests.kinds.reading import ANA, BOB, seen, text, words

POOL = (
    SipIdentity(id="1", username="7001", domain="example", available=False),
    SipIdentity(id="2", username="7002", domain="example", available=False),
    SipIdentity(id="3", username="7003", domain="example", available=True),
    SipIdentity(id="4", username="7001", domain="another", available=True),
)

NIGHT = Group(group_id="night", name="Night shift", owner=UserReference(id="ana", alias="Ana", domain="example"))


def mapping(owner: str, username: str) -> SipMapping:
    return SipMapping.model_validate({"owner": owner, "mapping": {"username": username}})


EXAMPLE = Domain(id="example", domain="example")
MAPPED = (mapping("svc-user:ana", "7001"), mapping("svc-group:night", "8000"), mapping("svc-user:gone", "9000"))


def test_an_identity_shows_its_user_only_of_its_own_domain() -> None:
    at = seen(sip_identities=POOL, sip_mappings=MAPPED, users=(ANA, BOB), groups=(NIGHT,))
    states = [SIP_IDENTITIES.column("state").value(each, at) for each in POOL]
    assert states == ["used", "withheld", "free", "free"]
    assert SIP_IDENTITIES.column("user").value(POOL[0], at) == "Ana"
    assert [(link.kind, link.key) for link in SIP_IDENTITIES.links(POOL[0], at)] == [("users", "ana")]
    assert "set it available, or delete it" in text(SIP_IDENTITIES.detail(POOL[1], at))


def test_an_identity_with_two_users_is_reported() -> None:
    both = (*MAPPED, mapping("svc-group:night", "7001"))
    at = seen(sip_identities=POOL, sip_mappings=both[3:] + both[:1], users=(ANA, BOB), groups=(NIGHT,))
    assert SIP_IDENTITIES.column("state").value(POOL[0], at) == "shared"
    assert "an identity has one owner" in text(SIP_IDENTITIES.detail(POOL[0], at))


def test_no_identity_is_called_unused_before_the_mappings_are_loaded() -> None:
    assert SIP_IDENTITIES.column("state").value(POOL[1], seen(sip_identities=POOL)) == "used"


def test_each_pool_has_a_gauge_with_the_fullest_first() -> None:
    line = words(SIP_IDENTITIES.totals(POOL, seen()))
    assert line.startswith("2 of 4 free")
    assert line.index("example ") < line.index("another ")
    assert "1 free" in line


def test_an_owner_that_may_be_among_those_not_listed_is_not_called_unknown() -> None:
    at = seen(sip_identities=POOL, sip_mappings=MAPPED, users=(ANA, BOB), groups=(NIGHT,))

    def first_ones(_kind: str) -> Extent:
        return Extent.PART

    part = replace(at, extent=first_ones)
    assert [SIP_MAPPINGS.column("owner").cell(each, part).text for each in MAPPED] == ["Ana", "Night shift", "gone"]
    assert SIP_MAPPINGS.column("password").value(MAPPED[1], part) is None, "its identity may not be listed either"
    assert words(SIP_MAPPINGS.totals(MAPPED, part)).startswith("first 3 SIP mappings")


def test_an_identity_that_may_be_available_is_neither_free_nor_withheld() -> None:
    doubtful = (SipIdentity(id="5", username="7005", domain="example"), *POOL[:2])
    at = seen(sip_identities=doubtful, sip_mappings=MAPPED, users=(ANA, BOB), groups=(NIGHT,))
    assert SIP_IDENTITIES.column("state").value(doubtful[0], at) == "unknown"
    assert "nor whether it can be assigned" in text(SIP_IDENTITIES.detail(doubtful[0], at))
    assert words(SIP_IDENTITIES.totals(doubtful, at)).startswith("– of 3 free")
    assert words(SIP_IDENTITIES.totals((*doubtful, POOL[2]), at)).startswith("≥ 1 of 4 free")
    free = DOMAINS.column("free")
    assert (free.value(EXAMPLE, at), free.cell(EXAMPLE, at).text) == (None, "– of 3")


def test_mappings_are_named_by_their_owners_and_those_without_are_marked() -> None:
    at = seen(sip_identities=POOL, sip_mappings=MAPPED, users=(ANA, BOB), groups=(NIGHT,))
    assert [SIP_MAPPINGS.column("owner").cell(each, at).text for each in MAPPED] == ["Ana", "Night shift", "▲ gone"]
    assert SIP_MAPPINGS.column("password").value(MAPPED[0], at) == "pool of example"
    assert SIP_MAPPINGS.column("password").value(MAPPED[1], at) == "its own"
    assert "1 without a known owner" in words(SIP_MAPPINGS.totals(MAPPED, at))


def test_nobody_is_said_to_use_an_identity_only_if_all_mappings_are_listed() -> None:
    at = seen(sip_identities=POOL, sip_mappings=MAPPED, users=(ANA, BOB), groups=(NIGHT,))

    def first_ones(kind: str) -> Extent:
        return Extent.PART if kind == "sip-mappings" else Extent.WHOLE

    part = replace(at, extent=first_ones)
    assert SIP_IDENTITIES.column("state").value(POOL[1], part) == "used"
    for identity in POOL[1:3]:
        assert "Nobody" in text(SIP_IDENTITIES.detail(identity, at))
        assert "Nobody" not in text(SIP_IDENTITIES.detail(identity, part))
