"""A bug to plant, and the tests that must detect it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    """A careless change of one file. It changes what a person or a client sees, and types and imports stay valid."""

    name: str
    """The misbehaviour that the change causes."""
    file: str
    """Path below `src/console`."""
    edits: tuple[tuple[str, str], ...]
    """Pairs of the original text, which occurs once, and its replacement."""
    tests: str
    """The tests to run: paths below `tests`, and after ` -k ` an expression that selects among them."""

    @property
    def package(self) -> str:
        """Return the package below `console`, or an empty text for a module outside the packages."""
        return self.file.rpartition("/")[0].partition("/")[0]

    def applied(self, text: str) -> str:
        """Return the text of the file with the bug. Raise ValueError if an edit does not apply exactly once."""
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError(f"{self.file} has changed: {old!r}")
            text = text.replace(old, new)
        return text


def bug(name: str, file: str, old: str, new: str, tests: str) -> Bug:
    """Return a bug of one edit."""
    return Bug(name, file, ((old, new),), tests)
