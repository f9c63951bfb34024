"""`console completion`: prints the completion script of a shell."""

from __future__ import annotations

from argparse import ArgumentParser

from argcomplete import shell_integration

from console.cli.exits import Exit


def declare_completion(parser: ArgumentParser) -> None:
    """Declare `console completion`."""
    parser.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"), help="bash, zsh or fish.")
    parser.set_defaults(run=completion)


def completion(*, shell: str) -> int:
    """Print a completion script for a shell.

    For bash: `console completion bash > ~/.local/share/bash-completion/completions/console`.
    """
    print(shell_integration.shellcode(["console"], shell=shell))
    return Exit.OK
