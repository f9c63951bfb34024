"""How SIP identities and mappings read (contract 2.20): what each pool has left, and who uses which identity.

Passwords are never shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from console.collation import collated
from console.kinds.domains import FREE
from console.records.people import Group, User
from console.records.sip import SipIdentity, SipMapping
from console.signs import drawn
from console.text import SafeText, clean
from console.views import columns, words
from console.views.cell import Cell, Line, Section, Tone
from console.views.index import Index
from console.views.lines import bar, faults_section, gap, pair, raw_section, say
from console.views.render_context import RenderContext
from console.views.table import Link, Table

GROUP_PREFIX = "svc-group:"
_MOST_POOLS = 2
_MAPPED = Index("sip-mappings", SipMapping, lambda mapping: mapping.mapping.username if mapping.mapping else None)
_POOLED = Index("sip-identities", SipIdentity, lambda identity: identity.username)


# -- who ---------------------------------------------------------------------------------------------------------------


def owner(uri: str | None, render: RenderContext) -> str | None:
    """Return what the owner of a mapping is called: a user or a group."""
    if uri is None or not uri.startswith(GROUP_PREFIX):
        return words.name(uri, render)
    group = render.find("groups", uri.removeprefix(GROUP_PREFIX))
    return (group.name if isinstance(group, Group) else None) or uri.removeprefix(GROUP_PREFIX)


def domain_of(uri: str, render: RenderContext) -> str | None:
    """Return the domain of the owner of a mapping: of a group that of its own owner; None when it is not known."""
    if uri.startswith(GROUP_PREFIX):
        group = render.find("groups", uri.removeprefix(GROUP_PREFIX))
        return group.owner.domain if isinstance(group, Group) and group.owner else None
    user = render.find("users", words.user_id(uri) or "")
    return user.domain if isinstance(user, User) else None


def users_of(identity: SipIdentity, render: RenderContext) -> Sequence[SipMapping]:
    """Return the mappings that use an identity: those of its user name by owners of its domain."""
    found: list[SipMapping] = []
    for mapping in _MAPPED.of(identity.username, render):
        domain = domain_of(mapping.owner, render)
        if identity.domain is None or domain is None or domain == identity.domain:
            found.append(mapping)
    return found


def identity_of(mapping: SipMapping, render: RenderContext) -> SipIdentity | None:
    """Return the identity of a pool that a mapping uses, if it uses one that is known."""
    username = mapping.mapping.username if mapping.mapping else None
    domain = domain_of(mapping.owner, render)
    pooled = _POOLED.of(username, render)
    return next((each for each in pooled if domain is None or each.domain in {None, domain}), None)


# -- identities --------------------------------------------------------------------------------------------------------


def state(identity: SipIdentity, render: RenderContext) -> str:
    """Return `free`, `used`, `shared` by several, or `withheld`: neither available nor used by anybody known."""
    users = users_of(identity, render)
    if len(users) > 1:
        return "shared"
    if users:
        return "used"
    if identity.available:
        return "free"
    return "withheld" if render.lookup("sip-mappings") else "used"


_LOOKS = {
    "free": ("○", Tone.GOOD),
    "used": ("●", Tone.PLAIN),
    "shared": ("▲", Tone.WARN),
    "withheld": ("║", Tone.NOTICE),
}


def _state_cell(identity: SipIdentity, render: RenderContext) -> Cell:
    said = state(identity, render)
    symbol, tone = _LOOKS[said]
    return Cell(clean(f"{drawn(symbol, render.symbols)} {said}"), tone)


def _used_by(identity: SipIdentity, render: RenderContext) -> str | None:
    return ", ".join(owner(each.owner, render) or each.owner for each in users_of(identity, render)) or None


def _uris(identity: SipIdentity, render: RenderContext) -> tuple[str, ...]:
    return tuple(each.owner for each in users_of(identity, render))


def identity_totals(identities: Iterable[SipIdentity], render: RenderContext) -> Line:
    """Return a gauge for each pool, the fullest first: how much is used, how many are free."""
    everything, free = Counter[str](), Counter[str]()
    for each in identities:
        everything[each.domain or ""] += 1
        free[each.domain or ""] += each.available is True
    line = [Cell(clean(f"{words.share(free.total(), everything.total())} free"), Tone.STRONG)]
    fullest = sorted(everything, key=lambda domain: (free[domain] / everything[domain], collated(domain)))
    for domain in fullest[:_MOST_POOLS] if len(everything) > 1 or any(everything) else ():
        left, size = free[domain], everything[domain]
        tone = columns.severity(FREE, 100 * left / size, render)
        line += [
            gap("   "),
            Cell(clean(f"{domain or 'no domain'} ", 30), Tone.QUIET),
            Cell(bar(1 - left / size, 8, render), tone),
            Cell(clean(f" {words.amount(left)} free"), tone),
        ]
    if len(everything) > _MOST_POOLS:
        line += [gap(), Cell(clean(f"and {words.plural(len(everything) - _MOST_POOLS, 'pool')} more"), Tone.QUIET)]
    return tuple(line)


def identity_name(identity: SipIdentity, _render: RenderContext) -> SafeText:
    """Return what an identity is called in a sentence."""
    return clean(identity.username or identity.id, 80)


def identity_detail(identity: SipIdentity, render: RenderContext) -> tuple[Section, ...]:
    """Return everything about an identity but its password: whose pool it lies in, and who uses it."""
    summary = (
        pair("User name", identity.username, render, Tone.STRONG),
        pair("Pool of", identity.domain, render),
        pair("State", state(identity, render), render),
        pair("Id", identity.id, render),
    )
    users = users_of(identity, render)
    lines: list[Line] = [
        pair("Group" if each.owner.startswith(GROUP_PREFIX) else "User", owner(each.owner, render), render, Tone.STRONG)
        for each in users
    ]
    if len(users) > 1:
        lines.append(say("Several owners use it, but an identity has one owner.", Tone.WARN))
    if not users:
        lines.append(say(_NOBODY[state(identity, render)], Tone.QUIET))
    return (
        *faults_section(identity),
        Section("summary", "SIP identity", summary),
        Section("users", "Used by", tuple(lines)),
        raw_section(identity),
    )


_NOBODY = {
    "free": "Nobody: it can be assigned.",
    "withheld": "Nobody, and it cannot be assigned: set it available, or delete it.",
    "used": "Unknown: the mappings are not listed.",
    "shared": "",
}


def identity_links(identity: SipIdentity, render: RenderContext) -> tuple[Link, ...]:
    """Return the ways from an identity to who uses it."""
    return tuple(link for each in users_of(identity, render) for link in mapping_links(each, render)[:1])


SIP_IDENTITIES: Table[SipIdentity] = Table(
    kind="sip-identities",
    title="SIP identities",
    one="SIP identity",
    order="username",
    columns=columns.marked(
        (
            columns.text("username", "User name", 20, lambda each, _render: each.username, aliases=("name",)),
            columns.custom("state", "State", 11, state, _state_cell, closed=True),
            columns.text("user", "Used by", 24, _used_by, also=_uris, grows=True, aliases=("owner",)),
            columns.text("domain", "Pool of", 20, lambda each, _render: each.domain, priority=1, aliases=("pool",)),
            columns.flag("available", "Available", 9, lambda each, _render: each.available, priority=9),
            columns.identity(lambda each: each.id),
        )
    ),
    name=identity_name,
    detail=identity_detail,
    totals=identity_totals,
    links=identity_links,
    follows=("sip-mappings", "groups", "users"),
)


# -- mappings ----------------------------------------------------------------------------------------------------------


def _type(mapping: SipMapping, _render: RenderContext) -> str:
    return "group" if mapping.owner.startswith(GROUP_PREFIX) else "user"


def _username(mapping: SipMapping, _render: RenderContext) -> str | None:
    return mapping.mapping.username if mapping.mapping else None


def _known_owner(mapping: SipMapping, render: RenderContext) -> bool:
    kind, key = ("groups", mapping.owner.removeprefix(GROUP_PREFIX))
    if _type(mapping, render) == "user":
        kind, key = "users", words.user_id(mapping.owner) or ""
    return not render.lookup(kind) or render.find(kind, key) is not None


def _source(mapping: SipMapping, render: RenderContext) -> str | None:
    """Return where the password comes from: the pool of a domain, or the mapping itself."""
    if not render.lookup("sip-identities"):
        return None
    found = identity_of(mapping, render)
    return "its own" if found is None else f"pool of {found.domain}" if found.domain else "the pool"


def _owner_cell(mapping: SipMapping, render: RenderContext) -> Cell:
    known = _known_owner(mapping, render)
    mark = "" if known else drawn("▲ ", render.symbols)
    return Cell(clean(f"{mark}{owner(mapping.owner, render) or mapping.owner}"), Tone.PLAIN if known else Tone.WARN)


def mapping_totals(mappings: Iterable[SipMapping], render: RenderContext) -> Line:
    """Return how many users and groups are mapped, and how many mappings belong to nobody."""
    everything = list(mappings)
    groups = sum(_type(each, render) == "group" for each in everything)
    orphans = sum(not _known_owner(each, render) for each in everything)
    line = [
        Cell(clean(words.plural(len(everything), "SIP mapping")), Tone.STRONG),
        gap(),
        Cell(clean(f"{words.plural(len(everything) - groups, 'user')}, {words.plural(groups, 'group')}")),
    ]
    if orphans:
        line += [gap(), Cell(clean(f"{words.amount(orphans)} without a known owner"), Tone.WARN)]
    return tuple(line)


def mapping_name(mapping: SipMapping, render: RenderContext) -> SafeText:
    """Return what a mapping is called in a sentence: whose it is."""
    return clean(owner(mapping.owner, render) or mapping.owner, 80)


def mapping_detail(mapping: SipMapping, render: RenderContext) -> tuple[Section, ...]:
    """Return everything about a mapping but its password."""
    summary = [
        pair("Owner", owner(mapping.owner, render), render, Tone.STRONG),
        pair("Kind", _type(mapping, render), render),
        pair("Domain", domain_of(mapping.owner, render), render),
        pair("User name", _username(mapping, render), render),
        pair("Password", _source(mapping, render), render),
        pair("URI", mapping.owner, render),
    ]
    if not _known_owner(mapping, render):
        summary.append(say("Unknown user or group: nobody can use it.", Tone.WARN))
    return (*faults_section(mapping), Section("summary", "SIP mapping", tuple(summary)), raw_section(mapping))


def mapping_links(mapping: SipMapping, render: RenderContext) -> tuple[Link, ...]:
    """Return the ways from a mapping to its owner and its identity."""
    user = words.user_id(mapping.owner)
    to_owner = (
        Link("user", "users", user) if user else Link("group", "groups", mapping.owner.removeprefix(GROUP_PREFIX))
    )
    identity = identity_of(mapping, render)
    return (to_owner, Link("identity", "sip-identities", identity.key)) if identity else (to_owner,)


SIP_MAPPINGS: Table[SipMapping] = Table(
    kind="sip-mappings",
    title="SIP mappings",
    one="SIP mapping",
    order="owner",
    columns=columns.marked(
        (
            columns.custom(
                "owner",
                "Owner",
                24,
                lambda mapping, render: owner(mapping.owner, render),
                _owner_cell,
                grows=True,
                also=lambda mapping, _render: (mapping.owner,),
            ),
            columns.text("type", "Kind", 6, _type, closed=True),
            columns.text("username", "User name", 18, _username, aliases=("mapping",)),
            columns.text("domain", "Domain", 18, lambda mapping, render: domain_of(mapping.owner, render), priority=1),
            columns.text("password", "Password", 22, _source, priority=2, about="whether a pool has it"),
            columns.text("uri", "URI", 24, lambda mapping, _render: mapping.owner, priority=9),
        )
    ),
    name=mapping_name,
    detail=mapping_detail,
    totals=mapping_totals,
    links=mapping_links,
    follows=("sip-identities", "groups", "users"),
)
