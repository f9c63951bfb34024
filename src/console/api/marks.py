"""The marks an operation carries: where an input travels, who may ask, what it does, which variant has it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Annotated, TypeVar

T = TypeVar("T")


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


@dataclass(frozen=True, slots=True)
class OnlyIn:
    """Marks an input, or an operation, that one variant alone has."""

    variant: Variant


LATER_ONLY = OnlyIn(Variant.LATER)
EARLIER_ONLY = OnlyIn(Variant.EARLIER)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Marks an input whose value must never be shown, logged or journaled."""


SECRET = Hidden()


class Backend(StrEnum):
    """Which of the two services answers an operation."""

    CORE = "core"
    PROVISIONING = "provisioning"


class Effect(Enum):
    """What asking does to the service."""

    READ = "read"
    CHANGE = "change"


class Access(Enum):
    """Who may ask (contract 5 and the marks in 4). Relations are decided by the service on its own data."""

    ANYONE = "anyone, without a login"
    SIGNED_IN = "anyone with a login"
    NAMED = "users and admins, not anonymous guests"
    ADMIN = "admins"
    SELF_OR_ADMIN = "the user concerned, or an admin"
    SAME_DOMAIN_OR_ADMIN = "users of the domain concerned, and admins"
    CREATOR_OR_ADMIN = "whose it is, or an admin"
    GROUP_OWNER = "the owner of the group"
    GROUP_OWNER_OR_SELF = "the owner of the group, or the participant who leaves"
    GROUP_MEMBER_OR_ADMIN = "owner and participants of the group, and admins"
    RECEIVER = "a receiver of the alert"
    SENDER = "the sender of the alert"
    SENDER_OR_ADMIN = "the sender of the alert, or an admin"
    PARTICIPANT = "who takes part"
    PARTICIPANT_OR_ADMIN = "who takes part, or an admin"
    AGENT_OF_CHAT = "the agent who holds the chat, or an admin"
