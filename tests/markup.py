"""A guard in all tests: the framework parses only literals as markup, and the console copies only clean text.

Textual parses a plain `str` as markup in most places: a remote one could style itself, bind actions to clicks, or end
the program. Where a test shows any other text, that test fails, whatever the text says.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import textual
from textual.app import App
from textual.content import Content

import console.ui
from console.base.text import SafeText

SOURCES = (Path(console.ui.__file__).parent, Path(textual.__file__).parent)


@cache
def _source() -> str:
    return "\n".join(file.read_text(encoding="utf-8") for folder in SOURCES for file in folder.rglob("*.py"))


@cache
def _is_literal(text: str) -> bool:
    written = text.replace("\n", "\\n")
    return not text or any(f"{quote}{written}{quote}" in _source() for quote in "\"'")


@contextmanager
def guarded_texts() -> Generator[None]:
    """Raise AssertionError within the block where a text that is no literal is parsed, or one is copied uncleaned."""
    parse: Any = vars(Content)["from_markup"].__func__
    copy: Any = vars(App)["copy_to_clipboard"]

    def parse_literal(kind: type[Content], markup: str | Content, **variables: object) -> Content:
        assert isinstance(markup, Content) or _is_literal(markup), f"{markup!r} is parsed as markup: use `styled`"
        return parse(kind, markup, **variables)

    def copy_clean(app: App[Any], text: str) -> None:
        assert isinstance(text, SafeText), f"{text!r} is copied: use `clean`"
        copy(app, text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Content, "from_markup", classmethod(parse_literal))
        patch.setattr(App, "copy_to_clipboard", copy_clean)
        yield
