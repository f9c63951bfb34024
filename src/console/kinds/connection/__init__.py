"""The state of this console: connection, service and journal, as a list of one row."""

from __future__ import annotations

from console.kinds.kind import Kind

KIND = Kind("connection", derived=("status",))
