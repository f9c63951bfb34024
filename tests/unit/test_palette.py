"""Descriptions of commands in the palette are shown as plain text, without markup."""

from __future__ import annotations

from textual.content import Content
from textual.fuzzy import Matcher

from console.base.text import SafeText, clean
from console.ui.screens.palette import hit_of, offered_hit
from tests.faults.hostile_texts import HOSTILE


def _nothing() -> None: ...


def _shown(prompt: object) -> Content:
    """Return the palette's content for a prompt."""
    assert isinstance(prompt, Content)
    made = Content.from_markup(prompt)
    assert not [span for span in made.spans if "@" in str(span.style) or "link" in str(span.style)]
    return made


def test_no_text_of_an_entry_is_parsed() -> None:
    for text in HOSTILE:
        for hit in (
            offered_hit(f"Accept {text}", text, _nothing),
            hit_of(Matcher("acc"), f"Accept {text}", text, _nothing),
        ):
            assert hit is not None
            title, _, about = _shown(hit.prompt).plain.partition("\n")
            assert title == clean(f"Accept {text}", 120)
            assert about == clean(text, 240)
            assert isinstance(hit.text, SafeText)
            assert hit.help is None, "the framework would parse it"


def test_the_typed_letters_are_highlighted() -> None:
    hit = hit_of(Matcher("cnl"), "Cancel [b]", "", _nothing)
    assert hit is not None
    title = _shown(hit.prompt)
    marked = [title.plain[span.start : span.end] for span in title.spans if span.end - span.start == 1]
    assert marked == ["C", "n", "l"]
    assert hit_of(Matcher("xyz"), "Cancel", "", _nothing) is None
