from __future__ import annotations

from tests.for_each import for_each
from tests.terminal.tap import answers, tokens, unlawful


@for_each(
    "written",
    [
        b"\x1b[c",
        b"\x1b[?1h",
        b"\x1b[21t",
        b"\x1b[1;1r",
        b"\x1b]8;;http://x\x1b\\",
        b"\x1b]0;ti\x1btle\x07",
        b"\x1b]52;c;?\x07",
        b"\x1b]10;?\x1b\\",
        b"\x1b]0;never ends",
        b"\x1bP$qm\x1b\\",
        b"\x1bc",
        b"\x1b",
        b"\x1b[\xff",
        b"\x07",
        b"\x05",
        b"\x00",
        b"\x0e",
        b"\x7f",
        b"\t",
        "\x9b31m".encode(),
    ],
)
def test_forbidden_output_is_found(written: bytes) -> None:
    assert unlawful(b"before \x1b[1;2H" + written + b" after")


def test_text_of_any_script_is_no_token() -> None:
    text = "Ana ñandú 日本語 ± ½ █ ▸ \x1b[38;2;1;2;3mred\x1b[0m".encode()
    assert list(tokens(text)) == [b"\x1b[38;2;1;2;3m", b"\x1b[0m"]
    assert not unlawful(text)


def test_terminal_queries_are_answered_in_order() -> None:
    assert answers(b"\x1b[5n \x1b[c \x1b]11;?\x07") == b"\x1b[0n\x1b[?62;4c\x1b]10;rgb:ffff/ffff/ffff\x1b\\"
    assert answers(b"nothing \x1b[m") == b""


def test_output_that_a_killed_program_left_unfinished_is_ignored() -> None:
    assert not unlawful(b"text \x1b[1;2H\x1b[38;2")
    assert not unlawful(b"text \x1b")
    assert unlawful(b"text \x1b]0;title")
