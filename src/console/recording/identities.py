"""Owners of files: each file on this machine belongs to one account at one service.

The name of a profile says neither: `demo` is another service each time, and a variable of the environment leads a
profile elsewhere. A service is known by the epoch of its events (`docs/events.md`), one without by its address. A small
index in the directory of the user's state remembers which services and accounts there were, so that commands that
connect to nothing find the files of the last one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from console.base.frozen import Frozen, replace
from console.client.endpoint import same_address
from console.config.paths import Places, locked, objects_in, read_state, write_private
from console.live.running import hold
from console.recording.files import aside, companions_of, recording_file
from console.recording.notes import notes_file
from console.records.people import name_of

if TYPE_CHECKING:
    from console.live.backend import Backend

NEVER_CONNECTED = "nothing was recorded yet: no console of this machine was connected to this service as this user"
_MOST = 200
_MOST_EPOCHS = 16
_MOST_ACCOUNTS = 50
_LONGEST = 200
"""Longest name or epoch in the index; the digest of a longer one stands for it, since an identity is never cut."""
_LARGEST = 8 * 1024 * 1024


class KnownService(Frozen):
    """A service to which a console of this machine was connected."""

    key: str
    """Names its files. It stays the same while a running console sees the service begin a new epoch."""
    address: str
    """The base URL of its core service, in the one spelling of `same_address`."""
    profile: str
    """The name under which it was opened last."""
    epochs: tuple[str, ...] = ()
    """Its last epochs; none for a service without events."""
    accounts: tuple[tuple[str, str], ...] = ()
    """Account and the name with which it logged in, the last used one last."""


class Identity(Frozen):
    """An account at a service."""

    service: KnownService
    account: str

    @property
    def key(self) -> str:
        """The name of the files of this account."""
        return f"{self.service.key}-{_digest(self.account)[:12]}"


class Identities:
    """The index of services and accounts. Without its file nothing is found again, and nothing fails."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._file = places.state / "services.json"
        self._lock_file = places.state / "services.lock"

    def note(
        self, profile: str, address: str, epoch: str, account: str, login: str = "", before: Identity | None = None
    ) -> Identity:
        """Return the identity of an account that is connected, and remember it.

        `epoch` is empty for a service without one. `before` is what the same console was connected to until now: if
        the address is the same, the service began a new epoch.
        """
        address, epoch, account = same_address(address), _short(epoch), _short(account)
        try:
            with locked(self._lock_file):
                return self._noted(profile, address, epoch, account, login, before)
        except OSError:
            return self._noted(profile, address, epoch, account, login, before)

    def _noted(
        self, profile: str, address: str, epoch: str, account: str, login: str, before: Identity | None
    ) -> Identity:
        known = self._read()
        service = _service(known, address, epoch)
        if service is None and before is not None and before.service.address == address:
            service = next((other for other in known if other.key == before.service.key), before.service)
        if service is None:
            service = KnownService(_digest(epoch or address)[:20], address, profile)
        accounts = [other for other in service.accounts if other[0] != account]
        login = login or dict(service.accounts).get(account, account)
        epochs = [other for other in service.epochs if other != epoch]
        service = replace(
            service,
            address=address,
            profile=profile,
            epochs=(*epochs, epoch)[-_MOST_EPOCHS:] if epoch else service.epochs,
            accounts=(*accounts, (account, _short(login)))[-_MOST_ACCOUNTS:],
        )
        self._write([*(other for other in known if other.key != service.key), service])
        return Identity(service, account)

    def last(self, address: str, login: str = "") -> Identity | None:
        """Return the identity that was last connected at an address, with this login if one is given."""
        address = same_address(address)
        for service in reversed(self._read()):
            for account, used in reversed(service.accounts if service.address == address else ()):
                if not login or login in {account, used}:
                    return Identity(service, account)
        return None

    def service(self, profile: str, address: str) -> KnownService:
        """Return the service that was last connected at an address. One that was never connected is remembered."""
        spelled = same_address(address)
        known = next((service for service in reversed(self._read()) if service.address == spelled), None)
        if known is None:
            known = KnownService(_digest(spelled)[:20], spelled, profile)
            with suppress(OSError), locked(self._lock_file):
                self._write([*self._read(), known])
        return known

    def all(self) -> tuple[KnownService, ...]:
        """Return all known services, the last used one last."""
        return tuple(self._read())

    def forget(self, service: KnownService) -> None:
        """Remove everything that is kept for a service."""
        for account, _ in service.accounts:
            for file in files_of(self._places, Identity(service, account)):
                for each in (file, *file.parent.glob(f"{file.name}.damaged*")):
                    with suppress(OSError):
                        each.unlink(missing_ok=True)
        with suppress(OSError), locked(self._lock_file):
            self._write([other for other in self._read() if other.key != service.key])

    def forget_recordings(self, current: Identity, before_ms: int) -> None:
        """Remove the recordings of a profile's other services and accounts that were written last before a moment.

        Those that another console records stay, as do the recordings of other profiles.
        """
        services = [service for service in self._read() if service.profile == current.service.profile]
        others = [Identity(service, account) for service in services for account, _ in service.accounts]
        files = [recording_file(self._places, identity.key) for identity in others if identity.key != current.key]
        for file in (*files, aside(recording_file(self._places, current.key))):
            with suppress(OSError, ValueError):
                # After a kill, the newest part is still beside the file.
                written = max(companion.stat().st_mtime for companion in companions_of(file)[:2] if companion.exists())
                if written * 1000 < before_ms and not _is_held(file):
                    for companion in companions_of(file):
                        companion.unlink(missing_ok=True)

    # -- the file ------------------------------------------------------------------------------------------------------

    def _read(self) -> list[KnownService]:
        services = map(_service_of, objects_in(read_state(self._file, _LARGEST, list)))
        return [service for service in services if service is not None]

    def _write(self, services: list[KnownService]) -> None:
        rows = [
            {
                "key": service.key,
                "address": service.address,
                "profile": service.profile,
                "epochs": service.epochs,
                "accounts": service.accounts,
            }
            for service in services[-_MOST:]
        ]
        with suppress(OSError):
            write_private(self._file, json.dumps(rows, indent=1))


class CurrentIdentity:
    """The identity behind a console, which is known once it is connected."""

    def __init__(
        self,
        places: Places,
        profile: str,
        backend: Backend,
        login: Callable[[], str] = str,
    ) -> None:
        """Use the connection of a profile; `login` returns the name with which it logs in, empty if unknown."""
        self._identities = Identities(places)
        self._profile, self._backend, self._login = profile, backend, login
        self._known: Identity | None = None
        self._noted: tuple[str, str] | None = None
        self._before: tuple[Identity | None] | None = None

    @property
    def _address(self) -> str:
        return self._backend.endpoint.core

    def now(self) -> Identity | None:
        """Return the identity that is connected, or was since the start; None until one is known."""
        epoch, account = self._backend.epoch, name_of(self._backend.me)
        if epoch is None or not account:
            return self._known
        if self._noted != (epoch, account):
            before = self._known
            self._known = self._identities.note(self._profile, self._address, epoch, account, self._login(), before)
            self._noted = epoch, account
        return self._known

    def forget_recordings(self, before_ms: int) -> None:
        """Remove the outdated recordings of the profile's other services; see `Identities.forget_recordings`."""
        if self._known is not None:
            self._identities.forget_recordings(self._known, before_ms)

    def last(self) -> Identity | None:
        """Return the identity that is connected, otherwise the one that was connected last."""
        known = self.now()
        if known is not None:
            return known
        if self._before is None:
            self._before = (self._identities.last(self._address, self._login()),)
        return self._before[0]


def is_recorded(places: Places, service: KnownService) -> bool:
    """Return whether a running console records one of the accounts of a service. Raise nothing."""
    return any(_is_held(recording_file(places, Identity(service, account).key)) for account, _ in service.accounts)


def _is_held(file: Path) -> bool:
    """Return whether a running console records in a file, or whether that is unknown."""
    lock = companions_of(file)[-1]
    if not lock.exists():
        return False
    try:
        held = hold(lock)
    except OSError:
        return True
    if held is None:
        return True
    os.close(held)
    return False


def files_of(places: Places, identity: Identity) -> tuple[Path, ...]:
    """Return all files that are kept for an identity, whether they exist or not."""
    kept = (places.state / f"{name}-{identity.key}.json" for name in ("episodes", "texts"))
    return (*companions_of(recording_file(places, identity.key)), *kept, notes_file(places, identity.service.key))


def _service(known: list[KnownService], address: str, epoch: str) -> KnownService | None:
    """Return the service with an epoch; without one, the one at an address whose epoch is not known either."""
    if epoch:
        by_epoch = next((service for service in known if epoch in service.epochs), None)
        if by_epoch is not None:
            return by_epoch
    return next((service for service in reversed(known) if service.address == address and not service.epochs), None)


def _service_of(entry: Mapping[str, Any]) -> KnownService | None:
    """Return a service as the index has it, None for anything else."""
    texts = [entry.get(name) for name in ("key", "address", "profile")]
    epochs, accounts = entry.get("epochs"), entry.get("accounts")
    if not all(isinstance(text, str) and text for text in texts) or not isinstance(accounts, list):
        return None
    key, address, profile = cast("list[str]", texts)
    if not key.isalnum():
        return None
    pairs: list[tuple[str, str]] = []
    for pair in cast("list[Any]", accounts):
        match pair:
            case [str(account), str(login)]:
                pairs.append((account, login))
            case _:
                pass
    named = [epoch for epoch in cast("list[Any]", epochs if isinstance(epochs, list) else []) if isinstance(epoch, str)]
    return KnownService(key, address, profile, tuple(named), tuple(pairs))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else _digest(text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
