"""Convert refusals of the core service to the input names of the provisioning service."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from console.base.frozen import replace
from console.service.refusal import Refusal


@contextmanager
def inputs_named(names: Mapping[str, str], prefix: str = "") -> Generator[None]:
    """Rename the inputs in refusals by `names`, below `prefix`. Other names stay.

    A name that ends in a dot applies to all names with this prefix.
    """
    try:
        yield
    except Refusal as refusal:
        if not refusal.problems:
            raise
        problems = [replace(problem, path=prefix + _renamed(problem.path, names)) for problem in refusal.problems]
        join = "; ".join(f"{problem.path}: {problem.message}" for problem in problems)
        raise Refusal(refusal.status, join, problems) from None


def _renamed(path: str, names: Mapping[str, str]) -> str:
    if path in names:
        return names[path]
    for name, here in names.items():
        if name.endswith(".") and path.startswith(name):
            return here + path.removeprefix(name) if here.endswith(".") else here
    return path
