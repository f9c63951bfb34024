"""The app in which the tests of a module open dialogs."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from functools import partial

import pytest_asyncio

from .asking import Asked, Asking


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def asked() -> AsyncGenerator[Asking]:
    """Open a dialog in the app of this module."""
    app = Asked()
    async with app.run_test(size=(80, 24)) as pilot:
        yield partial(app.opened, pilot)
