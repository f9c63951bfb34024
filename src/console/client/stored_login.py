"""A login that several programs on this machine use in turn, with the refresh token that renews it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from console.base.frozen import Frozen


class StoredLogin(Frozen):
    """A token, and what renews it."""

    token: str
    refresh: str = ""
    """The refresh token; empty if the issuer gave none. Many are valid once."""
    session_id: str = ""
    """The session of the token; empty without one."""

    def __repr__(self) -> str:
        """Omit the tokens."""
        return f"StoredLogin(session_id={self.session_id!r})"


class LoginStore(Protocol):
    """A store for a login. Its methods may block, and raise nothing."""

    login: StoredLogin
    """The login when the program started."""

    def lock(self) -> Callable[[], None]:
        """Wait until no other program renews the login; return a function that ends this turn.

        Two programs that use the same refresh token would end the login: many issuers accept each only once.
        """
        ...

    def latest(self) -> StoredLogin | None:
        """Return the login as it is stored now: another program may have renewed it. None if it was deleted."""
        ...

    def write(self, login: StoredLogin) -> None:
        """Replace the login."""
        ...
