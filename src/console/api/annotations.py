"""Annotations of operations: place of inputs, access, effect, variant."""

from __future__ import annotations

from enum import Enum, IntEnum, StrEnum
from typing import Annotated, TypeVar

from console.base.frozen import Frozen

T = TypeVar("T")

EXTENSION = "extension"
"""The section of operations outside the contract."""


class InputPlace(Enum):
    """Place of an input in a request (the contract's P, Q and B)."""

    PATH = "path"
    QUERY = "query"
    BODY = "body"
    WHOLE_BODY = "whole body"


InPath = Annotated[T, InputPlace.PATH]
InQuery = Annotated[T, InputPlace.QUERY]
InBody = Annotated[T, InputPlace.BODY]
WholeBody = Annotated[T, InputPlace.WHOLE_BODY]


class OrInPath(Frozen):
    """Marks an optional input that the contract has in the path as well: a route may name it there."""


OR_IN_PATH = OrInPath()


class Variant(StrEnum):
    """The two coexisting variants of the contract (contract 1.6)."""

    EARLIER = "earlier"
    LATER = "later"


class OnlyIn(Frozen):
    """Marks an input or operation of a single variant."""

    variant: Variant


LATER_ONLY = OnlyIn(Variant.LATER)
EARLIER_ONLY = OnlyIn(Variant.EARLIER)


class RequiredIn(Frozen):
    """Marks an input that one variant requires; the other has it as optional, or not at all."""

    variant: Variant


REQUIRED_LATER = RequiredIn(Variant.LATER)
REQUIRED_EARLIER = RequiredIn(Variant.EARLIER)


class Duration(Frozen):
    """Marks a number that is a duration: forms accept and show `45s` or `1m 30s` for it."""

    unit_ms: int
    """The unit on the wire, in ms."""


IN_MS = Duration(1)
IN_SECONDS = Duration(1_000)


class Travels(Frozen):
    """Marks an input whose wire name another input of the operation has in another place."""

    name: str


class Hidden(Frozen):
    """Marks an input whose value must never be shown, logged or journaled."""


SECRET = Hidden()


class NeededMembers(Frozen):
    """Marks an object with arbitrary names, some of which another input requires."""

    by: str
    """The other input."""
    names: tuple[tuple[str, tuple[str, ...]], ...]
    """The required names by the value of that input."""

    def of(self, value: object) -> tuple[str, ...]:
        """Return the required names for a value of the other input."""
        return next((names for known, names in self.names if known == value), ())


class Deprecated(Frozen):
    """Marks an input that the contract calls deprecated: it can be sent, but forms do not offer it."""


DEPRECATED = Deprecated()


class Service(StrEnum):
    """The two services."""

    CORE = "core"
    PROVISIONING = "provisioning"


class Effect(Enum):
    """Effect of an operation on the service."""

    READ = "read"
    CHANGE = "change"


class Guard(IntEnum):
    """How a change is confirmed before it is sent, by how reversible it is.

    It belongs to the operation, so that keys, palette, forms, grid and bulk actions follow the same rule.
    """

    READ = 0
    REVERSIBLE = 1
    """Has an inverse: sent at once, and undone by a key. Counts as `SMALL` while the inverse is not known."""
    SMALL = 2
    """Small, without an inverse: held for a few seconds, in which undo cancels it."""
    WIDE = 3
    """Wide, or without an inverse: a dialog names the record first."""
    MASS = 4
    """The name or the count must be typed."""


class Change(Frozen):
    """Properties of an operation that changes something."""

    guard: Guard
    """How it is confirmed before it is sent."""
    done: str = ""
    """Past participle, followed by the object: `accepted`, `removed a member from`."""
    touches: tuple[str, ...] = ()
    """Kinds whose records it may change, first the kind of its own record."""
    warning: str = ""
    """The sentence shown before a wide change."""
    mass: bool = False
    """Whether its guard is `MASS` for several records at once."""
    stronger: tuple[tuple[str, Guard], ...] = ()
    """Inputs that require a stronger guard when true: those that notify people."""
    irreversible: Guard = Guard.SMALL
    """The guard of a reversible operation whose inverse is not known."""
    renames: tuple[str, str] | None = None
    """The input with the new id of its record, and the input that names the record afterwards."""
    receiver: tuple[str, str] | None = None
    """The input that names who gets the record, and the word for them: several changes report their number."""
    unnamed: str = ""
    """The object if no input names it, unless that is the operation's contract row without its verb."""


class Role(IntEnum):
    """Role of a caller (contract 5.4); each role includes the permissions of the previous ones."""

    NOBODY = 0
    ANONYMOUS = 1
    USER = 2
    ADMIN = 3


class Terms(Frozen):
    """Conditions for the use of an operation."""

    words: str
    least: Role
    """The minimum role of the caller."""
    related: bool = False
    """Whether the caller must also have a relation to the records in the request, which the service looks up."""
    but_admins: bool = False
    """Whether admins are exempt from the relation."""


class Access(Enum):
    """The table of permissions (contract 5, and the marks in section 4).

    Every Request names its row. The service checks it first; the OpenAPI document, the operations page, the command
    line and the console show it; the tests try every row with every role. Single inputs that only admins may use, such
    as another domain, are checked where they are parsed.
    """

    ANYONE = Terms("anyone, without a login", Role.NOBODY)
    SIGNED_IN = Terms("anyone with a login", Role.ANONYMOUS)
    NAMED = Terms("users and admins, not anonymous guests", Role.USER)
    ADMIN = Terms("admins", Role.ADMIN)
    SELF = Terms("the user concerned", Role.ANONYMOUS, related=True)
    SELF_OR_ADMIN = Terms("the user concerned and admins", Role.ANONYMOUS, related=True, but_admins=True)
    SAME_DOMAIN_OR_ADMIN = Terms(
        "users of the domain concerned and admins", Role.ANONYMOUS, related=True, but_admins=True
    )
    CREATOR_OR_ADMIN = Terms("the owner and admins", Role.USER, related=True, but_admins=True)
    GROUP_OWNER = Terms("the owner of the group", Role.USER, related=True)
    GROUP_OWNER_OR_SELF = Terms("the owner of the group, or the participant who leaves", Role.USER, related=True)
    GROUP_MEMBER_OR_ADMIN = Terms(
        "owner and participants of the group and admins", Role.USER, related=True, but_admins=True
    )
    RECEIVER = Terms("a receiver of the alert", Role.USER, related=True)
    SENDER = Terms("the sender of the alert", Role.USER, related=True)
    PARTICIPANT = Terms("participants", Role.ANONYMOUS, related=True)
    PARTICIPANT_OR_ADMIN = Terms("participants and admins", Role.ANONYMOUS, related=True, but_admins=True)
    AGENT_OF_CHAT = Terms("the agent of the chat and admins", Role.USER, related=True, but_admins=True)

    @property
    def words(self) -> str:
        """The permitted callers, as text."""
        return self.value.words
