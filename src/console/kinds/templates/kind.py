"""Alert templates as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.templates.columns import TEMPLATES

KIND = Kind("templates", (TEMPLATES,))
