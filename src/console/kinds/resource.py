"""A list as an administrator browses it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from console.frozen import Frozen


class Branch(StrEnum):
    """The headings of the administrator's tree, in their order."""

    DIRECTORY = "Directory"
    ACCESS = "Access"
    CALLS = "Calls"
    SIP = "SIP"
    DEVICES = "Devices"
    PROVISIONING = "Provisioning"


class Resource(Frozen, eq=False):
    """One kind of thing that an administrator looks after."""

    name: str
    """Names its list on the screen; its operations are those called `<name>.<verb>`."""
    title: str
    one: str
    branch: Branch
    """Under which heading of the tree it stands."""
    lists: tuple[str, ...] = ()
    """Operations that list it, the best first: the first one that the deployment has is used."""
    shown: tuple[str, ...] = ()
    """Fields shown in the list, the most important first, if it has no table of its own."""
    binds: Mapping[str, str] = {}
    """Which field of a row fills which input, where they are called differently: `phonebook_id` is a row's `id`."""
    selects: tuple[str, ...] = ()
    """Optional inputs that say which row is meant, where its id alone does not: two domains may use the same ids."""
    more: tuple[str, ...] = ()
    """Operations of other names that are done to its rows."""
    apart: tuple[str, ...] = ()
    """Operations of its name that are not about its rows, though their inputs are called alike."""
