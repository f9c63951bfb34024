"""Method and path of an operation, which a deployment may replace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self
from urllib.parse import quote

from console.api.value_forms import read_in
from console.base.frozen import Frozen, field
from console.records.members import Change, changing, renaming

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_FIELD = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class AnswerPlaces(Frozen, dict=True):
    """Paths in a deployment's answers of fields that the contract has elsewhere. Paths are dotted."""

    rows: str = ""
    """The member with the list, or with the record of an answer that has one; empty: as in the contract."""
    next: str = ""
    """The member with the next page's cursor or URL, or one of LINK, PAGE and OFFSET."""
    total: str = ""
    """The member, or the HTTP header, with the total number of rows."""
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    """The deployment's names of fields in rows and records, by the contract's names."""
    forms: Mapping[str, str] = field(default_factory=dict[str, str])
    """The forms of values in rows and records, by the contract's names; see `value_forms`."""

    @cached_property
    def convert(self) -> Change | None:
        """Brings a row or record into the contract's form; None if that changes nothing."""
        changes = {path: read for path, form in self.forms.items() if (read := read_in(path, form)) is not None}
        rename = renaming(self.fields) if self.fields else None
        if not changes:
            return rename
        change = changing(changes)
        return change if rename is None else lambda row: change(rename(row))


LINK, PAGE, OFFSET = "link", "page", "offset"
"""Values of `next`: the HTTP header Link; pages by number; pages by the number of rows before them."""


class Route(Frozen, dict=True):
    """An HTTP method and a path template with `{names}` of inputs.

    Other inputs are sent as declared, unless the route overrides it. Inputs have their wire names.
    """

    method: str
    template: str
    query: tuple[str, ...] = ()
    """Inputs that this route sends in the query."""
    body: tuple[str, ...] = ()
    """Inputs that this route sends as fields of the body."""
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Other names of inputs in query or body, and of fields in them by dotted paths."""
    forms: Mapping[str, str] = field(default_factory=dict[str, str])
    """The forms in which inputs are sent, by the contract's names; see `value_forms`."""
    always: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Constant values of inputs, also of inputs that only the deployment has."""
    defaults: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Values of inputs that a request leaves out."""
    envelope: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Constant members beside the one that `wrap` makes."""
    wrap: str = ""
    """The member that contains the body, as a dotted path; empty: the body itself is sent."""
    answer: AnswerPlaces | None = None
    """Differences in answers; None if there are none."""
    confirms: bool = False
    """Whether a success status confirms a change, whatever the answer is."""
    may_be_empty: bool = False
    """Whether 204, 404 and null are an empty list."""
    cursor: str = ""
    """The deployment's name of the input with a cursor, page number or offset; empty: the contract's name."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `METHOD /path/{field}`. Raise ValueError with the error."""
        method, _, template = text.strip().partition(" ")
        template = template.strip()
        if method not in METHODS:
            raise ValueError(f"{method!r} is not a method; use one of {', '.join(METHODS)}")
        if not template.startswith("/") or template.startswith("//"):
            raise ValueError("the path must start with one /")
        if re.search(r"[\s?#\\]", template) or any(part in {".", ".."} for part in template.split("/")):
            raise ValueError("the path must not contain spaces, ?, #, backslashes, or . and .. parts")
        if "{" in _FIELD.sub("", template) or "}" in _FIELD.sub("", template):
            raise ValueError("each pair of braces must contain one input name")
        return cls(method, template)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The wire names of inputs in the path, in order."""
        return tuple(_FIELD.findall(self.template))

    def sends_in_body(self, name: str) -> bool:
        """Return whether an input that the contract does not have is sent in the body."""
        return name not in self.query and (name in self.body or self.method in {"POST", "PUT", "PATCH"})

    def path(self, values: Mapping[str, str]) -> str:
        """Fill the template. Each value is percent-encoded completely, so that it cannot reach another path.

        Raise ValueError if a value is missing, or is one that HTTP libraries would normalize away.
        """

        def fill(match: re.Match[str]) -> str:
            value = values.get(match[1], "")
            if value in {"", ".", ".."}:
                raise ValueError(f"{match[1]} may not be {value!r}")
            return quote(value, safe="")

        return _FIELD.sub(fill, self.template)
