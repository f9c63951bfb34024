"""Sources of credentials: the keyring, then a command, the environment, a prompt. Never arguments.

A machine without a keyring is not an error; the next source is used. A login is stored in a plain file only on request,
readable by its owner only.
"""

from __future__ import annotations

import getpass
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, cast

from console.api.errors import LoginNeeded
from console.base.frozen import Frozen, asdict
from console.base.put_aside import put_aside
from console.cli.exits import Exit, Failure
from console.config.paths import APPLICATION, places, read_private, write_private
from console.config.schema import Profile

NOTICE_SECRET = "CONSOLE_NOTICE_SECRET"
PROXY_PASSWORD = "CONSOLE_PROXY_PASSWORD"
_SECRETS = frozenset(
    {"CONSOLE_PASSWORD", "CONSOLE_SMTP_PASSWORD", "CONSOLE_WEBHOOK_SECRET", NOTICE_SECRET, PROXY_PASSWORD}
)
_NOTICES = "notices/webhook"
"""Entry of the keyring with the secret of the webhook for notices."""
Store = Literal["keyring", "file"]
COMMAND_SECONDS = 30.0


class KeptLogin(Frozen):
    """A session that `console login` stored for later commands."""

    core: str
    """Its core service: the token is never sent elsewhere."""
    username: str
    session_id: str
    token: str
    refresh: str = ""
    """The refresh token; empty if the issuer gave none."""
    issuer: str = ""
    """The token endpoint that gave it, which alone may see it; empty for the core service."""

    def __repr__(self) -> str:
        """Omit the tokens."""
        return f"KeptLogin({self.core!r}, {self.username!r})"


class Credentials(Frozen):
    """Credentials of a profile. `source` may prompt a person, so it is called only when needed."""

    kept: KeptLogin | None
    source: Callable[[], tuple[str, str]]
    alone: bool = False
    """Whether the profile logs in without a user name and password; `source` then returns empty ones."""


def credentials(
    profile_name: str, profile: Profile, environ: Mapping[str, str], *, prompts: bool = True
) -> Credentials:
    """Return the credentials of a profile, without a prompt yet.

    Without `prompts`, the source raises LoginNeeded instead of asking a person.
    """
    if profile.login.alone:
        return Credentials(None, lambda: (profile.username or "", ""), alone=True)

    def source() -> tuple[str, str]:
        try:
            username = _username(profile, environ, prompts=prompts)
            return username, password(profile_name, profile, username, environ, prompts=prompts)
        except Failure as failure:
            if prompts:
                raise
            raise LoginNeeded(failure.message) from failure

    return Credentials(kept_login(profile_name, profile, environ), source)


def password(
    profile_name: str, profile: Profile, username: str, environ: Mapping[str, str], *, prompts: bool = True
) -> str:
    """Return the password from the first source that has one. Raise Failure if there is none."""
    kept = _keyring_get(f"{profile_name}/{username}")
    if kept is not None:
        return kept
    if profile.password_command:
        return from_command("password_command", profile.password_command)
    if environ.get("CONSOLE_PASSWORD"):
        return environ["CONSOLE_PASSWORD"]
    if not (prompts and person_is_there()):
        raise Failure(
            Exit.LOGIN,
            "no password: set password_command in the profile or CONSOLE_PASSWORD, or run `console login`",
        )
    return getpass.getpass(f"Password of {username}: ", stream=sys.stderr)


def keep_password(profile_name: str, username: str, password: str) -> str | None:
    """Store a password in the keyring, where `password` finds it. Return the reason of a failure, or None."""
    return _keyring_set(f"{profile_name}/{username}", password)


def known_username(profile_name: str, profile: Profile, environ: Mapping[str, str]) -> str:
    """Return the user of a profile as far as it is known without asking a person; empty if it is not."""
    known = environ.get("CONSOLE_USERNAME") or profile.username
    if known:
        return known
    kept = kept_login(profile_name, profile, environ)
    return kept.username if kept is not None else ""


def _username(profile: Profile, environ: Mapping[str, str], *, prompts: bool) -> str:
    username = environ.get("CONSOLE_USERNAME") or profile.username
    if username:
        return username
    if not (prompts and person_is_there()):
        raise Failure(Exit.LOGIN, "no user name: set username in the profile or CONSOLE_USERNAME")
    while not username:
        print("User name: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        username = line.strip()
    return username


def new_password(username: str) -> str:
    """Prompt twice for a password that replaces a temporary one. Raise Failure if the two differ."""
    print(f"The password of {username} is temporary: choose a new one.", file=sys.stderr)
    new = getpass.getpass("New password: ", stream=sys.stderr)
    if getpass.getpass("Repeat the new password: ", stream=sys.stderr) != new:
        raise Failure(Exit.FAILED, "the passwords do not match: nothing was changed")
    if not new:
        raise Failure(Exit.FAILED, "the password is empty: nothing was changed")
    return new


def person_is_there() -> bool:
    """Return whether a person can be prompted."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def from_command(key: str, command: tuple[str, ...]) -> str:
    """Return the first line that a command of the profile prints. Raise Failure with the command's key."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, timeout=COMMAND_SECONDS, check=False, env=without_password(os.environ)
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = error.strerror if isinstance(error, OSError) else f"timed out after {COMMAND_SECONDS:g} s"
        raise Failure(Exit.LOGIN, f"{key} {command[0]} failed: {reason}") from None
    line = done.stdout.decode("utf-8", errors="replace").partition("\n")[0].rstrip("\r")
    if done.returncode != 0 or not line:
        what = f"ended with {done.returncode}" if done.returncode else "printed nothing"
        raise Failure(Exit.LOGIN, f"{key} {command[0]} {what}")
    return line


def without_password(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for another program, without secrets."""
    return {name: value for name, value in environ.items() if name not in _SECRETS}


def notice_secret(command: tuple[str, ...], environ: Mapping[str, str]) -> str | None:
    """Return the secret of the webhook for notices: of the command, the keyring or the environment; None if none.

    Raise Failure if the command fails.
    """
    if command:
        return from_command("secret_command", command)
    return _keyring_get(_NOTICES) or environ.get(NOTICE_SECRET)


def keep_notice_secret(secret: str) -> str | None:
    """Store the secret of the webhook for notices in the keyring. Return the reason of a failure, or None."""
    return _keyring_set(_NOTICES, secret)


# -- stored logins ---------------------------------------------------------------------------------------------------


def kept_login(profile_name: str, profile: Profile, environ: Mapping[str, str]) -> KeptLogin | None:
    """Return the stored login for this profile and core service, or None.

    It is in one place only, see `keep_login`. The file is checked first, because the keyring takes half of the time to
    the first frame.
    """
    login = _read(_file_entries(places(environ).tokens).get(profile_name)) or _read(_keyring_get(profile_name))
    return login if login is not None and login.core == profile.core else None


def keep_login(profile_name: str, login: KeptLogin, where: Store, environ: Mapping[str, str]) -> str:
    """Store a login in this place, and delete it from the other. Return a description of the place.

    Raise Failure on error.
    """
    file = places(environ).tokens
    if where == "keyring":
        reason = _keyring_set(profile_name, json.dumps(asdict(login)))
        if reason is not None:
            raise Failure(
                Exit.FAILED,
                f"cannot store the login: {reason}; use --store file to store it in a plain file, "
                "or use CONSOLE_PASSWORD or password_command instead",
            )
        _drop_entry(file, profile_name)
        return "the system keyring"
    _write_entries(file, _file_entries(file) | {profile_name: asdict(login)})
    _keyring_delete(profile_name)
    return str(file)


def place_of_login(profile_name: str, environ: Mapping[str, str]) -> Store:
    """Return where the login of a profile is stored."""
    return "file" if _read(_file_entries(places(environ).tokens).get(profile_name)) is not None else "keyring"


def forget_login(profile_name: str, environ: Mapping[str, str]) -> None:
    """Delete the stored login of a profile from all places."""
    _keyring_delete(profile_name)
    _drop_entry(places(environ).tokens, profile_name)


def _drop_entry(file: Path, profile_name: str) -> None:
    entries = _file_entries(file)
    if entries.pop(profile_name, None) is not None:
        _write_entries(file, entries)


def _read(kept: object) -> KeptLogin | None:
    try:
        data: Any = json.loads(kept) if isinstance(kept, str) else kept
    except ValueError:
        return None
    names = ("core", "username", "session_id", "token")
    if not isinstance(data, dict):
        return None
    fields = cast("dict[str, Any]", data)
    values = [*(fields.get(name) for name in names), fields.get("refresh", ""), fields.get("issuer", "")]
    if not all(isinstance(value, str) for value in values):
        return None
    return KeptLogin(*cast("list[str]", values))


def _file_entries(file: Path) -> dict[str, Any]:
    """Read the plain file, unless it is a link, belongs to another user, or is readable by others."""
    try:
        text = read_private(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}  # Nor below a file: accounts of services often have /dev/null as their home.
    except OSError as error:
        raise Failure(Exit.LOGIN, f"cannot use {file}: {error.strerror}") from None
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        return cast("dict[str, Any]", data)
    put_aside(file, "it is damaged")
    return {}


def _write_entries(file: Path, entries: Mapping[str, Any]) -> None:
    try:
        write_private(file, json.dumps(entries))
    except OSError as error:
        raise Failure(Exit.FAILED, f"cannot write {file}: {error.strerror}") from None


# -- the keyring -----------------------------------------------------------------------------------------------------


def _keyring() -> Any:
    # Finds its backends, which takes 50 ms, and may fail: a backend may raise anything.
    import keyring

    return keyring


def _keyring_get(entry: str) -> str | None:
    try:
        return _keyring().get_password(APPLICATION, entry)
    except Exception:  # A backend, which the environment can name, may raise anything, also while it is imported.
        return None


def _keyring_set(entry: str, secret: str) -> str | None:
    """Store a secret in the keyring; return the reason of a failure, or None."""
    try:
        keyring = _keyring()
        try:
            keyring.set_password(APPLICATION, entry, secret)
        except keyring.errors.NoKeyringError:
            return "this machine has no keyring"
    except Exception as error:  # As above.
        return f"keyring error: {error or type(error).__name__}"
    return None


def _keyring_delete(entry: str) -> None:
    try:
        _keyring().delete_password(APPLICATION, entry)
    except Exception:  # As above.
        return
