"""The domains for which remote SIP registration is enabled (provisioning contract 2.1)."""

from __future__ import annotations

import sqlalchemy as sa

from console.service.store.outbox import metadata

remote_sip = sa.Table("remote_sip", metadata, sa.Column("domain", sa.Text, primary_key=True))
"""The core service does not have this information."""
