"""Every action has a test that presses its key in the real console and checks the service afterwards."""

from __future__ import annotations

import ast

from console.api.annotations import Guard
from console.commands.guards import guards
from console.kinds.actions import ACTIONS
from tests.static.source_files import nodes, python_files, tree_of


def pressed() -> dict[str, bool]:
    """Return the actions that behaviour tests press, and whether the test undoes it."""
    found: dict[str, bool] = {}
    for file in python_files("tests/behaviour"):
        for node in nodes(tree_of(file)):
            if not isinstance(node, ast.AsyncFunctionDef) or not node.name.startswith("test_"):
                continue
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "presses":
                    action = ast.literal_eval(call.args[0])
                    undone = any(each.arg == "undone" and ast.literal_eval(each.value) for each in call.keywords)
                    found[action] = found.get(action, False) or undone
    return found


def test_every_action_is_performed_in_a_behaviour_test() -> None:
    assert pressed().keys() == {action.id for action in ACTIONS}


def test_every_reversible_action_is_undone_in_a_behaviour_test() -> None:
    reversible = {action.id for action in ACTIONS if guards(action) == (Guard.REVERSIBLE,)}
    assert reversible <= {action for action, undone in pressed().items() if undone}
