"""Mobile numbers of users, and the codes that validate them (contract 4.3).

Users get a code by SMS for each new number, as a delivery (`deliveries`). Sending the code with the number validates
it: `validatedPhones` of the user, an additional field of this service, lists it from then on.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import cast

import sqlalchemy as sa

from console.records.people import User
from console.service.domain import tokens
from console.service.domain.deliveries import deliver
from console.service.domain.delivery_texts import PHONE_CODE
from console.service.domain.people import USERS, need_user
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.outbox import metadata
from console.service.store.transaction import Transaction
from console.service.transports.message import Message

VALIDATED = "validatedPhones"
CODE_SENT = PHONE_CODE
GOOD_FOR_MS = 15 * 60 * 1000

codes = sa.Table(
    "phone_codes",
    metadata,
    sa.Column("user", sa.Text, primary_key=True),
    sa.Column("phone", sa.Text, primary_key=True),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("expires", sa.Integer, nullable=False),
)


def validated(user: User) -> tuple[str, ...]:
    """Return the validated numbers that the user still has."""
    known = cast("Sequence[str]", (user.model_extra or {}).get(VALIDATED, ()))
    return tuple(value for value in known if value in user.mobile_phone)


def with_validated(user: User, phones: Sequence[str]) -> User:
    """Return the user with these numbers as validated."""
    others = {name: value for name, value in user.wire().items() if name != VALIDATED}
    return User.model_validate({**others, VALIDATED: list(phones)} if phones else others)


def send_codes(platform: Platform, tx: Transaction, user: User) -> None:
    """Send a code for every number that is not validated, unless a valid code was sent already."""
    open_codes = sa.select(codes.c.phone).where(codes.c.user == user.id, codes.c.expires > tx.now)
    waiting = set(tx.run(open_codes).scalars())
    for phone in user.mobile_phone:
        if phone in waiting or phone in validated(user):
            continue
        code = f"{secrets.randbelow(10**8):08d}"
        _drop(tx, user.id, phone)
        row = {"user": user.id, "phone": phone, "hash": tokens.digest(code), "expires": tx.now + GOOD_FOR_MS}
        tx.run(sa.insert(codes).values(**row))
        deliver(platform, tx, [Message("sms", phone, CODE_SENT, user.id, {"code": code}, GOOD_FOR_MS)])


def validate(platform: Platform, user_id: str, phone: str, code: str) -> None:
    """Validate a number by the code that was sent to it.

    Refuse with 400 every invalid or expired number or code alike, with 429 too many attempts.
    """
    account = f"phone of {user_id}"
    with platform.login_tries.trying(account), platform.write() as tx:
        user = need_user(tx, user_id)
        row = tx.row(sa.select(codes).where(codes.c.user == user_id, codes.c.phone == phone))
        good = row is not None and row.expires > tx.now and secrets.compare_digest(row.hash, tokens.digest(code))
        if not good or phone not in user.mobile_phone:
            raise invalid("code", "is invalid or expired for this phone")
        _drop(tx, user_id, phone)
        USERS.put(tx, with_validated(user, (*validated(user), phone)))
    platform.login_tries.forget(account)


def _drop(tx: Transaction, user_id: str, phone: str) -> None:
    tx.run(sa.delete(codes).where(codes.c.user == user_id, codes.c.phone == phone))


def forget_expired(tx: Transaction) -> None:
    """Delete expired codes."""
    tx.run(sa.delete(codes).where(codes.c.expires <= tx.now))
