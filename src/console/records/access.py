"""What lets people in, and what they may then do: credentials, OAuth2 clients, permissions (contract 2.5, 2.15)."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from console.records.people import UserContext
from console.records.record import Record


class Credential(Record):
    """One way in which a user can be recognised (contract 2.5). What is secret in `data` is never sent back."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    """`<id>@<source>`; updates name it without the source."""
    source: str | None = None
    type: str | None = None
    """`basic`, `ims`, `oauth2`, `token` or `svc-ims`."""
    context: UserContext | None = None
    domain: str | None = None
    user: str | None = None
    data: dict[str, Any] | None = Field(default=None, repr=False)
    lease: int | None = None


class Client(Record):
    """An application that is registered to ask for OAuth2 tokens (contract 2.19)."""

    key_field: ClassVar[str] = "id"

    id: str = ""
    name: str | None = None
    redirect_uri: str | None = Field(default=None, alias="redirectURI")
    client_id: str | None = None
    client_secret: str | None = Field(default=None, repr=False)
    """Sent when the client is registered, and to who asks for this one client; never in lists."""


class RecordingPermission(Record):
    """What of a user's calls is recorded, and when (contract 2.15); `all` and `always` are the values shown there."""

    recording_type: str | None = Field(default=None, description="such as all")
    recording_profile: str | None = Field(default=None, description="such as always")


class VoicemailPermission(Record):
    """Whether a user has voicemail (contract 2.15)."""

    enabled: bool | None = None


class Permissions(Record):
    """What a domain's users, or one user, may have done for them (contract 2.15)."""

    recording: RecordingPermission | None = None
    voicemail: VoicemailPermission | None = None
