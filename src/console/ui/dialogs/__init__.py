"""Dialogs: centred, with visible keys, and safe against accidental answers."""

from console.ui.dialogs.arranging import ColumnsDialog, ThemeDialog
from console.ui.dialogs.choice import ChoiceDialog
from console.ui.dialogs.confirm import ConfirmDialog, PlanDialog, TypeNameDialog
from console.ui.dialogs.form import DifferenceDialog, FormDialog
from console.ui.dialogs.information import HelpDialog, ReadingDialog
from console.ui.dialogs.text import TextDialog

__all__ = [
    "ChoiceDialog",
    "ColumnsDialog",
    "ConfirmDialog",
    "DifferenceDialog",
    "FormDialog",
    "HelpDialog",
    "PlanDialog",
    "ReadingDialog",
    "TextDialog",
    "ThemeDialog",
    "TypeNameDialog",
]
