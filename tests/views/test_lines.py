"""Fields of an unknown structure in a detail."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from console.views.lines import field_lines
from console.views.render_context import RenderContext


def test_fields_are_pairs_and_secrets_among_them_are_shortened() -> None:
    render = RenderContext(0, ZoneInfo("UTC"))
    secret = "k" * 40
    values = {"subject": "Card was declined", "vip": True, "password": secret, "order": {"number": 7}}
    lines = ["".join(cell.text for cell in line) for line in field_lines(values, render)]
    assert lines[0].split(maxsplit=1) == ["subject", "Card was declined"]
    assert lines[1].split() == ["vip", "yes"]
    assert secret not in "".join(lines)
    assert lines[3] == "order:"
