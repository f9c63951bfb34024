"""`console routes check`: whether a routes file can be used."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from console.api.routes_file import read_routes
from console.cli.exits import Exit
from console.cli.output import talk
from console.config_file import ConfigFault


def check(file: Annotated[Path, Parameter(name="FILE")], /) -> int:
    """Check a routes file: unknown operations and fields, missing fields, clashes.

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
    count = len(found.routes)
    print(f"{file}: {count} route{'' if count == 1 else 's'}, no faults")
    return Exit.OK
