"""The formats of the report: complete, valid, and harmless whatever names contain."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import ClassVar

import pytest

from console.base.frozen import replace
from console.recording.notes import Note
from console.recording.recording import ListRecording
from console.report.formats import escape_markdown, to_json, to_markdown
from console.report.html import to_html
from console.report.moments import command_of
from console.report.parts import ReportMoment, ReportSection, clock, title
from console.report.report import Report, report
from console.report.sections import sections
from console.views.render_context import RenderContext
from tests.report.tape import FIRST, Tape, agent, at, call, render_of, tape

HOSTILE = (
    "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> | `x` [a](javascript:b) \u202egnp.exe\x1b[2J\r\n# x"
)
NOTE = Note("n1", at(100), HOSTILE, HOSTILE, at(100), "calls", "a")
Formatted = tuple[Report, tuple[ReportSection, ...], RenderContext]


class Page(HTMLParser):
    """Checks that tags are balanced, and notes texts, ids, links and all that could load or run something."""

    CLOSED_BY_THEMSELVES: ClassVar[set[str]] = {"meta", "br"}

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name.startswith("on") or name in ("src", "style", "xlink:href"):
                self.wrong.append(f"{tag} {name}")
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")
        if tag not in self.CLOSED_BY_THEMSELVES:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def page_of(text: str) -> Page:
    found = Page()
    found.feed(text)
    found.close()
    return found


def hostile_night(made: Tape) -> None:
    """Names with markup, quotes, control characters and marks that reverse text, everywhere."""
    people = {"ana": {**agent("ana", "chat"), "displayName": HOSTILE}}
    made.begin(
        {
            "calls": {},
            "agents": people,
            "skills": {HOSTILE: {"skill": HOSTILE, "agents": ["ana"]}},
            "alerts": {},
            "alarms": {},
            "episodes": {},
        }
    )
    made.at = 10
    made.put("calls", "a", call("a", "queued", 10, target=HOSTILE, caller=HOSTILE))
    made.put("alerts", "k", {"alertId": "k", "title": HOSTILE, "createdAt": at(10), "state": "active"})
    made.put("episodes", "e", id="e", rule=HOSTILE, title=HOSTILE, words=HOSTILE, severity="critical", beganAt=at(10))
    made.sample(calls_waiting=3, longest_wait=12_000)
    made.at = 60
    made.put("calls", "a", call("a", "abandoned", 10, to=60, target=HOSTILE, caller=HOSTILE))
    made.journal(what="intent", command="1", who=HOSTILE, title=HOSTILE, steps=[{"key": HOSTILE}])
    made.at = 120
    made.end(HOSTILE)


@pytest.fixture
def formatted(tmp_path: Path) -> Formatted:
    with tape(tmp_path) as made:
        hostile_night(made)
    with ListRecording.open(made.file) as recording:
        render = render_of(recording, at(180))
        found = report(recording, FIRST, at(180), render)
        return found, sections(found, render, (NOTE,)), render


def test_times_that_the_clock_shows_twice_have_their_offset(formatted: Formatted):
    whole, _, render = formatted
    first = round(datetime(2026, 10, 25, 2, 30, tzinfo=render.zone).timestamp() * 1000)
    hour = replace(whole, first_ms=first, last_ms=first + 3_600_000)
    assert title(hour, render) == "2026-10-25 02:30+02:00 to 02:30+01:00, Europe/Madrid"
    assert [clock(value, hour, render) for value in (hour.first_ms, hour.last_ms)] == [
        "02:30:00+02:00",
        "02:30:00+01:00",
    ]


def written(formatted: Formatted, form: Callable[[Report, tuple[ReportSection, ...], RenderContext], str]) -> str:
    return form(*formatted)


def test_the_page_is_valid_and_loads_and_runs_nothing(formatted: Formatted):
    text = written(formatted, to_html)
    page = page_of(text)
    assert page.wrong == []
    assert page.open == []
    assert not page.tags & {"script", "img", "link", "iframe", "object"}
    assert len(page.ids) == len({*page.ids})
    assert page.links
    assert all(each.startswith("#") and each[1:] in page.ids for each in page.links)
    assert not re.search(r"https?://(?!core\.test)|@import|url\(", text)
    said = "".join(page.text)
    assert "<script>alert(1)</script>" in said, "names are shown as they are"
    assert all(each.isprintable() or each == "\n" for each in text)


def test_the_page_names_its_times_with_their_zone_and_all_sections(formatted: Formatted):
    page = page_of(written(formatted, to_html))
    said = "".join(page.text)
    assert "Shift report 2026-09-21 22:00 to 22:03, Europe/Madrid" in said
    for each in ("Alerts", "Queues", "Understaffed skills", "Chats", "Outages", "Call quality", "Own changes"):
        assert each in said
    assert "Hand-over notes" in said
    assert "console list calls --at '2026-09-21 22:00:59'" in said
    assert "Some of the time was not recorded" in said
    assert "@media print" in said
    assert {"svg", "rect"} <= page.tags


def test_nothing_in_markdown_is_read_as_markup(formatted: Formatted):
    text = written(formatted, to_markdown)
    assert all(each.isprintable() or each == "\n" for each in text)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    code = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
    outside = [code.sub("", line) if not line.startswith("|") else line for line in text.splitlines()]
    assert not any(re.search(r"(?<!\\)[<\[]", line) for line in outside)
    tables = re.split(r"\n\n", text)
    for table in (each.splitlines() for each in tables if each.startswith("| ")):
        columns = {len(re.findall(r"(?<!\\)\|", line)) for line in table}
        assert len(columns) == 1, "no name adds a column"
    assert rows
    assert next(line for line in text.splitlines() if line.startswith("#")).startswith("# Shift report")
    assert not any(line.startswith("# x") for line in text.splitlines())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. x", "1\\. x"),
        ("- x", "\\- x"),
        ("27.9 %", "27.9 %"),
        ("a_b*c", "a\\_b\\*c"),
        ("&lt;", "\\&lt;"),
        ("+34911", "+34911"),
        ("# x", "\\# x"),
    ],
)
def test_markdown_shows_a_text_as_it_is(text: str, expected: str):
    assert escape_markdown(text) == expected


def test_json_has_all_figures_and_says_what_is_not_known(formatted: Formatted):
    found = json.loads(to_json(formatted[0], (NOTE,)))
    assert (found["format"], found["from_ms"], found["to_ms"], found["zone"]) == (1, FIRST, at(180), "Europe/Madrid")
    (queue,) = found["calls"]["queues"]
    assert (queue["offered"], queue["abandoned"], queue["waits"][0]["ms"]) == (1, 1, 50_000)
    assert found["restarts"] is None
    assert found["gaps"][0]["start_ms"] == at(120)
    assert found["not_known_ms"]["calls"] == 60_000
    assert found["notes"][0]["key"] == "a"
    assert found["calls"]["answered"][-1] is None


def test_a_moment_is_a_command_that_a_shell_takes_as_one_list_of_words(formatted: Formatted):
    page = page_of(written(formatted, to_html))
    commands = [each for each in page.text if each.startswith("console list skills")]
    assert commands
    shell = subprocess.run(
        ["/bin/sh", "-c", f'console() {{ for each in "$@"; do echo "[$each]"; done; }}; {commands[0]}'],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shell.stdout.startswith("[list]\n[skills]\n[--at]\n[2026-09-21 22:0")
    assert shell.stderr == ""


def test_the_report_names_the_profile_if_it_has_a_name(formatted: Formatted) -> None:
    made, parts, render = formatted
    for profile, source in (("night", "Profile night, service"), ("environment", "Service"), ("", "Service")):
        named = replace(made, profile=profile)
        assert f"\n{source} http" in to_markdown(named, parts, render).replace("\\", "")
        assert any(text.startswith(f"{source} http") for text in page_of(to_html(named, parts, render)).text)


@pytest.mark.parametrize(
    "key",
    ["'" * 200, "'; echo run; '" * 14, "$(echo run)" * 18, "`echo run`" * 20, "計" * 200],
    ids=lambda key: key[:9],
)
@pytest.mark.parametrize("profile", ["", "night", "-n 'a", "x" * 600, "'" * 260], ids=lambda name: name[:9])
def test_no_text_of_a_record_is_run_by_a_shell(tmp_path: Path, key: str, profile: str):
    with tape(tmp_path) as made:
        made.db.execute("UPDATE meta SET value = ? WHERE name = 'profile'", (profile,))
        made.begin({"calls": {}})
        made.at = 60
        made.end()
    with ListRecording.open(made.file) as recording:
        render = render_of(recording, at(60))
        command = command_of(ReportMoment(at(10), "calls", key), report(recording, FIRST, at(60), render), render)
    if command is None:
        assert len(profile) > 200
        return
    shell = subprocess.run(
        ["/bin/sh", "-c", f'console() {{ for each in "$@"; do echo "[$each]"; done; }}; {command}\necho end'],
        capture_output=True,
        text=True,
        check=True,
    )
    words = shell.stdout.splitlines()
    assert words[:3] == ["[list]", "[calls]", "[--at]"]
    assert all(each.startswith("[") and each.endswith("]") for each in words[:-1])
    assert words[-1] == "end"
    assert shell.stderr == ""


def test_the_command_of_a_moment_within_a_second_is_about_the_end_of_the_second(formatted: Formatted):
    # Nothing may be known at its beginning.
    found, _, render = formatted
    assert "22:00:11" in (command_of(ReportMoment(at(10.4), "calls"), found, render) or "")
    assert "22:00:10" in (command_of(ReportMoment(at(10), "calls"), found, render) or "")


def test_only_long_words_may_be_broken_in_narrow_tables(tmp_path: Path):
    long = "x" * 60
    with tape(tmp_path) as made:
        made.begin({"episodes": {}})
        made.at = 10
        for rule, words in (("waiting", f"see {long}"), ("abandoned", "callers hung up within five minutes")):
            made.put("episodes", rule, id=rule, rule=rule, words=words, severity="warning", beganAt=at(10))
        made.at = 120
        made.end()
    with ListRecording.open(made.file) as recording:
        render = render_of(recording, at(120))
        found = report(recording, FIRST, at(120), render)
    page = to_html(found, sections(found, render), render)
    assert "<td>warning</td>" in page
    assert '<td class="words">callers hung up within five minutes</td>' in page
    assert f'<td class="words long">see {long}</td>' in page


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium")
def test_a_browser_shows_the_page(formatted: Formatted, tmp_path: Path):
    file = tmp_path / "report.html"
    file.write_text(written(formatted, to_html), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", file.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "Shift report 2026-09-21" in shown.stdout
