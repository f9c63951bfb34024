from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.recording.desk import prompt


@pytest.fixture(autouse=True)
def soon() -> Generator[None]:
    with prompt():
        yield
