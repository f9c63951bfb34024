"""`console completion`: prints the completion script of a shell, and answers it."""

from __future__ import annotations

import os
from argparse import ArgumentParser

from console.cli.exits import Exit, Failure
from console.cli.parser import names_in, parser_of, path_of


def declare_completion(parser: ArgumentParser) -> None:
    """Declare `console completion`."""
    parser.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish.")
    parser.set_defaults(run=completion)


def completion(*, shell: str) -> int:
    """Print a completion script for a shell.

    For bash: `console completion bash > ~/.local/share/bash-completion/completions/console`.
    """
    from argcomplete import shell_integration

    print(shell_integration.shellcode(["console"], shell=shell))
    return Exit.OK


def complete() -> None:
    """Answer the completion script of a shell, and end the process."""
    import argcomplete

    line = os.environ["COMP_LINE"][: int(os.environ["COMP_POINT"])]
    words = line.split()[1:] if line[-1:].isspace() else line.split()[1:-1]
    try:
        path = path_of(words)
    except Failure:
        path = ()
    parser = parser_of(path)
    if names := names_in(path):
        parser.add_argument("command", choices=names)
    # The parser of a command reads the words after its name.
    os.environ["_ARGCOMPLETE"] = str(len(path) + 1)
    argcomplete.autocomplete(parser)
