"""Signals are noticed however many arrive, and at whatever moment."""

from __future__ import annotations

import signal
from types import FrameType

from console.base.signal_pipe import SignalPipe


def test_signals_that_interrupt_the_handler_of_others_are_noticed_and_nobody_waits_forever():
    signals = SignalPipe()
    deep = 0

    def handle(_number: int, _frame: FrameType | None) -> None:
        nonlocal deep
        signals.notify()
        if deep < 50:
            deep += 1
            signal.raise_signal(signal.SIGUSR1)
            signals.notify()

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        assert not signals.wait(0)
        signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert deep == 50
    assert signals.wait(0)
    assert signals.wait(0), "also the next one who asks"


def test_more_signals_than_a_pipe_takes_are_no_error():
    signals = SignalPipe()
    for _ in range(70_000):
        signals.notify()
    assert signals.wait(0)
