"""Dialogs: centred, with visible keys, and safe against accidental answers."""

from console.widgets.dialogs.choice import ChoiceDialog
from console.widgets.dialogs.columns import ColumnsDialog
from console.widgets.dialogs.confirm import ConfirmDialog, PlanDialog, TypeNameDialog
from console.widgets.dialogs.form import DifferenceDialog, FormDialog
from console.widgets.dialogs.help import HelpDialog
from console.widgets.dialogs.text import TextDialog
from console.widgets.dialogs.themes import ThemeDialog

__all__ = [
    "ChoiceDialog",
    "ColumnsDialog",
    "ConfirmDialog",
    "DifferenceDialog",
    "FormDialog",
    "HelpDialog",
    "PlanDialog",
    "TextDialog",
    "ThemeDialog",
    "TypeNameDialog",
]
