"""Handlers for users (contract 4.3)."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from console.api.operations.people import (
    CreateUser,
    GetCurrentUser,
    GetUser,
    ListUsers,
    PageUsers,
    UpdateUser,
    ValidatePhone,
)
from console.records.people import User
from console.service.auth.caller import Caller
from console.service.auth.relation_checks import is_self, sees
from console.service.domain import accounts, domains, people, phones
from console.service.domain.people import USERS
from console.service.events.visibility import has, has_all
from console.service.handlers.bindings import gets
from console.service.handlers.handler import JoinedRecords, Stored, StoredPage, Wire, bind, handles
from console.service.platform import Platform
from console.service.refusal import invalid
from console.service.store.json_sql import items
from console.service.store.paging import any_of, page_of, part_of
from console.service.store.transaction import Transaction

_SORTS: dict[str, sa.ColumnElement[Any]] = {
    "created": USERS.c.created,
    "email": sa.func.coalesce(USERS.c.email, ""),
    "lastLogin": sa.func.coalesce(USERS.c.last_login, 0),
    "alias": sa.func.coalesce(USERS.c.alias, ""),
    "role": USERS.c.role,
    "domain": USERS.c.domain,
    "username": USERS.c.username,
}


@handles(ListUsers, follows=USERS)
def list_users(request: ListUsers, caller: Caller, tx: Transaction) -> JoinedRecords:
    """List users with the legacy filters.

    `last_match` is the id of the last user of the previous page, `last_item` its creation time: the list continues
    after it, in the same order (by creation time, unless `sort_by` is given).
    """
    name, _, direction = (request.sort_by or "created.asc").partition(".")
    sort = _SORTS.get(name)
    if sort is None:
        raise invalid("sort_by", f"must name one of {', '.join(_SORTS)}", "enum")
    order_desc = direction == "desc"
    where = [
        *any_of(USERS.c.key, request.ids),
        *any_of(USERS.c.domain, request.domain),
        *any_of(USERS.c.email, request.email),
        *any_of(USERS.c.role, request.role),
        *any_of(USERS.c.alias, request.alias),
        *any_of(USERS.c.username, request.username),
        *_registered(request.registered),
        *has_all(USERS.c.capabilities, request.capabilities or ()),
    ]
    for column, after, before in (
        (USERS.c.created, request.created_after, request.created_before),
        (USERS.c.last_login, request.logged_after, request.logged_before),
    ):
        where += [column > after] if after is not None else []
        where += [column < before] if before is not None else []
    last = None
    if request.last_match is not None:
        last = tx.row(sa.select(sort.label("value"), USERS.c.key).where(USERS.c.key == request.last_match))
    if last is not None:
        row, point = sa.tuple_(sort, USERS.c.key), sa.tuple_(last.value, last.key)
        where.append(row < point if order_desc else row > point)
    elif request.last_item is not None:
        created = USERS.c.created
        where.append(created < request.last_item if order_desc else created > request.last_item)
    order = [sort.desc(), USERS.c.key.desc()] if order_desc else [sort.asc()]
    return JoinedRecords(USERS, USERS.listed(tx, *where, caller=caller, order=order, limit=request.limit))


@handles(PageUsers)
def page_users(request: PageUsers, caller: Caller, platform: Platform) -> StoredPage:
    """List users in pages."""
    phone = items(USERS.c.mobile_phone, "phone")
    where = [
        *any_of(USERS.c.key, request.id),
        *any_of(USERS.c.role, request.role),
        *any_of(USERS.c.alias, request.alias),
        *any_of(USERS.c.email, request.email),
        *any_of(USERS.c.domain, request.domain),
        *any_of(USERS.c.username, request.username),
        *part_of(USERS.c.alias, request.alias_partial),
        *part_of(USERS.c.email, request.email_partial),
        *part_of(USERS.c.domain, request.domain_partial),
        *part_of(USERS.c.username, request.username_partial),
        *_registered(request.registered),
        *has_all(USERS.c.capabilities, request.capabilities or ()),
    ]
    if request.mobile_phone is not None:
        where.append(has(USERS.c.mobile_phone, request.mobile_phone))
    if request.mobile_phone_partial is not None:
        matching = sa.select(sa.literal(1)).select_from(phone)
        where.append(sa.exists(matching.where(phone.c.value.contains(request.mobile_phone_partial, autoescape=True))))
    for column, above, below in (
        (USERS.c.created, request.created_gt, request.created_lt),
        (USERS.c.last_login, request.last_login_gt, request.last_login_lt),
    ):
        where += [column > above] if above is not None else []
        where += [column < below] if below is not None else []
    return page_of(
        USERS,
        request,
        caller,
        platform,
        *where,
        sort=_SORTS[request.sort.removeprefix("-")],
        descending=request.sort.startswith("-"),
    )


def _registered(wanted: bool | None) -> list[sa.ColumnElement[bool]]:
    if wanted is None:
        return []
    return [USERS.c.role != "anonymous" if wanted else USERS.c.role == "anonymous"]


def _current(caller: Caller, platform: Platform, tx: Transaction) -> Wire:
    """Return the caller's own user."""
    user = people.need_user(tx, caller.id)
    as_shown: dict[str, Any] = USERS.as_shown(user.wire(), platform.variant)
    return Wire({"user": as_shown, "metadata": {"isAtRootDomain": domains.is_at_root(tx, caller.domain)}})


def _fields(request: CreateUser | UpdateUser, _: Caller) -> dict[str, Any]:
    return {name: getattr(request, name) for name in request.declared_fields if name != "id"}


def _given(request: UpdateUser, _: Caller) -> dict[str, Any]:
    return {name: getattr(request, name) for name in request.model_fields_set if name != "id"}


def _stored(platform: Platform, user: User) -> Stored:
    with platform.read() as tx:
        return Stored(USERS, (USERS.body(tx, user.id) or "",), many=False)


bind(GetCurrentUser, _current)
bind(GetUser, gets(USERS), key="id", related=sees(USERS))
bind(CreateUser, accounts.create, fields=_fields, answer=_stored)
bind(UpdateUser, accounts.update, user_id="id", fields=_given, related=is_self("id"), answer=_stored)
bind(ValidatePhone, phones.validate, user_id="id", phone="field", related=is_self("id"), answer="validated")
