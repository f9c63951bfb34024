"""`console completion`: completion scripts for shells."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from console.cli.exits import Exit


def completion(shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(name="SHELL")], /) -> int:
    """Print a completion script for a shell.

    For bash: `console completion bash > ~/.local/share/bash-completion/completions/console`.

    Parameters
    ----------
    shell
        bash, zsh or fish.
    """
    from console.cli.program import build

    print(build().generate_completion(prog_name="console", shell=shell))
    return Exit.OK
