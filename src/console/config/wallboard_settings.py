"""Settings of the wallboard."""

from __future__ import annotations

from typing import Annotated, Literal

from console.config.settings import Meta, Settings

BoardName = Literal["figures", "queues", "skills", "attention", "charts"]


class WallboardSettings(Settings):
    """Boards and times of the wallboard."""

    boards: Annotated[tuple[BoardName, ...], Meta(min_length=1)] = (
        "figures",
        "queues",
        "skills",
        "attention",
        "charts",
    )
    """Boards to show in turn. One with nothing to tell is left out."""
    seconds: Annotated[float, Meta(ge=2, le=3600)] = 15.0
    """Seconds for which each is shown."""
    names: bool = False
    """Whether to show names of people."""
