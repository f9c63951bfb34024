"""Terminal console for operators of a communications platform."""

from __future__ import annotations

import os

__version__ = "0.1.0"

# pydantic would search all installed packages for plugins, which takes a tenth of the time to the first frame, and
# plugins would see all credentials.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
