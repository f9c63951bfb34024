from __future__ import annotations

import pytest

from console.tables.catalogue import TABLES
from console.tables.filter import parse
from console.tables.offered_views import OFFERED


@pytest.mark.parametrize("kind", OFFERED)
def test_every_view_that_is_offered_can_be_shown(kind: str) -> None:
    for view in OFFERED[kind]:
        assert not parse(view.filter, TABLES[kind]).empty
        assert TABLES[kind].column(view.sort.removeprefix("-"))
