"""Text is sorted as people sort it."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from pyuca.collator import Collator_10_0_0  # pyright: ignore[reportMissingTypeStubs] - pyuca has no types

from console.collation import COMPARED, STEP, collated
from console.frozen import replace
from console.kinds.tables import TABLES
from console.records.people import User
from console.views.order import Order
from tests.kinds.wild import render_context

IN_ORDER = (
    *("", "-", "+34 1", "10 items", "9 items", "a b", "ab", "Alvarado", "Álvarez", "alvarez gil", "Ángel", "Ångström"),
    *("ärger", "de la Cruz", "espanol", "español", "Łukasz", "Müller", "mullerz", "ñandú", "nube", "Ødegård"),
    *("Zoë", "Ελένη", "Вася", "한국", "日本"),
)


def test_names_are_sorted_as_users_expect() -> None:
    shuffled = list(IN_ORDER)
    random.Random(9).shuffle(shuffled)
    assert sorted(shuffled, key=collated) == list(IN_ORDER)


def test_case_makes_no_difference_and_accents_only_among_equals() -> None:
    assert collated("MÜLLER") == collated("müller") == collated("mu\u0308ller")
    assert collated("Muller") < collated("Müller") < collated("Mullera")


def test_names_below_another_are_sorted_right_after_it() -> None:
    paths = [("a",), ("a", "z"), ("á",), ("á", "b"), ("a b",), ("ab",)]
    keys = [collated(STEP.join(path)) for path in paths]
    assert all(one < other for one, other in pairwise(keys))


def test_the_keys_compare_like_the_complete_algorithm() -> None:
    whole: Any = Collator_10_0_0()
    dice = random.Random(4)
    letters = "abcÁé ñ-z1\u0301\u0323ßłเกæй·Ll🎉日\ud800"
    words = ["".join(dice.choice(letters) for _ in range(dice.randint(0, 8))) for _ in range(600)]

    def levels(word: str) -> tuple[Sequence[int], Sequence[int]]:
        key: tuple[int, ...] = whole.sort_key(word)
        first = key.index(0)
        return key[:first], key[first + 1 : key.index(0, first + 1)]

    for one, other in pairwise(words):
        assert (collated(one) < collated(other)) == (levels(one) < levels(other)), (one, other)


@pytest.mark.parametrize("descending", [False, True])
def test_a_list_is_sorted_by_collation_in_both_directions(descending: bool) -> None:
    table = TABLES["users"]
    column = replace(table.column("username"), sort=None, rank=None)
    order = Order(replace(table, columns=(column,), order="username"), "-username" if descending else "username")
    names = ["Zoë", "Álvarez", "ana", "Bea", "Alvarado"]
    places = {name: order.place(User.model_validate({"username": name}), name, render_context()) for name in names}
    expected = ["Alvarado", "Álvarez", "ana", "Bea", "Zoë"]
    assert sorted(names, key=places.__getitem__) == (expected[::-1] if descending else expected)


def test_the_key_of_a_long_text_is_short_and_quickly_computed() -> None:
    begins = time.process_time()
    for text in ("é" * 1_000_000, "l·" * 1_000_000, "🎉" * 1_000_000):
        assert len(collated(text)) < 20 * COMPARED
    assert time.process_time() - begins < 1
