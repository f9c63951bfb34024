"""The stored login of a profile, as `console login` keeps it, for the programs that renew it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from console.base.frozen import replace
from console.cli.exits import Failure
from console.cli.profiles.credentials import KeptLogin, keep_login, kept_login, place_of_login
from console.client.stored_login import StoredLogin
from console.config.paths import make_private, places
from console.config.schema import Profile

LOCK_SECONDS = 20.0
"""How long a renewal by another program is waited for."""
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class ProfileLogin:
    """The stored login of a profile. Without a refresh token, it is only read."""

    def __init__(self, name: str, profile: Profile, kept: KeptLogin, environ: Mapping[str, str]) -> None:
        self._name = name
        self._profile = profile
        self._kept = kept
        self._environ = environ
        self.login = _stored(kept, profile)

    def lock(self) -> Callable[[], None]:
        """Wait for other programs of the same user, at most `LOCK_SECONDS`."""
        file = places(self._environ).tokens.with_suffix(".lock")
        try:
            make_private(file.parent)
            handle = os.open(file, _OPEN, 0o600)
        except OSError:
            return lambda: None
        until = time.monotonic() + LOCK_SECONDS
        while time.monotonic() < until:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(0.05)
        return lambda: os.close(handle)

    def latest(self) -> StoredLogin | None:
        """Read the login again."""
        with suppress(Failure):
            kept = kept_login(self._name, self._profile, self._environ)
            return None if kept is None else _stored(kept, self._profile)
        return None

    def write(self, login: StoredLogin) -> None:
        """Store the login where it was. If that fails, the next program asks for the password."""
        kept = replace(self._kept, session_id=login.session_id, token=login.token, refresh=login.refresh)
        with suppress(Failure):
            keep_login(self._name, kept, place_of_login(self._name, self._environ), self._environ)


def _stored(kept: KeptLogin, profile: Profile) -> StoredLogin:
    # A refresh token is only for the issuer that gave it.
    refresh = kept.refresh if kept.issuer == (profile.login.url or "") else ""
    return StoredLogin(kept.token, refresh, kept.session_id)


def store_of(name: str, profile: Profile, kept: KeptLogin | None) -> ProfileLogin | None:
    """Return the store of a login, or None without one."""
    return None if kept is None else ProfileLogin(name, profile, kept, os.environ)
