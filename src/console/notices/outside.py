"""Environment and secrets that notices need of this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from console.base.frozen import Frozen, field


class Outside(Frozen):
    """The environment of programs, and the secret of the webhook."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """Environment of programs: without secrets."""
    secret: Callable[[], bytes | None] = lambda: None
    """Returns the secret of the webhook, None for none. May wait; raises ValueError with the reason of a failure."""


NOWHERE = Outside({})
"""Programs get no environment, and requests are not signed."""
