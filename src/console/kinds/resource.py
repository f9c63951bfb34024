"""A list in the administration."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from console.base.frozen import Frozen


class Branch(StrEnum):
    """The headings of the administrator's tree, in order."""

    DIRECTORY = "Directory"
    ACCESS = "Access"
    CALLS = "Calls"
    SIP = "SIP"
    DEVICES = "Devices"
    PROVISIONING = "Provisioning"


class Resource(Frozen, eq=False):
    """A list that administrators manage."""

    name: str
    """Name of its list; its operations are named `<name>.<verb>`."""
    title: str
    one: str
    branch: Branch
    """Its heading in the tree."""
    lists: tuple[str, ...] = ()
    """Operations that list it; the first one that the deployment offers is used."""
    asks: Mapping[str, bool] = {}
    """Inputs of its list until others are given: without them, the service would list nothing."""
    shown: tuple[str, ...] = ()
    """Fields shown in the list, the most important first, if it has no table."""
    binds: Mapping[str, str] = {}
    """Fields of a row by input, if their names differ: `phonebook_id` is a row's `id`."""
    holds: Mapping[str, str] = {}
    """Fields of a row with the current values of inputs, if their names differ."""
    selects: tuple[str, ...] = ()
    """Optional inputs that identify a row in addition to its id, which may repeat in another domain."""
    more: tuple[str, ...] = ()
    """Operations with other names on its rows."""
    apart: tuple[str, ...] = ()
    """Operations with its name that are not about its rows, although their inputs have the same names."""
