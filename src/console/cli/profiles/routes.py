"""`console routes`: checks a routes file, and prints a template."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from console.api.routes_file import read_routes, routes_text
from console.base.text import of_number
from console.cli.exits import Exit
from console.cli.output import talk
from console.config.toml_source import ConfigFault


def declare_validate(parser: ArgumentParser) -> None:
    """Declare `console routes validate`."""
    parser.add_argument("file", metavar="FILE", type=Path, help="The routes file.")
    parser.set_defaults(run=validate)


def validate(*, file: Path) -> int:
    """Check a routes file and report all errors with their lines.

    A line sets the route of an operation: `"alerts.accept" = "PUT /desk/alerts/{alertId}/accept"`. Inputs named in the
    path are sent there. A table sets other differences: `{ route = "POST /find", query = ["limit"], body = ["after"],
    names = { after = "since" } }`, where `names` has the deployment's names of inputs. `always` and `defaults` set
    values of inputs, `wrap` names an object around the body. `rows`, `next`, `cursor`, `total` and `fields` describe
    answers of another form. `false` means that the deployment does not have an operation; `"*" = false` means that it
    only has the operations in the file.

    Errors are: unknown operations and inputs, inputs that are missing, placed twice or have the same name, invalid
    methods and paths, and duplicate entries. Notes are about valid entries that are probably mistakes, such as two
    operations with the same requests. `console doctor` checks a file against its deployment.
    """
    routes_file = read_routes(file)
    for doubt in routes_file.doubts:
        talk(f"note: {doubt}")
    if routes_file.faults:
        raise ConfigFault(routes_file.faults)
    absent = len(routes_file.routes) - routes_file.bound
    without = f", {absent} not offered" if absent else ""
    print(f"{file}: {routes_file.bound} {of_number(routes_file.bound, 'route')}{without}, valid")
    return Exit.OK


def declare_example(parser: ArgumentParser) -> None:
    """Declare `console routes example`."""
    parser.set_defaults(run=example)


def example() -> int:
    """Print a routes file with every operation and its default route."""
    print(routes_text(), end="")
    return Exit.OK
