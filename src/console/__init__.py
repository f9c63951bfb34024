"""A terminal console for the people who run a communications platform."""

from __future__ import annotations

import os

__version__ = "0.1.0"

# Plugins of pydantic would be looked for among all that is installed, a tenth of the time until the first frame, and
# would be shown every credential.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
