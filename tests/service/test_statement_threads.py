"""Threads for statements: a request that ends early leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import Any

import pytest

from console.service.store.threads import StatementThreads


async def test_a_statement_that_fails_after_its_request_was_cancelled_logs_nothing() -> None:
    threads = StatementThreads()
    logged: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context))
    begun, go_on = threading.Event(), threading.Event()

    def fail() -> None:
        begun.set()
        go_on.wait()
        raise OSError("the connection was lost")

    request = asyncio.ensure_future(threads.run(fail, writing=True))
    await asyncio.to_thread(begun.wait)
    request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await request
    go_on.set()
    with pytest.raises(OSError, match="lost"):
        await threads.run(fail, writing=True)
    del request
    gc.collect()
    threads.close()
    assert logged == []
