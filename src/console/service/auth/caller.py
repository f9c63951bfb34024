"""The caller of a request, for access rules and the event stream."""

from __future__ import annotations

from dataclasses import dataclass, field

from console.api.annotations import Role
from console.records.people import User


@dataclass(frozen=True, slots=True)
class Caller:
    """The user of a request, and its credential."""

    user: User = field(default_factory=User.model_construct)
    session_id: str = ""
    """The session of the credential; empty for an OAuth2 token without a session, and without a login."""
    credential: str = field(default="", repr=False)
    """The id of the presented token record, used to check later whether the token is still valid."""

    remote: str = ""
    """The network address of the request, as limits count it; see `proxies.py`."""
    origin: str = ""
    """The web origin of the request, which may determine the domain; empty without a browser."""
    client_id: str = ""
    """The OAuth2 client that authenticated with its secret, instead of a user."""

    @property
    def id(self) -> str:
        """The user's id; empty without a login."""
        return self.user.id

    @property
    def address(self) -> str:
        """The user's address, `svc-user:<id>` (contract 1.5)."""
        return self.user.address

    @property
    def domain(self) -> str:
        """The user's domain."""
        return self.user.domain or ""

    @property
    def role(self) -> Role:
        """The role of the caller (contract 5.4); unknown roles count as user."""
        if not self.user.id:
            return Role.NOBODY
        return {"admin": Role.ADMIN, "anonymous": Role.ANONYMOUS}.get(self.user.role or "", Role.USER)

    @property
    def is_nobody(self) -> bool:
        """Whether there is no login."""
        return not self.user.id

    @property
    def is_admin(self) -> bool:
        """Whether the user is an admin (contract 5.4)."""
        return self.user.role == "admin"

    @property
    def is_guest(self) -> bool:
        """Whether the user is an anonymous guest (contract 5.4)."""
        return self.user.role == "anonymous"


NOBODY = Caller()
"""A caller without a login."""
