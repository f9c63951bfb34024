"""A secret that is typed into a change is not in what is written of it: journal, recording, report of the shift."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.api.catalogue import find
from console.base.clock import SystemClock
from console.base.frozen import replace
from console.base.text import clean
from console.kinds.operating import FORM, change
from console.live.command import Command, Outcome, Stage
from console.live.journal import Journal
from console.live.responses import intent_entry, outcome_entry
from console.recording.recording import ListRecording
from tests.canary import files_below, leaks
from tests.cli.conftest import Console
from tests.kinds.action_world import situation
from tests.kinds.test_secret_inputs import CANARY, SECRETS, with_secrets
from tests.live.until import until
from tests.recording.desk import Desk, plan_of, prompt, recorded


def test_what_is_written_of_changes_with_secrets_contains_none(
    offline: Console, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("written")
    plan, desk, now = plan_of(folder), Desk("templates"), SystemClock().now_ms
    with prompt(), recorded(desk, plan), ListRecording.open(plan.file) as read:
        journal = Journal(plan.journal)
        for name in SECRETS:
            (step,) = change(name).plan(situation(), (), {FORM: with_secrets(find(name))})
            command = Command(f"run.{name}", "", (replace(step, words=clean(f"ran {name}")),), "")
            given = {"at": now(), "who": "eva", "where": plan.service}
            journal.append(intent_entry(name, command, given, [None]))
            # The service repeats what it was sent.
            answer = step.request.model_dump(by_alias=True, mode="json")
            journal.append(outcome_entry(name, 0, now(), step, Outcome(step, Stage.DONE, answer=answer)))
            journal.append({"what": "result", "command": name, "stage": "done"})
            desk.put("templates", id=name, newPassword=CANARY, inner={"old_password": CANARY, "sipSecret": CANARY})
        until(lambda: read.span is not None and read.rows("templates", now()).keys() >= set(SECRETS))
    reports = {
        form: offline("report", "--file", str(plan.file), "--from", "1m", "--format", form)
        for form in ("markdown", "json", "html")
    }
    assert [report.err for report in reports.values() if report.code] == []
    printed = {form: report.out.encode() for form, report in reports.items()}
    for form, text in printed.items():
        assert all(f"ran {name}".encode() in text for name in SECRETS), form
    with ListRecording.open(plan.file) as read:
        assert len([entry for entry in read.commands(0, now()) if entry["what"] == "outcome"]) == len(SECRETS)
    assert not leaks(files_below(folder, home) | printed, [CANARY])
    assert leaks({"a row": bytes(str(with_secrets(find(SECRETS[0]))), "utf-8")}, [CANARY]), "the search works"
