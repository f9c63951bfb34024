"""Where files live: the person's configuration and state, and what the program itself brings along.

`CONSOLE_HOME` moves everything of a person's below one directory; `CONSOLE_CONFIG` names the configuration file alone.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from console.frozen import Frozen

APPLICATION = "operator-console"
PACKAGE = Path(__file__).resolve().parent


class Places(Frozen):
    """The files and directories of one person. Nothing is created by asking for them."""

    config_file: Path
    """What the person wrote."""
    site_config_file: Path | None
    """What the machine's administrator wrote; None when another place was asked for by name."""
    state: Path
    """The journal and what the program remembers."""
    log: Path
    cache: Path
    downloads: Path
    """Where exports go."""

    @property
    def journal(self) -> Path:
        """Every change made from here: what was meant, and what became of it."""
        return self.state / "journal.jsonl"

    @property
    def themes(self) -> Path:
        """The person's own themes, beside the configuration."""
        return self.config_file.parent / "themes"

    @property
    def tokens(self) -> Path:
        """Tokens kept in a plain file, which happens only on explicit wish."""
        return self.state / "tokens.json"


def places(environ: Mapping[str, str]) -> Places:
    """Return where files live for this environment."""
    named = environ.get("CONSOLE_CONFIG")
    home = environ.get("CONSOLE_HOME")
    if home:
        root = Path(home).expanduser()
        return Places(
            config_file=Path(named).expanduser() if named else root / "config.toml",
            site_config_file=None,
            state=root / "state",
            log=root / "log",
            cache=root / "cache",
            downloads=root / "exports",
        )
    dirs = platformdirs.PlatformDirs(APPLICATION, appauthor=False)
    return Places(
        config_file=Path(named).expanduser() if named else dirs.user_config_path / "config.toml",
        site_config_file=None if named else dirs.site_config_path / "config.toml",
        state=dirs.user_state_path,
        log=dirs.user_log_path,
        cache=dirs.user_cache_path,
        downloads=dirs.user_downloads_path,
    )


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for this person alone. Raises OSError."""
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def read_private(file: Path) -> bytes:
    """Read a file that holds a secret.

    Raises FileNotFoundError, and OSError that says why the file is not used: because it is a link, no regular file,
    somebody else's, or open to others.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as found:
        status = os.fstat(found.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise PermissionError(errno.EPERM, "it is not a regular file")
        if status.st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it belongs to another user")
        if stat.S_IMODE(status.st_mode) & 0o077:
            raise PermissionError(errno.EPERM, "other users can read it: run chmod 600 on it")
        return found.read()


def resource_dir(name: str) -> Path:
    """Return the directory of that name that comes with the program: `themes` or `seeds`.

    An installed wheel has it inside the package, a checkout beside `src`. Raises FileNotFoundError when neither has.
    """
    for place in (PACKAGE / name, PACKAGE.parents[1] / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"{name} is missing from this installation: not in {PACKAGE / name}")
