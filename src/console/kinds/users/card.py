"""The records of both services about a user, side by side, and the user's permissions."""

from __future__ import annotations

from console.base.signs import drawn
from console.base.text import SafeText, clean, fit
from console.records.access import Permissions
from console.records.people import User
from console.records.provisioning import ProvisionedUser
from console.records.sip import SipCredential
from console.views.cell import Cell, Line, Tone
from console.views.lines import pair, say
from console.views.render_context import RenderContext
from console.views.wording import dash

_LABEL, _VALUE = 13, 26


def permission_lines(permissions: Permissions, render: RenderContext) -> tuple[Line, ...]:
    """Return lines for recording type, recording profile and voicemail (contract 2.15)."""
    recording, voicemail = permissions.recording, permissions.voicemail
    mail = None if voicemail is None or voicemail.enabled is None else "yes" if voicemail.enabled else "no"
    return (
        pair("Recording", recording.recording_type if recording else None, render),
        pair("Profile", recording.recording_profile if recording else None, render),
        pair("Voicemail", mail, render),
    )


def permissions_in_force(
    permissions: Permissions, own: Permissions | None, own_known: bool, domain: str | None, render: RenderContext
) -> tuple[Line, ...]:
    """Return lines for the effective permissions and their origins (contract 2.15, 5.5).

    The user's own parts take precedence over the domain's. `own_known` tells whether `own` could be read; None then
    means that the user has no own permissions.
    """
    recording, voicemail = permissions.recording, permissions.voicemail
    parts: tuple[tuple[str, str | None, object], ...] = (
        (
            "Recording",
            f"{recording.recording_type or ''} {recording.recording_profile or ''}".strip() if recording else None,
            own.recording if own else None,
        ),
        (
            "Voicemail",
            None if voicemail is None or voicemail.enabled is None else "yes" if voicemail.enabled else "no",
            own.voicemail if own else None,
        ),
    )
    lines: list[Line] = []
    for label, value, theirs in parts:
        of_domain = f"of the domain {domain}" if domain else "of the domain"
        origin = "given to nobody" if value is None else "their own" if theirs else of_domain if own_known else ""
        safe_text = dash(render) if value is None else clean(value, _VALUE)
        lines.append(
            (Cell(fit(clean(label), _LABEL), Tone.QUIET), Cell(fit(safe_text, _VALUE)), Cell(clean(origin, 60)))
        )
    return tuple(lines)


def mapping_lines(credential: SipCredential, render: RenderContext) -> tuple[Line, ...]:
    """Return the line with the user's name at the gateway; the password is never shown (contract 2.20)."""
    return (pair("Gateway name", credential.username, render, Tone.STRONG),)


def compared(user: User, provisioned: ProvisionedUser, render: RenderContext) -> tuple[Line, ...]:
    """Return one line per field with the values of both services; differences are marked."""
    held = provisioned.attributes
    rows: tuple[tuple[str, str | None, str | None], ...] = (
        ("Username", user.username, provisioned.username),
        ("Domain", user.domain, held.domain),
        ("Email", user.email, provisioned.email),
        ("Name", user.alias, provisioned.first_name),
        ("Phone", next(iter(user.mobile_phone), None), held.phone_number),
        ("Capabilities", _many(user.capabilities), _many(held.capabilities or ())),
    )
    lines: list[Line] = [
        (
            Cell(fit(clean(""), _LABEL)),
            Cell(fit(clean("core"), _VALUE), Tone.QUIET),
            Cell(clean("provisioning"), Tone.QUIET),
        )
    ]
    lines += [_row(label, mine or None, theirs or None, render) for label, mine, theirs in rows]
    states = {None: "unknown", True: "yes", False: "no"}
    lines.append(pair("Enabled", states[provisioned.enabled], render))
    lines.append(pair("Verified", states[provisioned.email_verified], render))
    different = sum((mine or None) != (theirs or None) for _, mine, theirs in rows)
    if different:
        lines.append(say(f"They differ in {different} of {len(rows)} fields.", Tone.WARN))
    else:
        lines.append(say("Both hold the same.", Tone.QUIET))
    return tuple(lines)


def _row(label: str, mine: str | None, theirs: str | None, render: RenderContext) -> Line:
    same = mine == theirs
    mark = "" if same else drawn("≠ ", render.symbols)
    tone = Tone.PLAIN if same else Tone.WARN
    return (
        Cell(fit(clean(label), _LABEL), Tone.QUIET),
        Cell(fit(_value(mine, render), _VALUE - 1), tone),
        Cell(clean(" ")),
        Cell(clean(f"{mark}{_value(theirs, render)}", 60), tone),
    )


def _value(value: str | None, render: RenderContext) -> SafeText:
    return dash(render) if value is None else clean(value, 60)


def _many(values: tuple[str, ...]) -> str:
    return " ".join(sorted(values))
