"""The benchmark itself, in its smallest form. No durations are asserted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench import figures, keys, paper
from tests.bench.__main__ import PARTS, main
from tests.bench.bench import Bench
from tests.bench.figures import UNMEASURED, Figure, at_least, most, within
from tests.bench.parts import peers
from tests.bench.parts.peers import Program
from tests.bench.prepared_rows import PaperBackend


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("busy")
    paper.record(folder, "busy")
    return folder


@pytest.mark.parametrize("part", PARTS)
def test_every_part_measures_something(part: str, recorded: Path, tmp_path: Path):
    measured = list(PARTS[part](Bench(tmp_path, recorded, rounds=1, small=True)))
    assert measured
    assert all(figure.name and figure.ours for figure in measured)
    assert not [figure for figure in measured if figure.ours == UNMEASURED]


def broken(_bench: Bench) -> Iterator[Figure]:
    yield most("the first figure", 1.0, 2.0)
    raise ValueError("the screen | of the program\nhas changed")


def nothing_recorded(_folder: Path, _world: str) -> None: ...


def test_a_part_that_fails_is_a_failed_row_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(paper, "record", nothing_recorded)
    monkeypatch.setitem(PARTS, "broken", broken)
    monkeypatch.setitem(PARTS, "sound", lambda _bench: [most("the last figure", 1.0, 2.0)])
    assert main(["broken", "sound"]) == 1
    output = capsys.readouterr()
    rows = output.out.splitlines()[-3:]
    assert [row.split("  ")[0] for row in rows] == ["the first figure", "part broken", "the last figure"]
    assert [row.split()[-1] for row in rows] == ["yes", "NO", "yes"]
    assert "the screen \\| of the program has changed" in rows[1]
    assert re.findall(r"^\w+: \d+ s$", output.err, re.MULTILINE) == ["broken: 0 s", "sound: 0 s"]
    assert main(["sound"]) == 0


def test_a_program_that_is_not_available_fails_each_of_its_rows(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def missing(*_: object) -> Program:
        raise OSError("it is not on the PATH")

    monkeypatch.setattr(peers, "small_peer", missing)
    measured = list(peers.measure(Bench(tmp_path, recorded, rounds=1, small=True)))
    assert [(figure.ours, figure.baseline, figure.held) for figure in measured[1:]] == [
        (UNMEASURED, "it is not on the PATH", False)
    ] * 5
    assert measured[0].ours != UNMEASURED


def test_a_key_is_answered_by_the_first_frame_that_shows_its_row_or_one_below():
    found = keys.matched([0.0, 0.1, 0.2], [(0.01, 1), (0.25, 3)])
    assert [round(wait, 3) for wait in found.waits] == [0.01, 0.15, 0.05]
    assert (found.lost, found.disorder) == (0, 0)


def test_a_key_that_no_frame_shows_is_lost():
    assert keys.matched([0.0, 0.1], [(0.02, 1)]).lost == 1


def test_a_frame_that_shows_a_key_too_early_or_reverts_one_is_out_of_order():
    assert keys.matched([0.0, 0.1], [(0.05, 2)]).disorder == 1
    assert keys.matched([0.0, 0.1], [(0.02, 1), (0.12, 2), (0.13, 1)]).disorder == 1


def test_the_cursor_is_found_on_the_row_on_which_it_is_drawn():
    drawn = (
        b"\x1b[1;1H desk \xe2\x96\xb8 eva\x1b[7;1H\x1b[1;38;2;9;9;9m\xe2\x96\xb8 row\x1b[0m\x1b[8;1H  row"
        b"\x1b[9;3H\x1b[38;2;4;4;4;48;2;1;2;3mrow"
    )
    assert [found[1] for found in keys.MARKED.finditer(drawn)] == [b"7"]
    assert [found[1] for found in keys.COLOURED.finditer(drawn)] == [b"9"]


def test_waits_are_reported_as_the_share_of_keys_within_a_limit():
    found = keys.Keys(waits=[number / 1000 for number in range(1, 101)])
    assert (found.p50, found.p99, found.worst) == (51.0, 100.0, 100.0)
    assert keys.Keys().p99 == float("inf")
    assert (keys.Keys([0.1] * 9, lost=1).p50, keys.Keys([0.1] * 9, lost=1).p99) == (100.0, float("inf"))


def test_a_figure_is_met_or_missed():
    assert within("wait", 19.0, 10.0, 2.0).held
    assert not within("wait", 21.0, 10.0, 2.0).held
    assert at_least("rate", 51.0, 100.0, 0.5).held
    assert not at_least("rate", 49_000, 100_000, 50_000, times=False).held
    assert most("cost", 0.9, 1.0).held
    assert not most("cost", 1.1, 1.0, baseline=50.0).held


def test_the_table_is_written_only_between_its_markers():
    page = f"before\n{figures.BEGIN}\nthe last run\n{figures.END}\nafter\n"
    told = [within("a key", 5.0, 4.0, 2.0, than="bare"), Figure("known", "7", "", None, "", None)]
    new = figures.page_with(page, told, "on a quiet machine")
    assert new.startswith(f"before\n{figures.BEGIN}\n\non a quiet machine\n\n| what |")
    assert "| a key | 5.00 ms | 4.00 ms (bare) | 1.25 | <= 2x | yes |" in new
    assert "the last run" not in new
    assert new.endswith(f"{figures.END}\nafter\n")


def test_events_and_lists_of_the_load_generator_agree():
    backend = PaperBackend({"/calls": b'[{"id":"c1","state":"queued"},{"id":"c2","state":"queued"}]'})
    first = backend.change("calls", "c1", touch="calle", to="sip:x")
    assert b'"offset":2,"after":1,"topic":"calls","key":"c1","kind":"upsert","body":{"id":"c1"' in first
    assert b'"calle":"sip:x"' in (backend.answer("/calls") or b"")
    backend.churn = True
    for _ in range(400):
        backend.next_event()
    rows, _ = backend.size("calls")
    assert 1 <= rows <= 4
    assert backend.offset == 402
