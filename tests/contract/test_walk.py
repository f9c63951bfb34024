"""All rows of the contract have cases, reasons and tests."""

from __future__ import annotations

import inspect

from console.api.annotations import Effect
from console.cli.service.serve import serve
from tests.contract.case import CASES
from tests.contract.cases import load_cases
from tests.contract.rows import COUNT, deviations_of_resources, rows
from tests.static.source_files import ROOT

load_cases()
SAYS_ONLY = {"sessions.resume"}
"""Operations that only return data but count as changes because they log somebody in."""


def test_all_rows_of_the_contract_have_cases() -> None:
    walked = [row for row in rows() if all(each.request in CASES for each in row.operations)]
    assert (len(walked), COUNT) == (179, 179)


def test_reading_changes_nothing_and_every_change_changes_something() -> None:
    for row in rows():
        for operation in row.operations:
            request = operation.request
            for variant in CASES[request].variants:
                if request.operation.variant not in {None, variant}:
                    continue
                touches = operation.touches[variant]
                says_only = request.operation.name in SAYS_ONLY
                changes = request.operation.effect is Effect.CHANGE and not says_only
                assert bool(touches.tables or touches.events) is changes, (request.operation.name, variant)


def test_every_deviation_names_its_reason_and_an_existing_option() -> None:
    options = {f"--{name.replace('_', '-')}" for name in inspect.signature(serve).parameters}
    named = [each for row in rows() for each in row.deviations]
    named += [each for found in deviations_of_resources().values() for each in found]
    assert named
    for each in named:
        assert each.what
        assert each.why
        assert not each.option or each.option in options, each.option


def test_every_effect_names_an_existing_test() -> None:
    for row in rows():
        for each in row.effects:
            file, _, name = each.test.partition("::")
            assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), each.test
