"""The worker thread of the screens."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor


class Worker(ThreadPoolExecutor):
    """Runs tasks that would block the screen, one at a time."""

    def __init__(self) -> None:
        super().__init__(1, "console-worker")
