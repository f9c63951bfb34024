"""The dashboard, the alerting rules and the page about figures use the figures that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

import promql_parser
import yaml

from console.cli.checks import figures
from tests.for_each import for_each
from tests.static.source_files import ROOT

DOCS = ROOT / "docs"
NAME = re.compile(r"console_[a-z_]+")
LABEL = "console_link"
"""The label of a set of states has the name of its figure."""


def defined() -> set[str]:
    """Return the names of all figures, as their code has them."""
    text = (ROOT / "src/console/cli/checks/figures.py").read_text(encoding="utf-8")
    names = set(re.findall(r'"(console_[a-z_]+)"', text)) | {"console_info"}
    return {f"{each}_total" if each in {"console_request_errors", "console_service_calls"} else each for each in names}


def expressions() -> Iterator[str]:
    rules: Any = yaml.safe_load((DOCS / "monitoring/alerts.yml").read_text(encoding="utf-8"))
    yield from (rule["expr"] for group in rules["groups"] for rule in group["rules"])
    board: Any = json.loads((DOCS / "monitoring/grafana.json").read_text(encoding="utf-8"))
    yield from (target["expr"] for panel in board["panels"] for target in panel["targets"])


@for_each("expression", sorted(set(expressions())))
def test_every_expression_is_valid_and_uses_figures_that_exist(expression: str) -> None:
    cast("Any", promql_parser).parse(expression)
    assert {each.removesuffix("_bucket") for each in NAME.findall(expression)} <= defined()


def test_the_page_lists_every_figure_and_no_other() -> None:
    page = (DOCS / "monitoring.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(console_[a-z_]+)` \|", page, re.MULTILINE))
    assert listed == defined()
    assert str(figures.MOST_NAMES) in page
