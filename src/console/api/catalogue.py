"""Every operation there is, by name. The one place that names the modules which declare them."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from console.api.request import Request, declared

MODULES = (
    "sessions",
    "clients",
    "people",
    "settings",
    "permissions",
    "domains",
    "credentials",
    "traffic",
    "meetings",
    "contacts",
    "phonebooks",
    "presence",
    "support",
    "datapipes",
    "push",
    "resolution",
    "sip",
    "provisioning",
    "extensions",
)


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, type[Request[Any]]]:
    """Return all operations by name, in the order of the contract, and then extensions."""
    for module in MODULES:
        importlib.import_module(f"console.api.operations.{module}")
    # Whoever imported an operation's module first has no say in the order.
    ordered = sorted(declared, key=lambda request: MODULES.index(request.__module__.rpartition(".")[2]))
    return {request.operation.name: request for request in ordered}


def find(name: str) -> type[Request[Any]]:
    """Return the operation of that name. Raises KeyError with the nearest names in its text."""
    known = catalogue()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3)
        raise KeyError(f"no operation {name}" + (f"; did you mean {', '.join(near)}?" if near else ""))
    return known[name]
