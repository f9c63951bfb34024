"""A partial frame makes the terminal show what a whole one would, and holds no more than what differs."""

from __future__ import annotations

import random
from itertools import pairwise

import pyte
import pytest
from rich.console import Console
from rich.segment import Segment
from textual.app import App
from textual.strip import Strip

from console.widgets.patience import Patient
from console.widgets.thrift import CellsCompositor, CellsUpdate

WIDTH, HEIGHT = 60, 8
CUTS = (0, 22, 60)
"""Where one widget ends and the next begins."""
CONSOLE = Console(force_terminal=True, color_system="truecolor", width=WIDTH)


def lines(letter: str) -> list[str]:
    """Lines as they are to be seen: some letters, some that are two cells wide, and a number."""
    return [f"{letter * 12}{'世界' if y % 2 else 'ab' * 2}{y:>{WIDTH - 16}}" for y in range(HEIGHT)]


def update(shown: list[str], spans: list[tuple[int, int, int]]) -> CellsUpdate:
    """Make the partial frame that brings spans of these lines."""
    touched = {y for y, _, _ in spans}
    chops: list[dict[int, Strip | None]] = []
    for y, line in enumerate(shown):
        whole = Strip([Segment(line)])
        pieces = [whole.crop(left, right) for left, right in pairwise(CUTS)]
        chops.append(dict(zip(CUTS, pieces if y in touched else [None, None], strict=False)))
    return CellsUpdate(chops, spans, [list(CUTS[1:])] * HEIGHT)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_sent_makes_the_named_cells_as_they_are_to_be_and_leaves_all_others(seed: int) -> None:
    chance = random.Random(seed)
    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(screen)
    before, after = lines("o"), lines("n")
    stream.feed(update(before, [(y, 0, WIDTH) for y in range(HEIGHT)]).render_segments(CONSOLE))
    assert screen.display == before
    spans: list[tuple[int, int, int]] = []
    for y in sorted(chance.sample(range(HEIGHT), 4)):
        left = chance.choice([0, 3, 12, 16, 22, 40])
        spans.append((y, left, chance.choice([right for right in (3, 12, 16, 22, 40, WIDTH) if right > left])))
    stream.feed(update(after, spans).render_segments(CONSOLE))
    cells = {(y, x) for y, left, right in spans for x in range(left, right)}
    old, new = (pyte.Screen(WIDTH, HEIGHT) for _ in range(2))
    for paper, said in ((old, before), (new, after)):
        pyte.Stream(paper).feed("\r\n".join(said))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            assert screen.buffer[y][x].data == (new if (y, x) in cells else old).buffer[y][x].data


def test_what_stands_before_a_cell_is_not_sent_again() -> None:
    sent = update(lines("n"), [(2, 40, 44), (2, 50, 53)]).render_segments(CONSOLE)
    assert "n" not in sent
    assert len(sent) < 40


async def test_every_screen_that_changes_by_itself_is_painted_so() -> None:
    app = App[None]()
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await app.push_screen(Patient[None]())
        await pilot.pause()
        assert isinstance(app.screen, Patient)
        made = [each for each in vars(app.screen).values() if isinstance(each, CellsCompositor)]
        assert len(made) == 1
