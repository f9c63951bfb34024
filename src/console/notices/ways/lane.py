"""Sends notices in threads: no way delays the screen, and none delays another."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from console.notices.ways.way import NotDelivered

if TYPE_CHECKING:
    from console.notices.notice import Notice
    from console.notices.ways.way import Way

log = logging.getLogger("console.notices")
WAITING = 50
"""Most notices that wait; the oldest are dropped, because a late notice is worth less than a new one."""


class Lane:
    """The notices for one way, sent in order by one thread, or by several at once. Threads start with the first."""

    def __init__(self, way: Way, at_once: int = 1, most: int = WAITING) -> None:
        """Use a way; at most `most` notices wait for it."""
        self.way = way
        self._most = most
        self._at_once = at_once
        self._waiting: deque[Notice] = deque()
        self._changed = threading.Condition()
        self._under_way = 0
        self._threads = 0
        self._failure = ""
        self._failing = False
        self._ended = False

    def put(self, notice: Notice) -> None:
        """Send a notice soon, without waiting."""
        with self._changed:
            if self._ended:
                return
            if len(self._waiting) >= self._most:
                self._waiting.popleft()
                self._failed("too many notices wait: some were dropped")
            self._waiting.append(notice)
            if self._threads < min(self._at_once, len(self._waiting) + self._under_way):
                self._threads += 1
                threading.Thread(target=self._work, name=f"console-notice-{self.way.name}", daemon=True).start()
            self._changed.notify()

    def failure(self) -> str:
        """Return why notices do not arrive, once after they began to fail; otherwise empty."""
        with self._changed:
            if why := self.way.fault():
                self._failed(why)
            text, self._failure = self._failure, ""
            return text

    def close(self, seconds: float = 0.0) -> bool:
        """Wait until everything is sent, at most this long, then drop the rest. Return whether all was sent."""
        end = time.monotonic() + seconds
        with self._changed:
            while (self._waiting or self._under_way) and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)
            is_empty = not (self._waiting or self._under_way)
            self._ended = True
            self._waiting.clear()
            self._changed.notify_all()
        self.way.close()
        return is_empty

    def _failed(self, why: str) -> None:
        if not self._failing:
            self._failing, self._failure = True, why
            log.warning("notices by %s do not arrive: %s", self.way.name, why)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._ended:
                    self._changed.wait()
                if self._ended:
                    return
                notice = self._waiting.popleft()
                self._under_way += 1
            why = self._send(notice)
            with self._changed:
                self._under_way -= 1
                if why:
                    self._failed(why)
                else:
                    self._failing = False
                self._changed.notify_all()

    def _send(self, notice: Notice) -> str:
        """Send a notice, and return why it failed."""
        try:
            self.way.send(notice)
        except NotDelivered as failed:
            return str(failed)
        except Exception as error:  # An internal error of one way must not end the others.
            log.exception("internal error: the way %s failed", self.way.name)
            return f"internal error: {type(error).__name__}"
        return ""
