"""What tests of several kinds share."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.services import Services


@pytest.fixture(scope="session")
def services() -> Generator[Services]:
    """Services that are put back for each test instead of being started."""
    found = Services()
    yield found
    found.close()
