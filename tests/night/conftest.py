"""Fixtures of nights."""

from __future__ import annotations

import pytest

from console.live.derived import Rest


@pytest.fixture(autouse=True)
def without_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night is faster than the clock by which the evaluation of rules rests."""

    def is_over(_rest: Rest) -> bool:
        return True

    monkeypatch.setattr(Rest, "is_over", is_over)
