"""The table of SIP identities (contract 2.20): pools and users. Passwords are never shown."""

from __future__ import annotations

from collections.abc import Collection

from console.base.collation import collated
from console.base.signs import drawn
from console.base.text import SafeText, clean
from console.config.schema import SavedView
from console.kinds.domains.pools import pool_of
from console.kinds.sip_mappings.columns import links as mapping_links
from console.kinds.sip_mappings.facts import group_id, owner, users_of
from console.records.extent import Extent
from console.records.sip import SipIdentity
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import bar, faults_section, gap, pair, raw_section, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table

_MOST_POOLS = 2


def state(identity: SipIdentity, render: RenderContext) -> str:
    """Return `free`, `used`, `shared` by several, `withheld`: not available, and without a known user; or `unknown`."""
    if identity.unread("username"):
        return "unknown"
    users = users_of(identity, render)
    if len(users) > 1:
        return "shared"
    if users:
        return "used"
    if identity.available is not False:
        return "free" if identity.available else "unknown"
    return "withheld" if render.lookup("sip-mappings") and _is_whole(render) else "used"


def _is_whole(render: RenderContext) -> bool:
    return render.extent("sip-mappings") is Extent.WHOLE


_LOOKS = {
    "free": ("○", Tone.GOOD),
    "used": ("●", Tone.PLAIN),
    "shared": ("▲", Tone.WARN),
    "withheld": ("║", Tone.NOTICE),
    "unknown": ("?", Tone.QUIET),
}


def _state_cell(identity: SipIdentity, render: RenderContext) -> Cell:
    identity_state = state(identity, render)
    symbol, tone = _LOOKS[identity_state]
    return Cell(clean(f"{drawn(symbol, render.symbols)} {identity_state}"), tone)


def _used_by(identity: SipIdentity, render: RenderContext) -> str | None:
    return ", ".join(owner(user.owner, render) or user.owner for user in users_of(identity, render)) or None


def _uris(identity: SipIdentity, render: RenderContext) -> tuple[str, ...]:
    return tuple(user.owner for user in users_of(identity, render))


def totals(identities: Collection[SipIdentity], render: RenderContext) -> Line:
    """Return the usage bar of each pool, the fullest first, with the number of free identities."""
    by_domain: dict[str, list[SipIdentity]] = {}
    for identity in identities:
        by_domain.setdefault(identity.domain or "", []).append(identity)
    pools = {domain: pool_of(members, render) for domain, members in by_domain.items()}
    line = [Cell(clean(f"{pool_of(identities, render).free_words(render)} free"), Tone.STRONG)]
    fullest = sorted(pools, key=lambda domain: (-pools[domain].used_share, collated(domain)))
    for domain in fullest[:_MOST_POOLS] if len(pools) > 1 or any(pools) else ():
        pool, tone = pools[domain], pools[domain].tone(render)
        line += [
            gap("   "),
            Cell(clean(f"{domain or 'no domain'} ", 30), Tone.QUIET),
            Cell(bar(pool.used_share, 8, render), tone),
            Cell(clean(f" {wording.known_count(pool.free, render, exact=pool.exact)} free"), tone),
        ]
    if len(pools) > _MOST_POOLS:
        line += [gap(), Cell(clean(f"and {wording.plural(len(pools) - _MOST_POOLS, 'pool')} more"), Tone.QUIET)]
    return tuple(line)


def name(identity: SipIdentity, _render: RenderContext) -> SafeText:
    """Return the name of an identity in a sentence."""
    return clean(identity.username or identity.id, 80)


def detail(identity: SipIdentity, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of an identity, without its password: pool and users."""
    summary = (
        pair("User name", identity.username, render, Tone.STRONG),
        pair("Pool of", identity.domain, render),
        pair("State", state(identity, render), render),
        pair("Id", identity.id, render),
    )
    users = users_of(identity, render)
    lines: list[Line] = [
        pair("Group" if group_id(user.owner, render) else "User", owner(user.owner, render), render, Tone.STRONG)
        for user in users
    ]
    if len(users) > 1:
        lines.append(text_line("Several owners use it, but an identity has one owner.", Tone.WARN))
    if not users:
        lines.append(text_line(_NOBODY[state(identity, render) if _is_whole(render) else "used"], Tone.QUIET))
    return (
        *faults_section(identity),
        Section("summary", "SIP identity", summary),
        Section("users", "Used by", tuple(lines)),
        raw_section(identity, render),
    )


_NOBODY = {
    "free": "Nobody: it can be assigned.",
    "withheld": "Nobody, and it cannot be assigned: set it available, or delete it.",
    "used": "Unknown: the mappings are not all listed.",
    "shared": "",
    "unknown": "Nobody is known, nor whether it can be assigned.",
}


def links(identity: SipIdentity, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the users of the identity."""
    return tuple(link for user in users_of(identity, render) for link in mapping_links(user, render)[:1])


TABLE: Table[SipIdentity] = Table(
    kind="sip-identities",
    title="SIP identities",
    one="SIP identity",
    order="username",
    columns=columns.marked(
        (
            columns.text(
                "username", "User name", 18, lambda sip_identity, _render: sip_identity.username, aliases=("name",)
            ),
            columns.custom("state", "State", 11, state, _state_cell, closed=True),
            columns.text("user", "Used by", 14, _used_by, also=_uris, priority=1, grows=True, aliases=("owner",)),
            columns.text(
                "domain",
                "Pool of",
                20,
                lambda sip_identity, _render: sip_identity.domain,
                priority=1,
                aliases=("pool",),
            ),
            columns.flag("available", "Available", 9, lambda sip_identity, _render: sip_identity.available, priority=9),
            columns.identity(lambda sip_identity: sip_identity.id),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("sip-mappings", "groups", "users"),
    views={
        "Free": SavedView("state:free", "username"),
        "Shared": SavedView("state:shared", "username"),
    },
)
