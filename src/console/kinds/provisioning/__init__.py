"""Users and domains of the provisioning service."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "provisioning",
    resources=(
        Resource(
            "provisioning-users",
            "Users",
            "user",
            Branch.PROVISIONING,
            ("provisioning-users.list",),
            shown=("username", "email", "enabled", "first_name", "last_name"),
            binds={"domain": "attributes.domain"},
            apart=("provisioning-users.logout-domain",),
        ),
        Resource(
            "provisioning-domains",
            "Domains",
            "domain",
            Branch.PROVISIONING,
            ("provisioning-domains.list",),
            shown=("domain", "parent", "enable_anonymous"),
            more=("provisioning-users.logout-domain",),
        ),
    ),
)
