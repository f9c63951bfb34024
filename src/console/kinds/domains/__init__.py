"""Domains."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource
from console.views.thresholds import Threshold

FREE = Threshold(20, 5, below=True, name="domains.free")
"""Share of available identities in a pool, in percent."""

KIND = Kind(
    "domains",
    thresholds=(FREE,),
    resources=(
        Resource(
            "domains",
            "Domains",
            "domain",
            Branch.DIRECTORY,
            ("domains.list",),
            more=(
                "domain-permissions.get",
                "domain-permissions.create",
                "domain-permissions.update",
                "provisioning-domains.logout",
            ),
        ),
    ),
)
