"""What other widgets stand on."""

from __future__ import annotations

from textual.containers import Container


class Ground(Container):
    """What only holds other widgets, and is wholly covered by them.

    Textual paints what is covered as well, with borders and padding looked up for every frame: a fifth of what two
    lines of a list cost. `BLANK` says that there is nothing to look up.
    """

    BLANK = True
