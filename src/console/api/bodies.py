"""Bodies: JSON, nothing, or a bare string (contract 1.7)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def load(body: bytes, reading: Callable[[str], Any] = json.loads) -> Any:
    """Parse JSON tolerantly: an empty body is None, and text that is not JSON is a bare string (contract 1.7).

    Raise ValueError.
    """
    text = body.decode("utf-8", errors="replace").strip()
    if not text:
        return None
    if text[0] not in '{["' and not text[0].isdigit() and text not in {"null", "true", "false"}:
        return text
    try:
        return reading(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError:
        # A number at a gateway, such as 0034911, is not JSON.
        if text[0].isdigit():
            return text
        raise
