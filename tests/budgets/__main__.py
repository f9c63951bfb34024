"""Measure all figures and print them next to their budgets.

    python -m tests.budgets [--update]

With `--update`, the figures become the budgets.
"""

from __future__ import annotations

import sys

from tests.budgets.budgets import MODULES, measure, read_budgets, rounded, write_budgets

if __name__ == "__main__":
    figures = [figure for module in MODULES for figure in measure(module)]
    if "--update" in sys.argv:
        write_budgets(figures)
    budgets = read_budgets()
    for figure in figures:
        print(f"{rounded(figure.value):>12}  {budgets.get(figure.name, '–'):>12}  {figure.name}")
