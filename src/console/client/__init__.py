"""Asking: the one package that speaks HTTP and WebSocket to the services."""

from __future__ import annotations

import sys
from typing import Any, cast

# httpx has a command line of its own, imports it where what that takes happens to be installed, and does without it
# anywhere else. So it does here, in a quarter less time: nothing of it is used.
sys.modules.setdefault("httpx._main", cast(Any, None))
