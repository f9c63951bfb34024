"""The marks an operation carries: where an input travels, who may ask, what it does, which variant has it."""

from __future__ import annotations

from enum import Enum, IntEnum, StrEnum
from typing import Annotated, TypeVar

from console.frozen import Frozen

T = TypeVar("T")

EXTENSION = "extension"
"""The section of operations that the contract does not have."""


class Place(Enum):
    """Where an input travels (the contract's P, Q and B)."""

    PATH = "path"
    QUERY = "query"
    BODY = "body"
    WHOLE_BODY = "whole body"


InPath = Annotated[T, Place.PATH]
InQuery = Annotated[T, Place.QUERY]
InBody = Annotated[T, Place.BODY]
WholeBody = Annotated[T, Place.WHOLE_BODY]


class Variant(StrEnum):
    """Which of the two coexisting forms of the contract a service speaks (contract 1.6)."""

    EARLIER = "earlier"
    LATER = "later"


class OnlyIn(Frozen):
    """Marks an input, or an operation, that one variant alone has."""

    variant: Variant


LATER_ONLY = OnlyIn(Variant.LATER)
EARLIER_ONLY = OnlyIn(Variant.EARLIER)


class RequiredIn(Frozen):
    """Marks an input that one variant requires; in the other it is optional, or is not there."""

    variant: Variant


REQUIRED_LATER = RequiredIn(Variant.LATER)
REQUIRED_EARLIER = RequiredIn(Variant.EARLIER)


class Travels(Frozen):
    """Marks an input whose name on the wire another input of the operation has too, in another place."""

    name: str


class Hidden(Frozen):
    """Marks an input whose value must never be shown, logged or journaled."""


SECRET = Hidden()


class Service(StrEnum):
    """Which of the two services answers an operation."""

    CORE = "core"
    PROVISIONING = "provisioning"


class Effect(Enum):
    """What asking does to the service."""

    READ = "read"
    CHANGE = "change"


class Guard(IntEnum):
    """How carefully a change is handled before it is sent, by how far it can be taken back.

    It stands on the operation, so that a key, the palette, a form, a grid and several records at once obey the same.
    """

    READ = 0
    REVERSIBLE = 1
    """Has an inverse: sent at once, undone by a key. Where the inverse is not known it counts as `SMALL`."""
    SMALL = 2
    """No inverse, small: held back a few seconds, in which undo takes it back."""
    WIDE = 3
    """No inverse, or wide: a dialog names the object first."""
    MASS = 4
    """The name or the count must be typed."""


class Change(Frozen):
    """What is to be known of an operation that changes something."""

    guard: Guard
    """How carefully it is handled before it is sent."""
    done: str = ""
    """Past participle, to be followed by what was changed: `accepted`, `removed a member from`."""
    touches: tuple[str, ...] = ()
    """Kinds whose records it may change, the kind of its own record first."""
    warning: str = ""
    """The sentence that a person reads before a wide change."""
    mass: bool = False
    """Whether it is guarded as `MASS` when it is done to several records at once."""
    stronger: tuple[tuple[str, Guard], ...] = ()
    """Inputs that ask for a stronger guard when they are true: those that notify people."""
    irreversible: Guard = Guard.SMALL
    """The guard of a reversible operation whose inverse is not known."""
    label: str = ""
    """How lists of what can be done call it, where the operation's name does not say it."""


class Role(IntEnum):
    """What a caller is (contract 5.4); each may ask what the ones before may."""

    NOBODY = 0
    ANONYMOUS = 1
    USER = 2
    ADMIN = 3


class Terms(Frozen):
    """On which terms an operation may be asked."""

    words: str
    least: Role
    """What the caller must be at least."""
    related: bool = False
    """Whether the caller must also stand in a relation to what the request names, which the service looks up."""
    but_admins: bool = False
    """Whether an admin needs no relation."""


class Access(Enum):
    """Who may ask: the one table of authorization rules (contract 5, and the marks in section 4).

    Every Request names its row. The service refuses by it before anything else is looked at; the OpenAPI document, the
    operations page, the command line and the console say it; the tests try every row against every kind of caller.
    Single inputs that only admins may give, such as another domain, are refused where they are read.
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
        """Who may ask, for people."""
        return self.value.words
