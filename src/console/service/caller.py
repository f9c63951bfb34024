"""Who is asking: what access rules and the event stream know of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from console.api.annotations import Role
from console.records.people import User


@dataclass(frozen=True, slots=True)
class Caller:
    """The user behind a request, and the credential it came with."""

    user: User = field(default_factory=User.model_construct)
    session_id: str = ""
    """The session the credential belongs to; empty for a bare OAuth2 token and for nobody."""
    credential: str = field(default="", repr=False)
    """The id of the token record that was presented; asked again to see whether it still holds."""

    remote: str = ""
    """The network address the request came from, as the limits count it; see `proxies.py`."""
    origin: str = ""
    """The web origin the request came from, which may say for which domain; empty where no browser is."""
    client_id: str = ""
    """The OAuth2 client that has shown its secret, instead of a user's login."""

    @property
    def id(self) -> str:
        """The user's id; empty for nobody."""
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
        """What the caller is (contract 5.4); a role that is not known here counts as a user's."""
        if not self.user.id:
            return Role.NOBODY
        return {"admin": Role.ADMIN, "anonymous": Role.ANONYMOUS}.get(self.user.role or "", Role.USER)

    @property
    def is_nobody(self) -> bool:
        """Whether there was no login at all."""
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
"""Who asks without a login."""
