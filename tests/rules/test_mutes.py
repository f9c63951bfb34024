"""What was seen and muted stays so, also in the next session; a mute ends by itself and hides no history."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console.kinds.episodes.facts import muted_now, unseen
from console.live.delta import Freshness, Health
from console.records.episodes import Episode
from console.records.traffic import Call
from console.rules.keeping import load_episodes
from console.rules.mutes import Scope
from tests.rules.desk import Desk, rules_of

RULE = '[rules.wait]\nlist = "calls"\nfilter = "waiting:yes"\neach = "record"\nhold = "1s"\n'
MINUTE = 60_000


def waiting(key: str) -> Call:
    return Call(id=key, state="queued", target="support")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(rules_of(tmp_path, RULE), file=tmp_path / "state" / "episodes.json")
    made.put("calls", waiting("a"), waiting("b"))
    made.after()
    return made


def again(desk: Desk, folder: Path) -> Desk:
    """Return the next session, after the end of this one."""
    desk.watch.close()
    made = Desk(rules_of(folder, RULE), file=folder / "state" / "episodes.json")
    made.clock.jump(desk.now_ms - made.now_ms)
    return made


def by_key(found: list[Episode]) -> dict[str, Episode]:
    return {each.about or "": each for each in found}


@pytest.mark.parametrize(("scope", "left"), [("episode", {"b"}), ("record", {"b"}), ("rule", set[str]())])
def test_a_mute_is_about_an_episode_a_record_or_a_rule_and_ends_by_itself(
    desk: Desk, scope: Scope, left: set[str]
) -> None:
    first = by_key(desk.after())["a"]
    assert desk.watch.mute(scope, [first.id], desk.now_ms + 10 * MINUTE, "known fault", "eva") == 1
    assert set(by_key(desk.after())) == left
    assert muted_now(desk.render()) == 2 - len(left), "how much is muted is known"
    muted = next(each for each in desk.episodes if each.id == first.id)
    assert (muted.state, muted.reason, muted.muted_by, muted.muted_until) == (
        "muted",
        "known fault",
        "eva",
        desk.now_ms + 10 * MINUTE,
    )
    assert set(by_key(desk.after(599))) == left
    back = by_key(desk.after(1))["a"]
    assert (back.state, back.reason, back.renewed_at) == ("active", None, desk.now_ms), "and it is renewed"


def test_a_muted_episode_ends_with_its_cause_and_stays_in_the_history(desk: Desk) -> None:
    first = by_key(desk.after())["a"]
    desk.watch.mute("episode", [first.id], desk.now_ms + 10 * MINUTE, "known")
    desk.put("calls", removes=["a"])
    desk.after(1)
    ended = next(each for each in desk.episodes if each.id == first.id)
    assert (ended.state, ended.reason) == ("ended", "known")
    desk.after(10)
    desk.put("calls", waiting("a"))
    assert by_key(desk.after())["a"].id != first.id, "the mute of an episode is not about the next one"


def test_a_muted_rule_mutes_what_begins_later_too_until_it_is_unmuted(desk: Desk) -> None:
    first = by_key(desk.after())["a"]
    desk.watch.mute("rule", [first.id], desk.now_ms + 10 * MINUTE, "")
    desk.put("calls", waiting("c"))
    assert desk.after(1) == []
    desk.watch.unmute([first.id])
    found = by_key(desk.after(1))
    assert set(found) == {"a", "b", "c"}
    assert found["a"].renewed_at == first.renewed_at, "who unmutes it knows of it"


def test_a_seen_episode_is_not_new(desk: Desk) -> None:
    assert all(map(unseen, desk.after()))
    desk.clock.advance(1)
    desk.watch.see([by_key(desk.after())["a"].id], "eva")
    found = by_key(desk.after())
    assert (unseen(found["a"]), unseen(found["b"]), found["a"].seen_by) == (False, True, "eva")


def test_a_renewal_after_the_key_stays_unseen(desk: Desk) -> None:
    before = by_key(desk.after())
    desk.clock.advance(1)
    desk.watch.see(
        ["a", *(each.id for each in before.values())],
        "eva",
        {before["a"].id: int(before["a"].renewed_at or 0) - 1, before["b"].id: int(before["b"].renewed_at or 0)},
    )
    found = by_key(desk.after())
    assert (unseen(found["a"]), unseen(found["b"])) == (True, False)


def test_episodes_mutes_and_what_was_seen_survive_a_restart(desk: Desk, tmp_path: Path) -> None:
    before = by_key(desk.after(3))
    desk.watch.see([before["a"].id], "eva")
    desk.watch.mute("record", [before["b"].id], desk.now_ms + 10 * MINUTE, "known")
    desk.put("calls", waiting("c"))
    desk.after(1)
    desk.put("calls", removes=["c"])
    desk.after(1)
    later = again(desk, tmp_path)
    later.put("calls", waiting("a"), waiting("b"))
    (found,) = later.after(1)
    assert (found.id, unseen(found), found.began_at) == (before["a"].id, False, before["a"].began_at)
    assert {each.about: each.state for each in later.episodes} == {"a": "active", "b": "muted", "c": "ended"}


def test_what_ended_while_the_console_did_not_run_ends(desk: Desk, tmp_path: Path) -> None:
    later = again(desk, tmp_path)
    assert later.after(1) == []
    assert {each.state for each in later.episodes} == {"ended"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"episodes": 3, "mutes": {}}',
        '{"episodes": [1, {"id": 7}, {"id": "x", "rule": "gone", "keys": 3}], "mutes": [{"scope": "all"}, 5]}',
        "[" * 100_000,
    ],
)
def test_a_damaged_file_stops_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "state" / "episodes.json"
    file.parent.mkdir()
    file.write_text(text)
    desk = Desk(rules_of(tmp_path, RULE), file=file)
    desk.put("calls", waiting("a"))
    assert len(desk.after(1)) == 1
    desk.watch.close()
    assert "a" in {each.about for each in load_episodes(file).episodes}


def test_the_file_is_private_and_bounded(tmp_path: Path) -> None:
    desk = Desk(rules_of(tmp_path, RULE), file=tmp_path / "state" / "episodes.json")
    for round_ in range(30):
        desk.put("calls", *(waiting(f"{round_}-{number}") for number in range(50)))
        desk.after(1)
        desk.put("calls", removes=[*desk.records("calls")])
        desk.after(1)
    desk.watch.close()
    file = tmp_path / "state" / "episodes.json"
    assert file.stat().st_mode & 0o077 == 0
    assert len(json.loads(file.read_text())["episodes"]) == 200
    assert len(desk.episodes) == 1_000


def test_the_file_tells_when_the_rules_were_last_evaluated_on_current_rows(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "state" / "episodes.json"
    desk.after(60)
    assert load_episodes(file).evaluated_at == desk.now_ms, "also if nothing has changed"
    last_ms = desk.now_ms
    desk.healths["calls"] = Health(Freshness.OFFLINE, 5)
    desk.after(60)
    desk.watch.mute("rule", [desk.episodes[0].id], desk.now_ms + MINUTE, "lunch")
    desk.watch.close()
    kept = load_episodes(file)
    assert (kept.evaluated_at, bool(kept.mutes)) == (last_ms, True)
