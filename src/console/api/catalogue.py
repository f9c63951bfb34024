"""All operations by name. The only place that lists their modules."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from console.api.request import Request, declared

MODULES = (
    "sessions",
    "people",
    "permissions",
    "domains",
    "traffic",
    "meetings",
    "contacts",
    "phonebooks",
    "presence",
    "support",
    "push",
    "resolution",
    "sip",
    "provisioning",
    "extensions",
)


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, type[Request[Any]]]:
    """Return all operations by name, in the order of the contract, followed by extensions."""
    for module in MODULES:
        importlib.import_module(f"console.api.operations.{module}")
    # The order of imports elsewhere must not matter.
    ordered = sorted(declared, key=lambda request: MODULES.index(request.__module__.rpartition(".")[2]))
    return {request.operation.name: request for request in ordered}


def find(name: str) -> type[Request[Any]]:
    """Return the operation with this name. Raise KeyError with similar names."""
    known = catalogue()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3)
        raise KeyError(f"no operation {name}" + (f"; did you mean {', '.join(near)}?" if near else ""))
    return known[name]
