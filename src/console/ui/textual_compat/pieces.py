"""The pieces that use private parts of Textual, and whether each of them works with the installed version."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from functools import cache
from typing import Any

WRITTEN_FOR = "8.2.8"
"""The version of Textual whose private parts the pieces use."""
STOCK = "CONSOLE_STOCK_TEXTUAL"
"""Environment variable: pieces to do without, separated by commas, or `all`."""
WITHOUT: Mapping[str, str] = {
    "compositor": "covered widgets are painted, and unchanged cells are sent",
    "backpressure": "frames are drawn before the terminal has taken the previous one",
    "stylesheet": "style sheets are parsed for each screen, styles computed on each visit, and closed widgets kept",
    "scrollbar": "whole scrollbars are painted, and the screen is laid out when the length of a list changes",
    "frames": "a frame may wait for one or two sixtieths of a second",
    "output": "notices have no window title, and no notifications of the terminal",
    "failure": "internal errors are reported without their cause, still without local values",
    "terminal": "the terminal is not restored after `SIGSTOP`, and the mouse of the next program may report pixels",
}
"""The pieces, each with what the console does without it."""
_PACKAGE = __name__.rpartition(".")[0]


class Gone(Exception):
    """A part of Textual that does not exist, or has another signature."""


def switched_off(piece: str) -> bool:
    """Return whether the environment says to do without a piece."""
    return not {piece, "all"}.isdisjoint(os.environ.get(STOCK, "").replace(" ", "").split(","))


@cache
def missing(piece: str) -> str:
    """Return why the console does without a piece; empty if it works."""
    if switched_off(piece):
        return f"{STOCK} is set"
    try:
        importlib.import_module(f"{_PACKAGE}.{piece}").check()
    except (Gone, ImportError, AttributeError) as error:
        return f"not possible with Textual {installed()}: {error}"
    return ""


def works(piece: str) -> bool:
    """Return whether to use a piece."""
    return not missing(piece)


def without() -> dict[str, str]:
    """Return the pieces that the console does without, each with the reason and the effect.

    Imports Textual only if its version is not the one that the pieces are written for.
    """
    possible = [value for value in WITHOUT if installed() != WRITTEN_FOR or switched_off(value)]
    return {piece: f"{reason}; {WITHOUT[piece]}" for piece in possible if (reason := missing(piece))}


def has(owner: Any, *names: str) -> None:
    """Raise Gone unless a class or module has these attributes, or `__init__` of the class sets them."""
    bases: tuple[type[Any], ...] = getattr(owner, "__mro__", ())
    assigned = {attribute for base in bases for attribute in _names_in(vars(base).get("__init__"))}
    for name in names:
        if not hasattr(owner, name) and name not in assigned:
            raise Gone(f"{owner.__name__}.{name} does not exist")


def takes(owner: Any, name: str, *parameters: str) -> None:
    """Raise Gone unless a class has a method with these parameters after `self`."""
    has(owner, name)
    method = getattr(owner, name)
    code = getattr(method, "__func__", method).__code__
    varname = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    if varname != parameters:
        raise Gone(f"{owner.__name__}.{name} has the parameters ({', '.join(varname)})")


def _names_in(function: Any) -> tuple[str, ...]:
    code = getattr(function, "__code__", None)
    return code.co_names if code else ()


def installed() -> str:
    """Return the installed version of Textual."""
    # Takes 20 ms, which the first frame does not need.
    from importlib.metadata import version

    return version("textual")
