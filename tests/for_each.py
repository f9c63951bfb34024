"""One test for all entries of a table: it tries every one, and names those that fail.

`pytest.mark.parametrize` makes an item of each entry, with fixtures and a report of its own. A table of words, widths
or operations needs neither, and a thousand such items hide the tests that do.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet

SHOWN = 20
"""How many failures are printed."""
LONGEST = 300
"""Characters of each; the first is printed in full as their cause."""


def for_each(
    names: str, entries: Iterable[Any], name_of: Callable[[Any], str] = repr
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test for each entry; several decorators call it for each combination, like `parametrize`.

    With several comma-separated names, an entry is a tuple. Fixtures of the test are shared by all entries.
    """
    arguments = [name.strip() for name in names.split(",")]
    entries = [*entries]
    assert not any(isinstance(entry, ParameterSet) for entry in entries), "entries have neither ids nor marks"
    values = [dict(zip(arguments, entry if len(arguments) > 1 else (entry,), strict=True)) for entry in entries]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        one_entry: Callable[..., None] = getattr(test, "one_entry", test)
        combined = [{**outer, **entry} for outer, entry in itertools.product(values, getattr(test, "entries", [{}]))]
        assert combined, "a test of no entries cannot fail"
        assert not inspect.iscoroutinefunction(one_entry), "an asynchronous test needs fixtures of its own"

        def every_entry(**fixtures: Any) -> None:
            failed: list[tuple[str, Exception]] = []
            for entry in combined:
                try:
                    one_entry(**fixtures, **entry)
                except Exception as error:
                    failed.append((", ".join(map(name_of, entry.values())), error))
            if failed:
                listed = "\n".join(f"  {name}: {_short(error)}" for name, error in failed[:SHOWN])
                raise AssertionError(f"{len(failed)} of {len(combined)} fail:\n{listed}") from failed[0][1]

        generates = getattr(one_entry, "is_hypothesis_test", False)
        signature = inspect.signature(one_entry)
        fixtures = [each for each in signature.parameters.values() if each.name not in combined[0]]
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(every_entry, name, getattr(one_entry, name))
        vars(every_entry).update(
            __signature__=signature.replace(parameters=fixtures),
            entries=combined,
            one_entry=one_entry,
            pytestmark=[*getattr(one_entry, "pytestmark", []), *([pytest.mark.hypothesis] if generates else [])],
        )
        return every_entry

    return decorate


def _short(error: Exception) -> str:
    text = f"{type(error).__name__}: {error}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
