"""The table of SIP mappings (contract 2.20). Passwords are never shown."""

from __future__ import annotations

from collections.abc import Collection

from console.base.signs import drawn
from console.base.text import SafeText, clean
from console.kinds.scope import counted
from console.kinds.sip_mappings.facts import domain_of, group_id, identity_of, owner
from console.records.extent import Extent
from console.records.sip import SipMapping
from console.views import columns, wording
from console.views.cell import Cell, Line, Section, Tone
from console.views.lines import faults_section, gap, pair, raw_section, text_line
from console.views.render_context import RenderContext
from console.views.table import Link, Table


def _type(mapping: SipMapping, render: RenderContext) -> str:
    return "user" if group_id(mapping.owner, render) is None else "group"


def _username(mapping: SipMapping, _render: RenderContext) -> str | None:
    return mapping.mapping.username if mapping.mapping else None


def _known_owner(mapping: SipMapping, render: RenderContext) -> bool:
    kind, key = "groups", group_id(mapping.owner, render)
    if key is None:
        kind, key = "users", wording.user_id(mapping.owner, render) or ""
    may_be_unlisted = not render.lookup(kind) or render.extent(kind) is not Extent.WHOLE
    return may_be_unlisted or render.find(kind, key) is not None


def _source(mapping: SipMapping, render: RenderContext) -> str | None:
    """Return the source of the password: the pool of a domain, or the mapping itself."""
    is_whole = render.extent("sip-identities") is Extent.WHOLE
    if not render.lookup("sip-identities") or not is_whole or mapping.unread("mapping"):
        return None
    sip_identity = identity_of(mapping, render)
    return (
        "its own" if sip_identity is None else f"pool of {sip_identity.domain}" if sip_identity.domain else "the pool"
    )


def _owner_cell(mapping: SipMapping, render: RenderContext) -> Cell:
    known = _known_owner(mapping, render)
    mark = "" if known else drawn("▲ ", render.symbols)
    return Cell(clean(f"{mark}{owner(mapping.owner, render) or mapping.owner}"), Tone.PLAIN if known else Tone.WARN)


def totals(mappings: Collection[SipMapping], render: RenderContext) -> Line:
    """Return the number of mapped users and groups, and of mappings without a known owner."""
    groups = sum(_type(sip_mapping, render) == "group" for sip_mapping in mappings)
    orphans = sum(not _known_owner(sip_mapping, render) for sip_mapping in mappings)
    line = [
        Cell(clean(counted("sip-mappings", len(mappings), "SIP mapping", render)), Tone.STRONG),
        gap(),
        Cell(clean(f"{wording.plural(len(mappings) - groups, 'user')}, {wording.plural(groups, 'group')}")),
    ]
    if orphans:
        line += [gap(), Cell(clean(f"{wording.amount(orphans)} without a known owner"), Tone.WARN)]
    return tuple(line)


def name(mapping: SipMapping, render: RenderContext) -> SafeText:
    """Return the name of a mapping in a sentence: its owner's name."""
    return clean(owner(mapping.owner, render) or mapping.owner, 80)


def detail(mapping: SipMapping, render: RenderContext) -> tuple[Section, ...]:
    """Return the detail of a mapping, without its password."""
    summary = [
        pair("Owner", owner(mapping.owner, render), render, Tone.STRONG),
        pair("Kind", _type(mapping, render), render),
        pair("Domain", domain_of(mapping.owner, render), render),
        pair("User name", _username(mapping, render), render),
        pair("Password", _source(mapping, render), render),
        pair("URI", mapping.owner, render),
    ]
    if not _known_owner(mapping, render):
        summary.append(text_line("Unknown user or group: nobody can use it.", Tone.WARN))
    return (*faults_section(mapping), Section("summary", "SIP mapping", tuple(summary)), raw_section(mapping, render))


def links(mapping: SipMapping, render: RenderContext) -> tuple[Link, ...]:
    """Return links to the owner and the identity."""
    user, group = wording.user_id(mapping.owner, render), group_id(mapping.owner, render)
    to_owner = Link("user", "users", user) if user else Link("group", "groups", group or mapping.owner)
    identity = identity_of(mapping, render)
    return (to_owner, Link("identity", "sip-identities", identity.key)) if identity else (to_owner,)


TABLE: Table[SipMapping] = Table(
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
            columns.text("type", "Kind", 6, _type, priority=1, closed=True),
            columns.text("username", "User name", 18, _username, aliases=("mapping",)),
            columns.text("domain", "Domain", 18, lambda mapping, render: domain_of(mapping.owner, render), priority=1),
            columns.text("password", "Password", 22, _source, priority=2, about="whether a pool has it"),
            columns.text("uri", "URI", 24, lambda mapping, _render: mapping.owner, priority=9),
        )
    ),
    name=name,
    detail=detail,
    totals=totals,
    links=links,
    follows=("sip-identities", "groups", "users"),
)
