"""`console login` and `console logout`: a stored session for later commands."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Literal

from console.api.errors import ApiError, LoginNeeded, NewPasswordNeeded, NotFound, NotOffered
from console.api.operations.sessions import RevokeSession, RevokeToken
from console.base.frozen import replace
from console.cli.connection import SelectedProfile, Where, add_where, asked, choose, logged_in, make_client, run_async
from console.cli.exits import Exit, Failure
from console.cli.output import talk
from console.cli.profiles.credentials import KeptLogin, forget_login, keep_login, new_password, person_is_there
from console.cli.profiles.login_store import store_of
from console.client.client import Client
from console.client.stored_login import LoginStore, StoredLogin


def declare_login(parser: ArgumentParser) -> None:
    """Declare `console login`."""
    parser.add_argument(
        "--store",
        choices=("keyring", "file"),
        default="keyring",
        help=(
            "Where to store the tokens: the system keyring, or a plain file that only you can read. Default: "
            "%(default)s."
        ),
    )
    add_where(parser)
    parser.set_defaults(run=login)


def login(*, store: Literal["keyring", "file"], where: Where) -> int:
    """Log in, and stay logged in on this machine until the login expires or `console logout`.

    Only tokens are stored, not the password; if the service gives a refresh token, it renews the login. If the password
    is temporary, the command asks for a new one. A profile that logs in by itself, with `login.command` or client
    credentials, needs no stored login: the command only tries it.
    """
    chosen = choose(where)
    if chosen.profile.login.alone:
        run_async(lambda: _tried(chosen))
        print(f"The profile {chosen.name} logs in by itself, which works. Nothing was stored.")
        return Exit.OK
    kept = run_async(lambda: _log_in(chosen))
    try:
        place = keep_login(chosen.name, kept, store, os.environ)
    except Failure:
        run_async(lambda: _revoked(_client_of(chosen, kept), kept))
        raise
    what = "session" if kept.session_id else "token"
    print(f"Logged in to {chosen.name} as {kept.username}; the {what} is stored in {place}.")
    return Exit.OK


async def _tried(chosen: SelectedProfile) -> None:
    """Log in and out."""
    async with logged_in(chosen):
        pass


async def _log_in(chosen: SelectedProfile) -> KeptLogin:
    client = _login_client(chosen)
    try:
        username, password = asked(chosen.credentials.source)
        try:
            await client.sessions.log_in(username, password)
        except NewPasswordNeeded:
            if not person_is_there():
                raise
            new = asked(lambda: new_password(username))
            await client.sessions.change_password(username, password, new)
            await client.sessions.log_in(username, new)
        kept = await client.sessions.keep()
        issuer = chosen.profile.login.url or ""
        return KeptLogin(chosen.profile.core, username, kept.session_id, kept.token, kept.refresh, issuer)
    finally:
        await client.close()


def declare_logout(parser: ArgumentParser) -> None:
    """Declare `console logout`."""
    add_where(parser)
    parser.set_defaults(run=logout)


def logout(*, where: Where) -> int:
    """Log out: revoke the stored session and delete its token."""
    chosen = choose(where)
    kept = chosen.credentials.kept
    if kept is None:
        raise Failure(Exit.LOGIN, f"not logged in to {chosen.name} on this machine")
    store = store_of(chosen.name, chosen.profile, kept)
    reason = run_async(lambda: _revoked(_client_of(chosen, kept), kept, store))
    forget_login(chosen.name, os.environ)
    if reason:
        talk(f"the token was deleted, but the session may still be active: {reason}")
        return Exit.FAILED
    print(f"Logged out of {chosen.name}.")
    return Exit.OK


def _login_client(chosen: SelectedProfile) -> Client:
    """Return a client for logging in and out, which read-only profiles may: it changes nothing else."""
    return make_client(replace(chosen.endpoint, read_only=False))


def _client_of(chosen: SelectedProfile, kept: KeptLogin) -> Client:
    """Return a client with a stored session."""
    client = _login_client(chosen)
    client.sessions.token = kept.token
    return client


async def _revoked(client: Client, kept: KeptLogin, store: LoginStore | None = None) -> str:
    """Revoke the refresh token and the session, or the token without one; first renew a login that has ended.

    Return the reason of a failure; an ended login is not one.
    """
    login = StoredLogin(kept.token, kept.refresh, kept.session_id)
    try:
        if kept.refresh and store is not None:
            await client.sessions.resume(store)
            login = replace(await client.sessions.keep(), session_id=client.sessions.session_id or kept.session_id)
        if login.refresh and client.endpoint.login.endpoint is None:
            await client.send(RevokeToken(token=login.refresh, token_type_hint="refresh_token"))
        if login.session_id:
            await client.send(RevokeSession(id=login.session_id))
        elif client.endpoint.login.endpoint is None:
            await client.send(RevokeToken(token=login.token))
    except (LoginNeeded, NotFound, NotOffered):
        return ""
    except ApiError as error:
        return error.reason
    finally:
        await client.close()
    return ""
