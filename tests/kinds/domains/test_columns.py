"""The text of domains."""

from __future__ import annotations

from console.kinds.domains.columns import TABLE as DOMAINS
from console.live.delta import Delta
from console.records.domains import Domain
from console.records.people import User
from console.records.sip import SipIdentity
from console.views.cell import Tone
from console.views.view import View
from tests.kinds.reading import seen, text, words

TREE = (
    Domain(id="d3", domain="west.north.example", parent="north.example"),
    Domain(id="d1", domain="example"),
    Domain(id="d2", domain="north.example", parent="example"),
    Domain(id="d4", domain="another"),
    Domain(id="d5", domain="lost", parent="gone"),
)


def test_domains_are_sorted_below_their_parents() -> None:
    at = seen(domains=TREE)
    view = View(DOMAINS, at)
    view.apply(Delta(1, True, {each.key: each for each in TREE}))
    names = [DOMAINS.column("domain").cell(each, at).text for each in view.shown()]
    assert names == ["another", "example", "└ north.example", "   └ west.north.example", "lost"]
    assert "1 with a parent that is not listed" in words(DOMAINS.totals(TREE, at))


def test_circular_parents_of_domains_terminate() -> None:
    circle = (Domain(id="a", domain="a", parent="b"), Domain(id="b", domain="b", parent="a"))
    at = seen(domains=circle)
    assert "b / a" in text(DOMAINS.detail(circle[0], at))


def test_a_domain_shows_its_users_and_the_free_identities_of_its_pool() -> None:
    pool = [SipIdentity(id=f"i{n}", username=str(n), domain="example", available=n == 0) for n in range(10)]
    people = [User(id="ana", domain="example"), User(id="bob", domain="another")]
    at = seen(domains=TREE, users=people, sip_identities=pool)
    column = DOMAINS.column("free").cell(TREE[1], at)
    assert (column.text, column.tone) == ("1 of 10", Tone.WARN)
    assert DOMAINS.column("users").value(TREE[1], at) == 1
    assert "1 of 10 free" in text(DOMAINS.detail(TREE[1], at))
