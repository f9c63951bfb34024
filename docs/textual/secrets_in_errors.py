"""The report of an internal error shows local values, and cannot be changed."""

import contextlib
import io

from textual.app import App


class Login(App[None]):
    """An app that fails while it knows a password."""

    def on_mount(self) -> None:
        """Fail."""
        password = "hunter2"
        raise ValueError(f"a password of {len(password)} characters")


report = io.StringIO()
with contextlib.redirect_stderr(report):
    Login().run(headless=True)
print(f"the report contains the password: {'hunter2' in report.getvalue()}")
