"""Text is sorted as people sort it."""

from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest

from console.base.collation import COMPARED, STEP, collated
from console.base.frozen import replace
from console.kinds.tables import TABLES
from console.records.people import User
from console.views.rows import Order
from tests.for_each import for_each
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


@for_each(
    "one, other", [("Łódź", "Luz"), ("Ærø", "Afrika"), ("Straße", "Strasser"), ("Paral·lel", "Parala"), ("²", "3")]
)
def test_letters_with_strokes_ligatures_and_signs_are_sorted_by_their_base(one: str, other: str) -> None:
    assert collated(one) < collated(other)


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
