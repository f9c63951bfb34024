"""Credentials for the directory of a domain."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "directory-credentials",
    resources=(
        Resource(
            "directory-credentials",
            "Directory credentials",
            "credential",
            Branch.ACCESS,
            ("directory-credentials.get",),
            shown=("domain", "client_id", "domain_tenant_id"),
        ),
    ),
)
