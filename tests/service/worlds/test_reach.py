"""Identities, SIP, push tokens and resolved addresses of a scenario match its users."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from console.records.provisioning import ProvisionedUser
from console.service.auth.caller import Caller
from console.service.domain import addresses, people, provisioning, sip_mappings
from console.service.domain.caller_ids import caller_ids
from console.service.domain.identities import disabled_users, identities
from console.service.domain.people import USERS
from console.service.domain.push import push_tokens
from console.service.domain.sessions import SESSIONS
from console.service.domain.sip import SIP_IDENTITIES
from console.service.domain.sip_mappings import SIP_MAPPINGS
from console.service.scenarios.draft import LOGINS
from console.service.scenarios.spec import load_spec
from tests.service.worlds.conftest import Filled


@pytest.mark.parametrize("world", ["empty", "quiet", "busy", "incident"])
def test_every_user_has_an_identity_consistent_with_the_core_service(filled: Filled, world: str) -> None:
    platform = filled(world)
    with platform.read() as tx:
        users = {each.id: each for each in USERS.records(tx, USERS.c.role != "anonymous")}
        shown = [ProvisionedUser.model_validate(each) for each in provisioning.listed(platform, tx)]
        assert len(shown) == len(users)
        by_name = {(each.attributes.domain, each.username): each for each in shown}
        for user in users.values():
            identity = by_name[user.domain, user.username]
            assert (identity.first_name, identity.email) == (user.alias, user.email)
        for login in LOGINS:
            assert by_name[users[login].domain, login].enabled is True
        assert SESSIONS.count(tx, SESSIONS.c.user.in_(disabled_users())) == 0
        assert tx.value(sa.select(sa.func.count()).select_from(identities)) == len(users)


@pytest.mark.parametrize("world", ["quiet", "busy", "incident"])
def test_the_pool_and_the_mappings_are_consistent(filled: Filled, world: str) -> None:
    platform, spec = filled(world), load_spec(world)
    with platform.read() as tx:
        pool = SIP_IDENTITIES.records(tx)
        assert len(pool) == spec.reach.sip_identities
        assert [each.available for each in pool].count(True) == spec.reach.sip_spare
        for identity in pool:
            owner = SIP_IDENTITIES.need_row(tx, identity.id).assigned
            assert (owner == "") == identity.available
            if owner:
                found = sip_mappings.owner_of(tx, owner)
                assert (found.uri, found.domain) == (owner, identity.domain)
                credential = sip_mappings.credential_of(platform, tx, owner)
                assert credential.username == identity.username
                assert len(credential.password or "") == 16
        assert SIP_MAPPINGS.count(tx) == spec.reach.sip_identities - spec.reach.sip_spare
        assert {row.type for row in tx.rows(sa.select(SIP_MAPPINGS.c.type))} == {"user", "group"}


@pytest.mark.parametrize("world", ["quiet", "busy"])
def test_users_have_resolved_some_followed_addresses(filled: Filled, world: str) -> None:
    platform, spec = filled(world), load_spec(world)
    with platform.read() as tx:
        for login in LOGINS:
            lists = addresses.lists(tx, Caller(people.need_user(tx, login)))
            assert len(lists.resolved) == spec.reach.resolved
            assert {f"svc-user:{each.id}" for each in lists.resolved} <= set(lists.subscribed)
        tokens = tx.rows(sa.select(push_tokens))
        assert tokens
        assert all(USERS.row(tx, each.user) is not None for each in tokens)
        assert tx.value(sa.select(sa.func.count()).select_from(caller_ids)) == spec.reach.caller_ids
