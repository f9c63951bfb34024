"""Changes made from this console as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.own_changes.columns import OWN_CHANGES

KIND = Kind("own_changes", (OWN_CHANGES,))
