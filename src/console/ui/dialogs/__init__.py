"""Dialogs: centred, with visible keys, and safe against accidental answers."""

from console.ui.dialogs.choice import ChoiceDialog
from console.ui.dialogs.confirm import ConfirmDialog, PlanDialog, TypeNameDialog
from console.ui.dialogs.form import DifferenceDialog, FormDialog
from console.ui.dialogs.screen_dialogs import ColumnsDialog, HelpDialog, ReadingDialog, ThemeDialog
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
