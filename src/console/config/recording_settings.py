"""Settings of the recording."""

from __future__ import annotations

import re
from typing import Annotated

from console.config.settings import Checked, Meta, Settings

_UNITS_MS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
_KEEP = re.compile(r"([1-9]\d{0,4}) ?([mhd])")


def _keep(value: str) -> str:
    if _KEEP.fullmatch(value) is None:
        raise ValueError("must be a time such as 90m, 24h or 7d")
    return value


class RecordingSettings(Settings):
    """Lists that are recorded."""

    enabled: bool = True
    """Whether to record the lists while the console runs. `console record` records in any case."""
    keep: Annotated[str, Checked(_keep)] = "24h"
    """How long to keep them: `90m`, `24h`, `7d`."""
    megabytes: Annotated[int, Meta(ge=10, le=100_000)] = 500
    """Largest size of the recording of a profile. The oldest part is removed first."""

    @property
    def keep_ms(self) -> int:
        """How long to keep them, in ms."""
        match = _KEEP.fullmatch(self.keep)
        assert match is not None
        return int(match[1]) * _UNITS_MS[match[2]]
