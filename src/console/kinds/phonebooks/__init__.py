"""Phone books."""

from __future__ import annotations

from console.kinds.kind import Kind
from console.kinds.resource import Branch, Resource

KIND = Kind(
    "phonebooks",
    resources=(
        Resource(
            "phonebooks",
            "Phonebooks",
            "phonebook",
            Branch.DIRECTORY,
            ("phonebooks.page",),
            binds={"phonebook_id": "id"},
        ),
    ),
)
