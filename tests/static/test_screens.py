from __future__ import annotations

from console.kinds.tables import TABLES
from console.ui.app import class_of
from console.ui.screens.specs import SCREENS


def test_every_screen_is_a_class_of_its_name_with_existing_tables():
    for spec in SCREENS:
        assert class_of(spec.name).spec is spec
        assert set(spec.kinds) <= TABLES.keys(), spec.name


def test_every_screen_has_a_digit_of_its_own():
    digits = [spec.digit for spec in SCREENS]
    assert all(digit.isdigit() and len(digit) == 1 for digit in digits)
    assert len(set(digits)) == len(digits)
