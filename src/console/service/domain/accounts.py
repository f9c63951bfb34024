"""Create and change users, and update everything that depends on them (contract 2.2, 4.3).

The role and domain of a user are read for every request and event, so a change applies to active sessions at once.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from console.api.annotations import Variant
from console.records.people import AGENT_CAPABILITY, User
from console.service.auth.caller import Caller
from console.service.domain import agents, people, phones
from console.service.domain.domains import DOMAINS
from console.service.domain.following import follow_user
from console.service.domain.people import USERS
from console.service.platform import Platform
from console.service.refusal import conflict, forbidden, invalid
from console.service.store.transaction import Transaction

OWN = frozenset({"email", "mobile_phone", "land_line_number", "alias", "current_timezone", "locale"})
"""Fields that users may change for themselves; the others are for admins."""
LONGEST = 200
MOST_PHONES = 10
MOST_CAPABILITIES = 200

_PHONE = re.compile(r"\+?[0-9][0-9 ()./-]{1,39}", re.ASCII)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*", re.ASCII)
_TEXTS = {"email": "email", "alias": "alias", "land_line_number": "landLineNumber"}


def create(platform: Platform, fields: Mapping[str, Any]) -> User:
    """Create a user from the given fields that are not None, and send a code to every mobile number.

    Refuse with 409 if the domain already has the name, with 400 if a value is invalid.
    """
    fields = _given(fields)
    with platform.write() as tx:
        user = User(id=platform.new_id()).model_copy(update={**_defaults(platform), **fields})
        if user.role == "anonymous":
            domain = DOMAINS.get(tx, user.domain or "")
            if domain is not None and not domain.enable_anonymous:
                raise invalid("role", "the domain accepts no anonymous users", "reference")
            if domain is not None and not user.capabilities:
                user = user.model_copy(update={"capabilities": domain.guest_capabilities})
        _check(platform, tx, user, {"username", "domain", "role", *fields})
        user = people.add_user(platform, user)
        phones.send_codes(platform, tx, user)
        _follow(platform, tx, None, user)
        return user


def update(platform: Platform, caller: Caller, user_id: str, fields: Mapping[str, Any]) -> User:
    """Change the given fields of a user; None or an empty text removes the value.

    Users may change the fields in `OWN` of themselves, admins all fields of all users. New mobile numbers that are not
    validated are sent a code. Refuse with 409 to change a user to or from anonymous, or to demote the last admin.
    """
    with platform.write() as tx:
        before = people.need_user(tx, user_id)
        changes = {name: value for name, value in _changes(fields, platform).items() if value != getattr(before, name)}
        if not caller.is_admin and changes.keys() - OWN:
            raise forbidden("users can only change their own names and numbers")
        user = before.model_copy(update=changes)
        _check(platform, tx, user, changes)
        if user.role != before.role:
            _check_role(tx, before, user)
        if (user.username, user.domain) != (before.username, before.domain):
            same = (USERS.c.username == user.username, USERS.c.domain == user.domain, USERS.c.key != user.id)
            if USERS.count(tx, *same):
                raise conflict(f"there is a user {user.username} in {user.domain} already")
        if user.mobile_phone != before.mobile_phone:
            user = phones.with_validated(user, phones.validated(user))
        USERS.put(tx, user)
        if fields.get("mobile_phone") is not None:
            phones.send_codes(platform, tx, user)
        _follow(platform, tx, before, user)
        return user


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    changes = {name: value for name, value in fields.items() if value is not None}
    return {name: None if name in _TEXTS and value == "" else value for name, value in changes.items()}


def _defaults(platform: Platform) -> dict[str, Any]:
    return {"current_timezone": platform.settings.default_timezone, "locale": platform.settings.default_locale}


def _changes(fields: Mapping[str, Any], platform: Platform) -> dict[str, Any]:
    """Return the fields to change; refuse with 400 to remove one that every user has."""
    empty = {**dict.fromkeys(_TEXTS), "mobile_phone": (), "capabilities": (), **_defaults(platform)}
    changes = dict(fields)
    for name, value in fields.items():
        if value is None or (name in _TEXTS and value == ""):
            if name not in empty:
                raise invalid(User.wire_name(name), "cannot be removed", "required")
            changes[name] = empty[name]
    return changes


def _check(platform: Platform, tx: Transaction, user: User, changed: Collection[str]) -> None:
    """Refuse invalid values among the changed fields. Stored values are not checked again."""
    if "username" in changed and not 0 < len((user.username or "").strip()) <= LONGEST:
        raise invalid("username", f"must have 1 to {LONGEST} characters", "length")
    if "domain" in changed and DOMAINS.row(tx, user.domain or "") is None:
        raise invalid("domain", f"there is no domain {user.domain}", "reference")
    if "role" in changed and user.role == "anonymous" and platform.variant is Variant.EARLIER:
        raise invalid("role", "must be user or admin", "enum")
    for field, wire in _TEXTS.items():
        if field in changed and len(getattr(user, field) or "") > LONGEST:
            raise invalid(wire, f"may have at most {LONGEST} characters", "maxLength")
    if "email" in changed and user.email is not None and not _EMAIL.fullmatch(user.email):
        raise invalid("email", "is not an e-mail address", "format")
    if "mobile_phone" in changed:
        if len(user.mobile_phone) > MOST_PHONES or len(set(user.mobile_phone)) != len(user.mobile_phone):
            raise invalid("mobilePhone", f"may hold at most {MOST_PHONES} numbers, each once", "items")
        for number, phone in enumerate(user.mobile_phone):
            if not _PHONE.fullmatch(phone):
                raise invalid(f"mobilePhone.{number}", "is not a telephone number", "format")
    names = user.capabilities if "capabilities" in changed else ()
    if len(names) > MOST_CAPABILITIES or not all(0 < len(name) <= LONGEST for name in names):
        raise invalid("capabilities", f"must be at most {MOST_CAPABILITIES} names", "items")
    if "current_timezone" in changed and user.current_timezone not in _timezones():
        raise invalid("currentTimezone", "is not a time zone", "enum")
    if "locale" in changed and not _LOCALE.fullmatch(user.locale or ""):
        raise invalid("locale", "is not a locale", "format")


@lru_cache(maxsize=1)
def _timezones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


def _check_role(tx: Transaction, before: User, user: User) -> None:
    if "anonymous" in {before.role, user.role}:
        raise conflict("anonymous users cannot become regular users, nor the reverse")
    if before.role == "admin" and USERS.count(tx, USERS.c.role == "admin") == 1:
        raise conflict("this is the last admin")


def _follow(platform: Platform, tx: Transaction, before: User | None, user: User) -> None:
    """Update everything that shows the user."""
    was_agent = before is not None and AGENT_CAPABILITY in before.capabilities
    if AGENT_CAPABILITY in user.capabilities and not was_agent:
        agents.set_agents(platform, [user.id])
    elif was_agent and AGENT_CAPABILITY not in user.capabilities:
        agents.dismiss(platform, user.id)
    if before is not None:
        follow_user(platform, tx, before, user)
