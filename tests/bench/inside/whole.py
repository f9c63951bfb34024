"""The memory that ten thousand calls take the obvious way: a list of validated models. Prints bytes per call.

python -m tests.bench.inside.whole FOLDER
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from pydantic import TypeAdapter

from console.records.traffic import Call
from tests.bench.machine import resident
from tests.bench.paper import answers

if __name__ == "__main__":
    adapter = TypeAdapter(list[Call])
    adapter.validate_json(b"[{}]")
    body = answers(Path(sys.argv[1]))["/calls"]
    before = resident(os.getpid())
    calls = adapter.validate_json(body)
    gc.collect()
    print((resident(os.getpid()) - before) / len(calls))
