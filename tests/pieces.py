"""Tests of what the console does with private parts of Textual, and may do without."""

from __future__ import annotations

import pytest

from console.ui.textual_compat.pieces import missing


def needs(piece: str) -> pytest.MarkDecorator:
    """Skip a test of how a piece paints where the console does without it."""
    return pytest.mark.skipif(bool(missing(piece)), reason=f"{piece}: {missing(piece)}")
