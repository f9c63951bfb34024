"""Dialogs: centred, with visible keys, and safe against accidental answers."""

from console.ui.dialogs.choice import ChoiceDialog
from console.ui.dialogs.columns import ColumnsDialog
from console.ui.dialogs.confirm import ConfirmDialog, PlanDialog, TypeNameDialog
from console.ui.dialogs.form import DifferenceDialog, FormDialog
from console.ui.dialogs.help import HelpDialog
from console.ui.dialogs.reading import ReadingDialog
from console.ui.dialogs.text import TextDialog
from console.ui.dialogs.themes import ThemeDialog

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
