"""Plain values, as frozen dataclasses would be, whose classes are made in a fiftieth of the time.

A dataclass writes its methods as text and compiles it, 0.5 to 0.9 ms a class: seventy of them took a tenth of the time
until the first frame. These are structs of msgspec, which have their methods already.
"""

from __future__ import annotations

from typing import dataclass_transform

import msgspec
from msgspec import field
from msgspec.structs import asdict, replace

__all__ = ["Frozen", "asdict", "field", "replace"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(msgspec.Struct, frozen=True):
    """The base of plain values: they cannot be changed, and are equal and hashed by what they hold.

    A class with a `cached_property` says `dict=True`, one whose values are put in order `order=True`.
    """
