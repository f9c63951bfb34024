"""Handlers of the operations, one file per subject, imported automatically (see `service/handlers/handler.py`)."""

from __future__ import annotations

import importlib
import pkgutil


def load_handlers() -> None:
    """Import every handler, and with them the tables that they need."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
