"""The generated page of the contract, row by row, as the tests read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from console.api.annotations import Variant
from tests.contract.rows import (
    COUNT,
    Deviation,
    Extension,
    Operation,
    Row,
    deviations_of_resources,
    fields_of_ours,
    rows,
)

Table = Callable[[tuple[str, ...], Iterable[tuple[str, ...]]], str]


def contract_parts(table: Table) -> list[str]:
    """Return the parts of the page; `table` formats titles and rows as Markdown."""
    parts = [
        "# The contract, row by row\n",
        f"All {COUNT} rows of operations of the two API documents, {len(rows())} of {COUNT} implemented. "
        "`tests/contract` calls each operation in both variants, compares its answer, tables and events with this "
        "page, and reads its effect back. Additional inputs and fields, and intended differences, are listed with "
        "their reasons.\n",
        "`B`, `P`, `Q` and `W` are the places of inputs: body, path, query, whole body. `req` is a required input. "
        "`later` and `earlier` mark what only one variant has.\n",
        "## Intended differences\n",
        table(("where", "what", "why", "option"), [*_resources(), *_deviations()]),
        "## Additional fields\n",
        table(("resource", "field", "why"), _fields()),
    ]
    section = ""
    for row in rows():
        if row.section != section:
            section = row.section
            parts.append(f"## Section {section}\n")
        parts += _row(row, table)
    return parts


def _row(row: Row, table: Table) -> list[str]:
    parts = [f"### {row.title}\n"]
    cells: list[tuple[str, ...]] = []
    for each in row.operations:
        cells.append(
            (
                f"`{each.request.operation.name}`",
                _code(" ".join(each.inputs_words.split())),
                _per_variant(each, each.answer_words),
                _per_variant(each, {variant: ", ".join(sorted(of.tables)) for variant, of in each.touches.items()}),
                _per_variant(each, {variant: ", ".join(sorted(of.events)) for variant, of in each.touches.items()}),
            )
        )
    parts.append(table(("operation", "inputs", "answer", "changes", "events"), cells))
    parts += [f"- Additional: {_extension(each)}\n" for each in (*row.inputs_of_ours, *row.fields_of_ours)]
    parts += [f"- Difference: {each.what} {each.why}{_option(each)}\n" for each in row.deviations]
    parts += [f"- Effect: {each.does} ({_code(each.test)})\n" for each in row.effects]
    return parts


def _per_variant(operation: Operation, words: Mapping[Variant, str]) -> str:
    only = operation.request.operation.variant
    if only is not None:
        return _code(words[only])
    later, earlier = words[Variant.LATER], words[Variant.EARLIER]
    if later == earlier:
        return _code(later)
    return f"later {_code(later) or 'nothing'}; earlier {_code(earlier) or 'nothing'}"


def _resources() -> list[tuple[str, ...]]:
    return [
        (name, _code(each.what), each.why, _code(each.option))
        for name, found in deviations_of_resources().items()
        for each in found
    ]


def _deviations() -> list[tuple[str, ...]]:
    return [(row.title, each.what, each.why, _code(each.option)) for row in rows() for each in row.deviations]


def _fields() -> list[tuple[str, ...]]:
    return [(name, _code(each.what), each.why) for name, found in fields_of_ours().items() for each in found]


def _extension(each: Extension) -> str:
    return f"{_code(each.what)}. {each.why}"


def _option(each: Deviation) -> str:
    return f" Option: `{each.option}`." if each.option else ""


def _code(text: str) -> str:
    return f"`{' '.join(text.split())}`" if text.strip() else ""
