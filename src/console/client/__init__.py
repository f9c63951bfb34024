"""Client of the services: the only package that uses HTTP and WebSocket."""

from __future__ import annotations

import sys
from typing import Any, cast

# httpx imports its own command line if the dependencies are installed, which costs a quarter of its import time. It
# works without it, and nothing here uses it.
sys.modules.setdefault("httpx._main", cast(Any, None))
