"""Titles of operations in lists of actions and over their forms: an imperative with an object."""

from __future__ import annotations

from collections import Counter

import pytest

from console.api.catalogue import catalogue
from console.kinds.operating import title_of

_VERBS = """
accept add attach cancel clear connect create delete detach edit enable end find follow get insert inspect issue
leave list mark register remove reorder resolve resume revoke send set start stop store subscribe transfer
unregister unsubscribe update validate write
"""
_NO_OBJECTS = frozenset({"all", "many", "notify", "object", "read"})


@pytest.mark.parametrize("name", catalogue())
def test_the_title_of_an_operation_is_a_verb_with_an_object(name: str) -> None:
    verb, _, what = title_of(catalogue()[name]).partition(" ")
    assert verb in _VERBS.split()
    assert what
    assert what not in _NO_OBJECTS


def test_a_title_has_no_word_twice_and_no_name_of_the_program() -> None:
    titles = [title_of(request) for request in catalogue().values()]
    assert not [title for title in titles if len(set(title.split())) < len(title.split()) or "-" in title]


def test_two_operations_have_different_titles() -> None:
    titles = Counter(title_of(request) for request in catalogue().values())
    assert [title for title, operations in titles.items() if operations > 1] == []
