"""Questions to a person on the terminal, or their answers from options."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable, Mapping
from typing import Any

from console.base.text import clean
from console.cli.exits import Exit, Failure


class Interview:
    """Asks each question once, unless an option has answered it. Findings are printed between the questions."""

    def __init__(self, answers: Mapping[str, Any], *, interactive: bool) -> None:
        """`given` are the answers by option name; None for one without. Without `interactive`, defaults are taken."""
        self._given = {name: value for name, value in answers.items() if value is not None}
        self.interactive = interactive

    def say(self, message: str, *, good: bool | None = None) -> None:
        """Print a finding, marked as good or bad. The words may be remote text."""
        mark = {True: "√ ", False: "× ", None: "  "}[good]
        encoding = sys.stdout.encoding or "ascii"
        for line in message.splitlines() or [""]:
            text = f"{mark}{clean(line, 300)}"
            print(text.encode(encoding, errors="replace").decode(encoding), flush=True)
            mark = "  "

    def text(self, option: str, question: str, default: str | None = None) -> str:
        """Return an answer; Enter takes the default. Raise Failure if nobody can answer."""
        return self._answer(option, question, default, lambda prompt: input(prompt).strip())

    def secret(self, option: str, question: str) -> str:
        """Return an answer that is not echoed."""
        return self._answer(option, question, None, lambda prompt: getpass.getpass(prompt, stream=sys.stderr))

    def yes(self, option: str, question: str, *, default: bool) -> bool:
        """Return whether the answer is yes."""
        if option in self._given:
            return bool(self._given[option])
        if not self.interactive:
            return default
        while True:
            lower = input(f"{question} [{'Y/n' if default else 'y/N'}] ").strip().lower()
            if lower in {"", "y", "yes", "n", "no"}:
                return default if not lower else lower[0] == "y"

    def choice(self, question: str, choices: Mapping[str, str], default: str) -> str:
        """Return one of the choices, by its letter; without a person, the default."""
        if not self.interactive:
            return default
        join = ", ".join(f"{letter} {text}" for letter, text in choices.items())
        while True:
            answer = input(f"{question} {join} [{default}] ").strip().lower() or default
            if answer in choices:
                return answer

    def given(self, option: str) -> str:
        """Return the answer of an option, empty without one."""
        return str(self._given.get(option, ""))

    def forget(self, option: str) -> None:
        """Ask again, because the answer did not work."""
        self._given.pop(option, None)

    def _answer(self, option: str, question: str, default: str | None, ask: Callable[[str], str]) -> str:
        if option in self._given:
            return str(self._given[option])
        if not self.interactive:
            if default is not None:
                return default
            raise Failure(Exit.USAGE, f"--{option} is needed without a terminal")
        while True:
            text = ask(f"{question}{f' [{default}]' if default else ''}: ") or default
            if text is not None:
                return text
