"""`console routes`: whether a routes file can be used, and one to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from console.api.routes_file import read_routes, routes_text
from console.cli.exits import Exit
from console.cli.output import talk
from console.config_file import ConfigFault


def check(file: Annotated[Path, Parameter(name="FILE")], /) -> int:
    """Check a routes file, and tell every fault with its line.

    A line binds an operation: `"alerts.accept" = "PUT /desk/alerts/{alertId}/accept"`. What the path names travels
    there. A table says what else differs: `{ route = "POST /find", query = ["limit"], body = ["after"],
    names = { after = "since" } }`, where `names` is what the deployment calls an input. `false` says that the
    deployment does not have an operation, `"*" = false` that it has none but those in the file.

    Faults are operations and inputs that there are not (with the nearest name), inputs that are missing, placed twice
    or called alike, bad methods and paths, entries that are there twice, and two operations at one method and path.
    Notes are about what works, but is probably not meant. `console doctor` tries a file on its deployment.

    Parameters
    ----------
    file
        The routes file.
    """
    found = read_routes(file)
    for doubt in found.doubts:
        talk(f"note: {doubt}")
    if found.faults:
        raise ConfigFault(found.faults)
    absent = len(found.routes) - found.bound
    without = f", {absent} not offered" if absent else ""
    print(f"{file}: {found.bound} route{'' if found.bound == 1 else 's'}{without}, no faults")
    return Exit.OK


def example() -> int:
    """Print a routes file with every operation as it is without one, to start from."""
    print(routes_text(), end="")
    return Exit.OK
