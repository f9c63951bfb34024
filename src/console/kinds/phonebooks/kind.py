"""Phone books as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.phonebooks.columns import PHONEBOOKS

KIND = Kind("phonebooks", (PHONEBOOKS,))
