"""Credentials, OAuth2 clients and permissions (contract 2.5, 2.15)."""

from __future__ import annotations

from typing import Any, ClassVar

from console.records.fields import field
from console.records.people import UserContext
from console.records.record import Record


class Credential(Record):
    """A way in which a user can authenticate (contract 2.5). Secrets in `data` are never returned."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """`<id>@<source>`; updates use it without the source."""
    source: str | None = None
    type: str | None = None
    """`basic`, `ims`, `oauth2`, `token` or `svc-ims`."""
    context: UserContext | None = None
    domain: str | None = None
    user: str | None = None
    data: dict[str, Any] | None = field(default=None, repr=False)
    lease: int | None = None


class OAuthClient(Record):
    """An application registered to request OAuth2 tokens (contract 2.19)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    name: str | None = None
    redirect_uri: str | None = field(default=None, wire="redirectURI")
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    """Returned when the client is registered, and for a single client; never in lists."""


class RecordingPermission(Record):
    """Type and profile of recording (contract 2.15); the contract names only the values `all` and `always`."""

    recording_type: str | None = field(default=None, description="such as all")
    recording_profile: str | None = field(default=None, description="such as always")


class VoicemailPermission(Record):
    """Whether a user has voicemail (contract 2.15)."""

    enabled: bool | None = None


class Permissions(Record):
    """Permissions of a domain's users, or of one user (contract 2.15)."""

    recording: RecordingPermission | None = None
    voicemail: VoicemailPermission | None = None
