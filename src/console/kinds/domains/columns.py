"""The table of domains (contract 2.3), as a tree with users and services."""

from __future__ import annotations

from collections.abc import Collection

from console.base.collation import STEP
from console.base.signs import drawn
from console.base.text import SafeText, clean
from console.kinds.domains.pools import SipPool, pool_of
from console.kinds.scope import counted
from console.records.domains import Domain
from console.records.extent import Extent
from console.records.people import User
from console.records.record import Record
from console.records.sip import SipIdentity
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.index import Index
from console.views.lines import MOST, bar, faults_section, gap, labelled, pair, raw_section, several, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table

_DEEPEST = 12
_USERS: Index[User] = Index("users", lambda user: [user.domain])
_POOL: Index[SipIdentity] = Index("sip-identities", lambda identity: [identity.domain])
_CHILDREN: Index[Domain] = Index("domains", lambda domain: [domain.parent])
_NAMED: Index[Domain] = Index("domains", lambda domain: [domain.name])


def path_of(domain: Domain, render: RenderContext) -> tuple[str, ...]:
    """Return the path of names from the root to a domain; a domain with an unknown parent is a root."""
    path, at = [domain.name], domain
    while at.parent and at.parent not in path and len(path) < _DEEPEST:
        path.append(at.parent)
        domains = _NAMED.any_of(render, at.parent)
        if not domains:
            break
        at = domains[0]
    return tuple(reversed(path))


def _name(domain: Domain, _render: RenderContext) -> str:
    return domain.name


def _name_cell(domain: Domain, render: RenderContext) -> Cell:
    depth = sum(name in _NAMED.of(render) for name in path_of(domain, render)[:-1])
    stem = drawn("└ ", render.symbols)
    return Cell(clean(f"{'   ' * (depth - 1)}{stem if depth else ''}{domain.name}"))


def _tree(domain: Domain, render: RenderContext) -> str:
    """Return the sort key that puts a domain below its parent."""
    return STEP.join(path_of(domain, render))


def _users(domain: Domain, render: RenderContext) -> float | None:
    is_known = render.lookup("users") and render.extent("users") is Extent.WHOLE
    return len(_USERS.of(render).get(domain.name, ())) if is_known else None


def _pool(domain: Domain, render: RenderContext) -> SipPool:
    return pool_of(_POOL.any_of(render, domain.name), render)


def _free(domain: Domain, render: RenderContext) -> float | None:
    pool = _pool(domain, render)
    return pool.free_if_known if pool.size else None


def _free_cell(domain: Domain, render: RenderContext) -> Cell:
    pool = _pool(domain, render)
    return Cell(pool.free_words(render), pool.tone(render)) if pool.size else Cell(wording.dash(render), Tone.QUIET)


def _services(domain: Domain, _render: RenderContext) -> str | None:
    return ", ".join(domain.services) or None


def totals(domains: Collection[Domain], render: RenderContext) -> Line:
    """Return the number of domains, of those that accept guests, and of those with an unknown parent."""
    guests = sum(domain.enable_anonymous is True for domain in domains)
    orphans = [domain for domain in domains if domain.parent and domain.parent not in _NAMED.of(render)]
    line = [Cell(clean(counted("domains", len(domains), "domain", render)), Tone.STRONG)]
    if orphans and render.lookup("domains"):
        line += [gap(), Cell(clean(f"{wording.amount(len(orphans))} with a parent that is not listed"), Tone.NOTICE)]
    if guests:
        line += [gap(), Cell(clean(f"{wording.amount(guests)} with guests"))]
    return tuple(line)


def name(domain: Domain, _render: RenderContext) -> SafeText:
    """Return the name of a domain in a sentence."""
    return clean(domain.name, 80)


def _pool_line(pool: SipPool, render: RenderContext) -> Line:
    """Return the usage bar of a pool, with the available identities, highlighted if low."""
    if not pool.size:
        return pair("SIP pool", None, render)
    tone = pool.tone(render)
    gauge = (Cell(bar(pool.used_share, 20, render), tone), Cell(clean(f"  {pool.free_words(render)} free"), tone))
    return labelled("SIP pool", gauge)


def detail(domain: Domain, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a domain: position in the tree, users, services."""
    children = _CHILDREN.any_of(render, domain.name)
    expires = domain.anonymous_expiration
    summary = [
        pair("Domain", domain.name, render, Tone.STRONG),
        pair("Tree", " / ".join(path_of(domain, render)), render),
        pair("Subdomains", ", ".join(child.name for child in children), render),
        pair("Users", wording.count(_users(domain, render), render), render),
        _pool_line(_pool(domain, render), render),
        pair("Guests", {True: "accepted", False: "refused", None: None}[domain.enable_anonymous], render),
        pair("Guests may", ", ".join(domain.guest_capabilities), render),
        pair("Guests stay", None if expires is None else wording.duration(expires * 1000), render),
        pair("Id", domain.id, render),
    ]
    sections = [*faults_section(domain), Section("summary", "Domain", tuple(summary))]
    if domain.services:
        lines = several(
            list(domain.services.items()),
            lambda entry: pair(clean(entry[0], 40), ", ".join(str(value) for value in entry[1][:MOST]) or "on", render),
            what="service",
        )
        sections.append(Section("services", f"Services {len(domain.services)}", lines))
    if domain.origins:
        lines = several(domain.origins, text_line)
        sections.append(Section("origins", f"Origins {len(domain.origins)}, regular expressions", lines))
    return (*sections, raw_section(domain, render))


def links(domain: Domain, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the parent and the children."""
    records: list[Record] = [*_NAMED.any_of(render, domain.parent)]
    parents = [Link("parent", "domains", record.key) for record in records]
    return (
        *parents,
        *(Link(f"subdomain: {child.name}", "domains", child.key) for child in _CHILDREN.any_of(render, domain.name)),
    )


TABLE: Table[Domain] = Table(
    kind="domains",
    title="Domains",
    one="domain",
    order="domain",
    columns=columns.marked(
        (
            columns.custom("domain", "Domain", 26, _name, _name_cell, grows=True, aliases=("name",), sort=_tree),
            columns.text("parent", "Parent", 18, lambda domain, _render: domain.parent, priority=3),
            columns.number("users", "Users", 6, _users),
            columns.custom(
                "free",
                "SIP free",
                12,
                _free,
                _free_cell,
                kind="number",
                right=True,
                priority=1,
                about="identities that can still be assigned, of how many",
            ),
            columns.flag(
                "guests",
                "Guests",
                6,
                lambda domain, _render: domain.enable_anonymous,
                priority=1,
                about="whether anonymous users are accepted",
            ),
            columns.text("services", "Services", 24, _services, priority=2, grows=True),
            columns.text(
                "origins",
                "Origins",
                20,
                lambda domain, _render: ", ".join(domain.origins) or None,
                priority=9,
            ),
            columns.identity(lambda domain: domain.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("domains", "users", "sip-identities"),
)
