"""Users as a kind."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.users.columns import USERS

KIND = Kind("users", (USERS,))
