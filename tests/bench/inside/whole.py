"""The memory of ten thousand calls held the straightforward way, as a list of validated models, in bytes per call.

    python -m tests.bench.inside.whole FOLDER SIZE

Calls have SIZE bytes; 0 takes those of the scenario.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter

from console.records.model import model_of
from console.records.traffic import Call
from tests.bench.machine import resident
from tests.bench.paper import answers, long_calls

if __name__ == "__main__":
    adapter = cast("TypeAdapter[list[BaseModel]]", TypeAdapter(cast("Any", list)[model_of(Call)]))
    adapter.validate_json(b"[{}]")
    body = answers(Path(sys.argv[1]))["/calls"]
    if size := int(sys.argv[2]):
        body = json.dumps(long_calls(json.loads(body), size), ensure_ascii=False, separators=(",", ":")).encode()
        gc.collect()
    before = resident(os.getpid())
    calls = adapter.validate_json(body)
    gc.collect()
    print((resident(os.getpid()) - before) / len(calls))
