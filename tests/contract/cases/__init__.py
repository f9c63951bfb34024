"""The cases, one file per part of the contract. All files of the package are loaded."""

from __future__ import annotations

import importlib
import pkgutil


def load_cases() -> None:
    """Import every file of cases."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
