"""Writes the file of a recording in a process of its own.

Folding rows into columns and compressing them would take the interpreter of the screen for a tenth of a second at a
time, and memory that it never returns. The process gets rows as they came, and works at a low priority.

It reads messages from its input: the length in four bytes, then msgpack. It answers each with a length and a text,
which is empty when the message was carried out, else why not. It ends with its input, so even if the console is killed.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec

from console.recording.file_writer import FileWriter
from console.recording.format import RecordingFault
from console.recording.messages import Beat, Begin, RecordingPlan

ANSWER_SECONDS = 60.0
"""Longest wait for an answer. Writing ten thousand rows takes one second."""
END_SECONDS = 1.0
"""Longest wait for its end, after which it ends by itself."""
NICENESS = 10
_LENGTH = 4
_MOST_WORDS = 1_000
_MODULE = "console.recording.writer_process"
_ENVIRONMENT = frozenset(
    ("PATH", "PYTHONPATH", "PYTHONHOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH"),
)
"""Variables of the environment for the process; the rest may contain secrets."""


def _path(_: type, text: object) -> Path:
    return Path(str(text))


_ENCODER = msgspec.msgpack.Encoder(enc_hook=str)
_PLAN = msgspec.msgpack.Decoder(RecordingPlan, dec_hook=_path)
_MESSAGE = msgspec.msgpack.Decoder(Begin | Beat)


class WriterProcess:
    """A `FileWriter` in another process. All methods raise OSError or RecordingFault."""

    def __init__(self, plan: RecordingPlan, lock: int) -> None:
        """Start the process. It keeps the lock of the file (a handle) until it ends, also after a crash of this one."""
        # -P: files of the current folder replace no modules. Its own session: keys and signals of the terminal are
        # for the console.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            pass_fds=(lock,),
            start_new_session=True,
            env={name: value for name, value in os.environ.items() if name in _ENVIRONMENT},
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._messages, self._answers = self._process.stdin, self._process.stdout
        os.set_blocking(self._messages.fileno(), False)
        self._send(plan)

    def begin(self, begin: Begin) -> None:
        """See `FileWriter.begin`."""
        self._send(begin)

    def write(self, beat: Beat) -> None:
        """See `FileWriter.write`."""
        self._send(beat)

    def close(self) -> None:
        """Let the process end, without a long wait for what it still writes."""
        for pipe in (self._messages, self._answers):
            pipe.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)

    def _send(self, message: RecordingPlan | Begin | Beat) -> None:
        """Send a message, and wait until it was carried out."""
        end = time.monotonic() + ANSWER_SECONDS
        try:
            self._write(message, end)
            self._wait(self._answers, select.POLLIN, end)
            fault = _received(self._answers)
        except BrokenPipeError:
            fault = None
        if fault is None:
            raise OSError("the process that writes the recording ended")
        if fault:
            raise RecordingFault(fault.decode())

    def _write(self, message: RecordingPlan | Begin | Beat, end: float) -> None:
        # On its own, so that the text, which may have megabytes, is gone while the answer is awaited.
        text = _ENCODER.encode(message)
        for part in (len(text).to_bytes(_LENGTH, "big"), text):
            left = memoryview(part)
            while left:
                self._wait(self._messages, select.POLLOUT, end)
                left = left[os.write(self._messages.fileno(), left) :]

    def _wait(self, pipe: IO[bytes], event: int, end: float) -> None:
        """Wait until a pipe is ready. Raise OSError, and end the process, if it does not answer."""
        poll = select.poll()
        poll.register(pipe, event)
        if not poll.poll(max(0.0, end - time.monotonic()) * 1000):
            self._process.kill()
            raise OSError("the process that writes the recording does not answer")


def _received(stream: IO[bytes]) -> bytes | None:
    """Return the next message, None at the end."""
    head = stream.read(_LENGTH)
    return stream.read(int.from_bytes(head, "big")) if len(head) == _LENGTH else None


def main(messages: IO[bytes], answers: IO[bytes]) -> None:
    """Write what the messages say, until they end or one cannot be carried out."""
    first = _received(messages)
    if first is None:
        return
    writer = FileWriter(_PLAN.decode(first))
    fault = ""
    _answer(answers, fault)
    try:
        while not fault and (text := _received(messages)) is not None:
            fault = _carried_out(writer, _MESSAGE.decode(text))
            _answer(answers, fault)
    except BrokenPipeError:
        pass
    finally:
        writer.close()


def _carried_out(writer: FileWriter, message: Begin | Beat) -> str:
    """Carry out a message. Return why that failed, empty if it did not."""
    try:
        if isinstance(message, Begin):
            writer.begin(message)
        else:
            writer.write(message)
    except OSError as error:
        return error.strerror or str(error) or type(error).__name__
    except Exception as error:  # Whatever fails here is reported, and the console goes on.
        return str(error) or type(error).__name__
    return ""


def _answer(answers: IO[bytes], fault: str) -> None:
    # At once: an answer is smaller than what a pipe writes as a whole.
    text = fault.encode(errors="replace")[:_MOST_WORDS]
    answers.write(len(text).to_bytes(_LENGTH, "big") + text)
    answers.flush()


if __name__ == "__main__":
    os.nice(NICENESS)
    main(sys.stdin.buffer, sys.stdout.buffer)
