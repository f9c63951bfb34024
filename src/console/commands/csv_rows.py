"""Read typed or pasted CSV."""

from __future__ import annotations

import csv
import io

from console.views.wording import amount


def csv_rows(text: str, delimiter: str = ",", *, skip_spaces: bool = False) -> tuple[list[list[str]], str]:
    """Return the stripped cells of each row, and why the rows after these cannot be read; empty if all were.

    `skip_spaces` accepts double quotes after spaces.
    """
    rows: list[list[str]] = []
    try:
        lines = io.StringIO(text, newline=None)
        for row in csv.reader(lines, delimiter=delimiter, skipinitialspace=skip_spaces):
            rows.append([cell.strip() for cell in row])
    except csv.Error:
        # The reader has no other error: it is not strict, and all line ends are read as one kind.
        return rows, f"a value exceeds {amount(csv.field_size_limit())} characters"
    return rows, ""
