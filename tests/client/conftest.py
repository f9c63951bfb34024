"""Fixtures: a deployment whose answers are of another form than those of the contract."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.client.answering import Deployment


@pytest.fixture
async def deployment(tmp_path: Path) -> AsyncGenerator[Deployment]:
    deployment = Deployment(tmp_path)
    yield deployment
    await deployment.close()
