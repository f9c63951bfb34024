"""The text of alert templates and their details."""

from __future__ import annotations

from console.kinds.templates.columns import TABLE, gives_up_ms, timeline
from console.records.support import AlertTemplate
from console.views.filter import parse
from tests.for_each import for_each
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


@for_each("ms, shown", [(700, "700ms"), (1_700, "1s"), (59_900, "59s"), (90_500, "1m 30s"), (26 * 60 * M, "1d 2h")])
def test_a_filter_on_the_time_between_retries_agrees_with_the_shown_cell(ms: int, shown: str) -> None:
    template = AlertTemplate(template_id="t1", time_in_ms_between_retries=ms)
    assert TABLE.column("every").cell(template, render_context()).text == shown
    typed = shown.replace(" ", "")
    found = [
        operator
        for operator in ("=", "<=", ">=", "<", ">", "!=")
        if parse(f"every{operator}{typed}", TABLE).matches(template, render_context())
    ]
    assert found == ["=", "<=", ">="]
