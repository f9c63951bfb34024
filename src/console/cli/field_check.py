"""Fields that the console reads, and that the rows of a deployment never have."""

from __future__ import annotations

from collections.abc import Mapping

from console.api.listed import rows_of
from console.records.fields import resolved_fields
from console.text import clean

MOST = 6
"""Most names of fields that are listed."""


def unmatched_fields(answer: object, names: Mapping[str, str]) -> str:
    """Return a hint about fields that may have other names in this deployment; empty without any.

    `names` are the deployment's names of fields that the routes file has, by those of the contract.

    A field that is absent everywhere is usual: most are optional. It may have another name only if there are also
    fields that the console does not know.
    """
    rows = rows_of(answer)
    unknown = dict.fromkeys(name for row in rows for name in row.model_extra or ())
    for path in names.values():
        unknown.pop(path.partition(".")[0], None)
    if not unknown:
        return ""
    present = {name for row in rows for name in row.model_fields_set}
    missing = [field.wire for name, field in resolved_fields(type(rows[0])).items() if name not in present]
    if not missing:
        return ""
    return f"in no row: {_listed(missing)}; not known: {_listed([clean(name, 40) for name in unknown])}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return f"{', '.join(names[:MOST])}{more}"
