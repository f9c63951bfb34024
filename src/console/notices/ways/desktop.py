"""Show a notification on the desktop of this machine (Desktop Notifications Specification, over D-Bus)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from console.notices.ways.way import NotDelivered, Way

if TYPE_CHECKING:
    from console.notices.notice import Notice

SECONDS = 2.0
"""Longest wait for the service that shows notifications."""
_URGENCY = {"critical": 2, "warning": 1, "notice": 0}
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
KEPT = 100
"""Number of episodes whose notification is replaced by a later one."""


class Desktop(Way):
    """Notifications of the desktop session. Used by one thread; each notice opens its own connection."""

    name = "desktop"

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._shown: dict[tuple[str, ...], int] = {}
        """Notifications by the episodes that they are about."""
        self._server = ""

    def available(self) -> str:
        """Return why there is no desktop session."""
        if sys.platform != "linux":
            return "desktop notifications need D-Bus, which this system does not use"
        if self._environ.get("DBUS_SESSION_BUS_ADDRESS") or Path(f"/run/user/{os.getuid()}/bus").exists():
            return ""
        return "there is no desktop session here: DBUS_SESSION_BUS_ADDRESS is not set"

    def send(self, notice: Notice) -> None:
        """Show the notice, in place of an earlier one about the same episodes. Raise NotDelivered."""
        why = self.available()
        if why:
            raise NotDelivered(why)
        bus = _Bus()
        try:
            with bus.connected(_address(self._environ)) as connection:
                self._show(partial(bus.ask, connection), notice)
        except bus.refused as error:
            name = str(getattr(error, "name", "")).rpartition(".")[2]
            unknown = name == "ServiceUnknown"
            raise NotDelivered("no program shows notifications in this session" if unknown else name) from error
        except (OSError, ValueError, KeyError, StopIteration) as error:
            raise NotDelivered(f"the desktop session does not answer: {error}") from error

    def expected_effect(self) -> str:
        """Return which program shows it."""
        return f"shown by {self._server}"

    def _show(self, ask: Callable[..., Sequence[Any]], notice: Notice) -> None:
        (can,) = ask("GetCapabilities")
        self._server = str(ask("GetServerInformation")[0])
        text = str(notice.words)
        if "body-markup" in can:
            text = text.translate(_ESCAPED)
        title = f"console {notice.profile}: {notice.title}"
        before, urgency = self._shown.pop(notice.episodes, 0), ("y", _URGENCY[notice.severity])
        no_actions: list[str] = []
        (shown,) = ask(
            "Notify", "susssasa{sv}i", ("console", before, "", title, text, no_actions, {"urgency": urgency}, -1)
        )
        self._shown[notice.episodes] = shown
        while len(self._shown) > KEPT:
            del self._shown[next(iter(self._shown))]


class _Bus:
    """The library for D-Bus, which has no types. It takes 20 ms to import, and most consoles have no desktop."""

    def __init__(self) -> None:
        self._library: Any = import_module("jeepney")
        self._wrappers: Any = import_module("jeepney.wrappers")
        self._blocking: Any = import_module("jeepney.io.blocking")
        self.refused: type[Exception] = self._wrappers.DBusErrorResponse

    def connected(self, address: str) -> Any:
        """Return a connection, to be used as a context."""
        return self._blocking.open_dbus_connection(bus=address, auth_timeout=SECONDS)

    def ask(self, connection: Any, method: str, signature: str | None = None, values: Sequence[Any] = ()) -> Any:
        """Call a method of the program that shows notifications, and return the values of its answer."""
        name = "org.freedesktop.Notifications"
        address = self._library.DBusAddress("/org/freedesktop/Notifications", name, name)
        call = self._library.new_method_call(address, method, signature, tuple(values))
        return self._wrappers.unwrap_msg(connection.send_and_get_reply(call, timeout=SECONDS))


def _address(environ: Mapping[str, str]) -> str:
    text = environ.get("DBUS_SESSION_BUS_ADDRESS")
    return text or f"unix:path=/run/user/{os.getuid()}/bus"
