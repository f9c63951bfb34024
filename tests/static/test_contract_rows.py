from __future__ import annotations

import tomllib

from console.api.catalogue import catalogue
from tests.static.source_files import ROOT

ROWS: dict[str, list[str]] = tomllib.loads((ROOT / "tests/data/contract_rows.toml").read_text(encoding="utf-8"))


def test_every_row_of_the_contract_that_is_in_scope_has_exactly_one_operation():
    rows = [(section, row) for section, titles in ROWS.items() for row in titles]
    operations = [(each.operation.section, each.operation.row) for each in catalogue().values()]
    assert sorted(operations) == sorted(rows)


def test_every_operation_says_what_it_does_and_is_named_resource_and_verb():
    for name, request in catalogue().items():
        assert request.operation.title, name
        assert name.count(".") == 1, name
        assert name == name.lower(), name


def test_the_order_is_the_contracts_whoever_imported_first():
    sections = [request.operation.section for request in catalogue().values()]
    assert sections == sorted(sections)
