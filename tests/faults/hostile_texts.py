"""Four hundred texts that try to control a terminal, inject markup or mislead readers. Each may be in any field."""

from __future__ import annotations

import random
import string

from console.base.text import cells, clean_lines

_ENDS = ("\x07", "\x1b\\", "\x9c", "")


def _controls() -> list[str]:
    return [f"a{chr(code)}b" for code in (*range(0x20), 0x7F, *range(0x80, 0xA0))]


def _sequences() -> list[str]:
    found = [f"to\x1b[{number}{final}fro" for final in string.ascii_letters for number in ("", "2")]
    found += [f"x\x9b{parameters}y" for parameters in ("31m", "2J", "6n", "c", "?1049l", "21t", "0;0H")]
    found += [
        f"x\x1b]{number};evil{end}y" for number in (0, 2, 4, 7, 8, 10, 11, 52, 104, 133, 777, 1337) for end in _ENDS
    ]
    found += [f"x\x1b{opening}q1;evil{end}y" for opening in "PX^_" for end in _ENDS]
    found += [f"x\x1b{final}y" for final in "cDEHMNOZ=>78#(*)"]
    found += ["\x1b", "\x1b[", "\x1b]8;;http://evil.example\x07press\x1b]8;;\x07", "\x05", "\x1b[200~:q\r\x1b[201~"]
    return found


def _markup() -> list[str]:
    actions = ("app.quit", "app.bell", "screen.dismiss('x')", "focused.press", "app.open_url('http://x')")
    found = [f"[@click={action}]press[/]" for action in actions] + [f"[@click={action}" for action in actions]
    found += [
        "[/]",
        "[/bold]",
        "[",
        "]",
        "[[",
        "\\[",
        "\\[/]",
        "[]",
        "[ ]",
        "[=]",
        "[bold red on blue]x[/]",
        "[$error]x[/]",
    ]
    found += [
        "[link=http://evil.example]x[/]",
        "[link",
        "[on red]" * 40,
        ":smile:",
        "{0}",
        "%s%n",
        "&lt;b&gt;",
        "<b>x</b>",
    ]
    return [*found, "[/red]" * 30, "[" * 500, "]" * 500, "[bold" + "[" * 200]


def _unicode() -> list[str]:
    found = [f"a{chr(code)}b" for code in (0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, *range(0x2028, 0x202F))]
    found += [
        f"a{chr(code)}b" for code in (*range(0x2060, 0x2070), 0xAD, 0x115F, 0x3164, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB)
    ]
    found += [f"a{chr(code)}b" for code in (0xE000, 0xF8FF, 0xFFFE, 0xFFFF, 0xE0041, 0xE007F, 0x10FFFF, 0xFE0F, 0xFE0E)]
    found += [
        "\ud83d",
        "\udc00\ud800",
        "e\u0301\u0302\u0303" * 9,
        "\u0301lead",
        "👨‍👩‍👧‍👦",
        "a🇪🇸🇫b",
        "👍🏽",
        "ﷺ",
        "日本語" * 9,
        "界\u0301",
    ]
    return [
        *found,
        "\u202eevil\u202c",
        "\u2066\u2067x\u2069",
        "\u0430dmin",
        "\uff11\uff12\uff13",
        "٣٤",
        "Z" + "\u0336" * 60,
        "\uff40\uff1b",
        "ｶﾅ",
    ]


def _lengths() -> list[str]:
    return [
        "W" * 5_000,
        "界" * 3_000,
        "\n" * 2_000,
        "x\n" * 1_000,
        "\t" * 500,
        " " * 3_000 + "end",
        "a b " * 2_000,
        "\r\n" * 99,
    ]


def _mixed(most: int) -> list[str]:
    lot = random.Random(1)
    pieces = [*_controls(), *_sequences(), *_markup(), *_unicode()]
    return ["".join(lot.choices(pieces, k=lot.randint(2, 6))) for _ in range(most)]


HOSTILE: tuple[str, ...] = (*_controls(), *_sequences(), *_markup(), *_unicode(), *_lengths(), *_mixed(40))
FEW: tuple[str, ...] = (
    "\x1b[2J\x1b]0;evil\x07 \x9b31m \x1b[6n[@click=app.quit]press[/] [/] "
    "[link=http://x]y[/] \u202eevil \ud83d e\u0301\u0301\u0301",
)
"""The texts of a short run: some of each category."""


def plain(text: str) -> str:
    """Return a text of x's that takes the same cells, lines and spaces as this text does once it is cleaned."""
    return "\n".join(
        "".join(" " if each == " " else "x" * cells(each) for each in line) or " " for line in clean_lines(text)
    )
