"""Method and path of an operation: data that a deployment may replace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Self
from urllib.parse import quote

from console.frozen import Frozen, field

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_FIELD = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class Route(Frozen, dict=True):
    """An HTTP method and a path template whose `{names}` are filled from the request's inputs.

    What the path does not name travels as the contract marks it, unless the route says otherwise. Inputs are named as
    on the wire.
    """

    method: str
    template: str
    query: tuple[str, ...] = ()
    """Inputs that travel in the query here, whatever their mark."""
    body: tuple[str, ...] = ()
    """Inputs that travel as fields of the body here, whatever their mark."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """What inputs are called here, in query or body, where that is not their own name."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `METHOD /path/{field}`. Raises ValueError with a sentence that says what is wrong."""
        method, _, template = text.strip().partition(" ")
        template = template.strip()
        if method not in METHODS:
            raise ValueError(f"{method!r} is no method; use one of {', '.join(METHODS)}")
        if not template.startswith("/") or template.startswith("//"):
            raise ValueError("the path must start with one /")
        if re.search(r"[\s?#\\]", template) or any(part in {".", ".."} for part in template.split("/")):
            raise ValueError("the path may hold no space, ?, #, backslash, or . and .. parts")
        if "{" in _FIELD.sub("", template) or "}" in _FIELD.sub("", template):
            raise ValueError("braces must hold one field name each")
        return cls(method, template)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The wire names that travel in the path, in order."""
        return tuple(_FIELD.findall(self.template))

    def path(self, values: Mapping[str, str]) -> str:
        """Fill the template. Every value is percent-encoded whole, so that none can reach another path.

        Raises ValueError when a value is missing, or is one that HTTP libraries would resolve away.
        """

        def fill(match: re.Match[str]) -> str:
            value = values.get(match[1], "")
            if value in {"", ".", ".."}:
                raise ValueError(f"{match[1]} may not be {value!r}")
            return quote(value, safe="")

        return _FIELD.sub(fill, self.template)
