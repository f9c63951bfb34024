"""File locations: configuration and state of the user, and included resources.

`CONSOLE_HOME` moves all files of the user to one directory; `CONSOLE_CONFIG` sets the configuration file alone.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import stat
import tempfile
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO, cast

import platformdirs

from console.base.frozen import Frozen
from console.base.put_aside import put_aside
from console.config.toml_source import ConfigFault, FileProblem

APPLICATION = "operator-console"
LOCK_SECONDS = 0.5
"""Longest wait for another console that writes the same file."""
PACKAGE = Path(__file__).resolve().parent.parent


class Places(Frozen):
    """The files and directories of one user. They are not created here."""

    config_file: Path
    """The user's configuration file."""
    site_config_file: Path | None
    """The machine's configuration file; None if another location was given explicitly."""
    state: Path
    """The journal and other state."""
    log: Path
    downloads: Path
    """Directory of exports."""

    @property
    def journal(self) -> Path:
        """The journal of changes."""
        return self.state / "journal.jsonl"

    @property
    def notices(self) -> Path:
        """Notices as shared by the consoles of a person."""
        return self.state / "notices"

    @property
    def themes(self) -> Path:
        """The user's own themes, next to the configuration."""
        return self.config_file.parent / "themes"

    @property
    def tokens(self) -> Path:
        """Tokens stored in a plain file, only on request."""
        return self.state / "tokens.json"


def places(environ: Mapping[str, str]) -> Places:
    """Return the file locations for this environment. Raise ConfigFault if the user has no home directory."""
    named = environ.get("CONSOLE_CONFIG")
    home = environ.get("CONSOLE_HOME")
    if home:
        root = expanded(Path(home))
        return Places(
            config_file=expanded(Path(named)) if named else root / "config.toml",
            site_config_file=None,
            state=root / "state",
            log=root / "log",
            downloads=root / "exports",
        )
    dirs = platformdirs.PlatformDirs(APPLICATION, appauthor=False)
    try:
        return Places(
            config_file=expanded(Path(named)) if named else dirs.user_config_path / "config.toml",
            site_config_file=None if named else dirs.site_config_path / "config.toml",
            state=dirs.user_state_path,
            log=dirs.user_log_path,
            downloads=_downloads(dirs),
        )
    except RuntimeError:
        raise _home_unknown("the directories for your files are unknown") from None


def _downloads(dirs: platformdirs.PlatformDirs) -> Path:
    """Return the directory of exports. Without a home directory, it is beside the state."""
    try:
        return dirs.user_downloads_path
    except RuntimeError:
        return dirs.user_state_path / "exports"


def expanded(path: Path) -> Path:
    """Return a path with the home directory for a leading `~`. Raise ConfigFault if it is unknown."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise _home_unknown(f"{path} is unknown") from None


def _home_unknown(what: str) -> ConfigFault:
    text = f"{what}, because this user has no home directory: set HOME, or set CONSOLE_HOME to an absolute path"
    return ConfigFault([FileProblem(None, 0, "", text)])


def make_private(folder: Path) -> None:
    """Create a directory and its missing parents, accessible to this user only. Raise OSError."""
    if folder.is_dir():
        return
    make_private(folder.parent)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        # Another process may have created it meanwhile.
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None


def matching_files(folder: Path, pattern: str) -> list[Path]:
    """Return the files of a directory whose names match, by name; none if it is missing.

    Raise OSError if it cannot be listed, which `Path.glob` takes for an empty directory.
    """
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    return [folder / name for name in sorted(names) if fnmatchcase(name, pattern)]


def write_private(file: Path, text: str) -> None:
    """Replace a file atomically, readable by this user only. Raise OSError."""
    make_private(file.parent)
    replace_file(file, text.encode())


def write_output(file: Path, content: bytes, *, may_replace: bool = True, inputs: Iterable[Path] = ()) -> None:
    """Write a file that a person named for output, readable by this user only.

    A regular file is replaced atomically. Everything else, such as a device, a pipe or a link, is written into. Raise
    OSError, which is FileExistsError for a file with content unless `may_replace`; also for one of the `inputs`.
    """
    if file.exists() and any(read.exists() and file.samefile(read) for read in inputs):
        raise OSError(errno.EINVAL, "the command reads this file", str(file))
    descriptor = _DESCRIPTOR.fullmatch(str(file.absolute()))
    if descriptor is not None:
        # Opening the name would begin at the start of a file that a shell appends to.
        with os.fdopen(os.dup(int(descriptor[1] or _STREAMS[descriptor[2]])), "wb") as stream:
            stream.write(content)
        return
    if not may_replace and file.is_file():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(file))
    if not os.path.lexists(file) or stat.S_ISREG(os.lstat(file).st_mode):
        replace_file(file, content, may_replace=may_replace)
        return
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
        if stat.S_ISREG(os.fstat(target.fileno()).st_mode):
            os.fchmod(target.fileno(), 0o600)
        target.write(content)


_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/(?:fd/(\d{1,9})|(stdin|stdout|stderr))")
_STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}


def replace_file(file: Path, content: bytes, *, keep_mode: bool = False, may_replace: bool = True) -> None:
    """Replace a file atomically, or create it, readable by this user only. Raise OSError.

    With `keep_mode`, a file that is replaced keeps its mode and owner, and the new one is synced to disk first.
    """
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".console.")
    try:
        with os.fdopen(descriptor, "wb") as new:
            new.write(content)
            if keep_mode:
                if file.exists():
                    _copy_mode(file.stat(), new.fileno())
                new.flush()
                os.fsync(new.fileno())
        if may_replace:
            os.replace(name, file)
        else:
            os.link(name, file)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def _copy_mode(old: os.stat_result, descriptor: int) -> None:
    status = os.fstat(descriptor)
    if (old.st_uid, old.st_gid) != (status.st_uid, status.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Hold a lock file, so that consoles do not overwrite each other. Raise OSError, also after `LOCK_SECONDS`."""
    make_private(file.parent)
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        end = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise OSError(errno.EBUSY, "another console is writing", str(file)) from None
                time.sleep(0.01)
        yield
    finally:
        os.close(handle)


def read_private(file: Path) -> bytes:
    """Read a file that contains a secret.

    Raise FileNotFoundError, or OSError with the reason: it is a link, not a regular file, belongs to another user, or
    is readable by others.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as stored:
        status = os.fstat(stored.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise PermissionError(errno.EPERM, "it is not a regular file")
        if status.st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it belongs to another user")
        if stat.S_IMODE(status.st_mode) & 0o077:
            raise PermissionError(errno.EPERM, "other users can read it: run chmod 600 on it")
        return stored.read()


def open_regular(file: Path) -> BinaryIO:
    """Open a file of the program for reading. Raise OSError, also for a pipe or a device, which may never end."""
    opened = open(file, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))  # noqa: SIM115 - the caller closes it
    if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
        opened.close()
        raise OSError(errno.EINVAL, "it is not a regular file", str(file))
    return opened


def read_json(file: Path, most_bytes: int) -> Any:
    """Return the content of a JSON file; None if it is missing, unreadable, invalid or too large."""
    try:
        with open_regular(file) as stored:
            return json.loads(stored.read(most_bytes))
    except (OSError, ValueError, RecursionError):
        return None


def read_state(file: Path, most_bytes: int, shape: type[dict[Any, Any]] | type[list[Any]]) -> Any:
    """Return the content of a JSON file that the program writes anew; empty if it is missing, empty or damaged.

    A damaged one is put aside. Raise nothing.
    """
    content: Any = None
    reason = "it is damaged"
    try:
        with open_regular(file) as stored:
            text = stored.read(most_bytes)
        content = json.loads(text) if text.strip() else shape()
    except (FileNotFoundError, NotADirectoryError):
        return shape()
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, RecursionError):
        pass
    if type(content) is shape:
        return content
    put_aside(file, reason)
    return shape()


def objects_in(value: object) -> list[dict[str, Any]]:
    """Return the JSON objects in a list without its other entries; none if the value is not a list."""
    entries = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict)]


def resource_dir(name: str) -> Path:
    """Return the included directory of this name: `themes` or `seeds`.

    In an installed wheel it is inside the package, in a checkout next to `src`. Raise FileNotFoundError if neither
    exists.
    """
    for place in (PACKAGE / name, PACKAGE.parents[1] / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"{name} is missing from this installation: not in {PACKAGE / name}")
