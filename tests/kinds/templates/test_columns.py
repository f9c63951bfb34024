"""The text of alert templates and their details."""

from __future__ import annotations

from console.kinds.templates.columns import gives_up_ms, timeline
from console.records.support import (
    AlertTemplate,
)
from tests.kinds.reading import M, said
from tests.kinds.wild import render_context


def test_a_template_shows_when_it_gives_up() -> None:
    template = AlertTemplate(template_id="t1", number_of_retries=3, time_in_ms_between_retries=M, time_to_expire=3 * M)
    assert gives_up_ms(template) == 6 * M
    lines = said(timeline(template, render_context()))
    assert lines[-1] == "3 retries, expires after 6m; if sent now, at 16:19:20"
    assert len(lines) == 6
    forever = said(timeline(template.model_copy(update={"time_to_expire": None}), render_context()))
    assert forever[-1] == "Never expires."
