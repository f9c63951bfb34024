"""From an address and an account to a profile that works: the steps of `console setup`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from console.api.annotations import Variant
from console.api.catalogue import catalogue
from console.api.errors import ApiError, BadCertificate
from console.api.operations.people import GetCurrentUser
from console.base.frozen import Frozen, replace
from console.cli.connection import endpoint_of, make_client, run_async
from console.cli.error_reports import describe
from console.cli.exits import Exit, Failure
from console.cli.profiles.credentials import from_command, keep_password
from console.cli.profiles.probing import (
    Reached,
    addresses,
    events_beside,
    find_core,
    find_events,
    find_prefix,
    find_presentation,
    find_provisioning,
    find_variant,
    visible,
)
from console.cli.profiles.questions import Interview
from console.client.client import Client
from console.client.explaining import is_refused_password, reasons_of_refused_login
from console.config import settings
from console.config.paths import expanded
from console.config.reader import load_config
from console.config.schema import Config, Profile
from console.config.toml_source import ConfigFault
from console.config.writer import save_profile

_KINDS = ("calls", "conferences", "alerts", "agents", "chats", "groups", "users")
"""The lists that are tried with the new profile."""
_CHOICES = {"r": "try again", "a": "another address", "s": "add a setting", "w": "write it unchecked", "q": "quit"}
"""Choices after a failed step, by letter."""
_LOGIN_CHOICES = {"r": "try again", "u": "another user", **_CHOICES}
"""Choices after a failed login."""


class GivenUp(Exception):
    """A step failed, and cannot be repeated without another answer. The message has been printed."""

    def __init__(self, code: Exit) -> None:
        super().__init__()
        self.code = code


def setting(text: str) -> dict[str, Any]:
    """Parse `key = value`. Raise Failure if it is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Failure(Exit.USAGE, f"{text!r} is not a line of a configuration file: {error}") from None


def merged(values: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with others added, also to tables such as `states`."""
    together = dict(values)
    for key, value in more.items():
        known = together.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            together[key] = merged(cast("dict[str, Any]", known), cast("dict[str, Any]", value))
        else:
            together[key] = value
    return together


class WrittenProfile(Frozen):
    """The profile that was written, and its account."""

    config: Config
    name: str
    username: str
    password: str
    verified: bool
    """Whether the login worked."""

    def __repr__(self) -> str:
        """Omit the password."""
        return f"WrittenProfile({self.name!r}, {self.username!r})"


class Setup:
    """The answers so far, as the keys of a profile."""

    def __init__(self, interview: Interview, values: dict[str, Any], file: Path, unchecked: bool) -> None:
        self._ask = interview
        self._values = values
        self._file = file
        self._unchecked = unchecked
        self._password = ""
        self._verified = True

    def run(self) -> WrittenProfile:
        """Ask, search, log in, and write. Raise GivenUp if a step fails, ConfigFault for an invalid setting."""
        settings.read(Profile, {"core": "https://x.invalid", **self._values})
        self._files()
        self._find_service()
        self._log_in()
        name = self._write()
        config = load_config(self._file, os.environ)
        username = str(self._values.get("username", ""))
        return WrittenProfile(config, name, username, self._password, self._verified)

    # -- the service -------------------------------------------------------------------------------------------

    def _files(self) -> None:
        for key, option in (("routes", "routes"), ("tls_ca", "tls-ca")):
            file = self._ask.given(option)
            if file:
                self._values[key] = str(expanded(Path(file)).absolute())

    def _find_service(self) -> None:
        """Ask for the address until a service answers there."""
        text = self._ask.text("url", "Address of the service (such as voice.example or https://voice.example/core)")
        while True:
            reached = self._search(text)
            if reached is not None and reached.base is not None:
                self._ask.say(reached.best_answer.words)
                self._ask.say(f"Core service: {reached.base}", good=True)
                if not self._is_accepted(reached.base, text):
                    raise GivenUp(Exit.CONNECTION)
                self._values["core"] = reached.base
                return
            if reached is not None and self._explained(reached):
                continue
            text = self._after_failure(Exit.CONNECTION) or text
            if "core" in self._values:
                return

    def _is_accepted(self, base: str, text: str) -> bool:
        """Return whether a password may be sent there. Whoever blocks TLS must not get it without a word."""
        if base.startswith("https:") or is_here(base):
            return True
        self._ask.say("The connection is not encrypted: the password can be read on the way.", good=False)
        if text.startswith("http://"):
            return True
        if self._ask.interactive:
            return self._ask.yes("unencrypted", "Go on without encryption?", default=False)
        self._ask.say("Name the address with http:// to go on without encryption.")
        return False

    def _explained(self, reached: Reached) -> bool:
        """Say what came instead of the service. Return whether a file was named that may mend it."""
        best_answer = reached.best_answer
        self._ask.say(best_answer.words, good=False)
        if len(reached.tried) > 1:
            self._ask.say(f"{len(reached.tried)} addresses were tried, the last: {reached.tried[-1].request}")
        for reason in best_answer.reasons():
            self._ask.say(f"perhaps {reason}")
        if isinstance(best_answer.error, BadCertificate) and "tls_ca" not in self._values:
            return self._file_of("tls_ca", "File of the authority to trust (Enter for none)")
        if best_answer.error is None and not best_answer.is_page and "routes" not in self._values:
            return self._file_of("routes", "Routes file with the paths of the deployment (Enter for none)")
        return False

    def _search(self, text: str) -> Reached | None:
        """Look for the service; None after saying what is wrong with an answer or a file that it names."""
        try:
            return run_async(lambda: find_core(self._endpoint(text), text))
        except (ConfigFault, OSError, ValueError) as error:
            self._ask.say(str(error), good=False)
        for key in ("routes", "tls_ca"):
            self._values.pop(key, None)
        return None

    def _file_of(self, key: str, question: str) -> bool:
        file = self._ask.text(key, question, "") if self._ask.interactive else ""
        if file:
            self._values[key] = str(expanded(Path(file)).absolute())
        return bool(file)

    def _after_failure(self, code: Exit, choices: Mapping[str, str] = _CHOICES) -> str:
        """Let a person change an answer. Return another address, or an empty text to try again."""
        if not self._ask.interactive and not self._unchecked:
            raise GivenUp(code)
        chosen = "w" if not self._ask.interactive else self._ask.choice("What now?", choices, "r")
        if chosen == "q":
            raise GivenUp(code)
        if chosen == "a":
            self._ask.forget("url")
            return self._ask.text("url", "Address of the service")
        if chosen == "s":
            self._more_settings()
        if chosen in {"u", "w"}:
            self._password = ""
        if chosen == "u":
            self._ask.forget("username")
            self._values.pop("username", None)
        if chosen == "w":
            self._verified = False
            self._values.setdefault("core", addresses(self._ask.text("url", "Address of the service"))[0])
        return ""

    def _more_settings(self) -> None:
        """Read lines of the configuration until an empty one."""
        question = "key = value, as in the configuration file (Enter to go on)"
        while text := self._ask.text("", question, ""):
            try:
                together = merged(self._values, setting(text))
                settings.read(Profile, {"core": "https://x.invalid", **together})
            except Failure as failure:
                self._ask.say(failure.message, good=False)
            except ConfigFault as fault:
                for problem in fault.problems:
                    self._ask.say(str(problem), good=False)
            else:
                self._values = together

    def _profile(self) -> Profile:
        return settings.read(Profile, self._values)

    def _endpoint(self, address: str) -> Any:
        return endpoint_of(settings.read(Profile, {**self._values, "core": addresses(address)[0]}))

    # -- the login -------------------------------------------------------------------------------------------------

    def _log_in(self) -> None:
        """Ask for the account until the service accepts it; then look at what the user may see."""
        while self._verified:
            if not (self._password or self._profile().login.alone):
                self._ask_for_account()
            try:
                run_async(self._look)
            except ApiError as error:
                self._say_refusal(error)
                if is_refused_password(error):
                    self._password = ""
                self._after_failure(_code_of(error), _LOGIN_CHOICES if is_refused_password(error) else _CHOICES)
            else:
                return

    def _ask_for_account(self) -> None:
        if self._ask.given("username") or not self._values.get("username"):
            self._values["username"] = self._ask.text("username", "User name")
        self._password = self._source_of_password()

    def _source_of_password(self) -> str:
        command = self._profile().password_command
        if command:
            return from_command("password_command", command)
        if os.environ.get("CONSOLE_PASSWORD"):
            return os.environ["CONSOLE_PASSWORD"]
        return self._ask.secret("password", f"Password of {self._values['username']}")

    async def _look(self) -> None:
        # Nothing is changed while looking; the read-only client guarantees it.
        client = make_client(replace(endpoint_of(self._profile()), read_only=True))
        try:
            await client.sessions.log_in(self._values.get("username", ""), self._password)
            self._ask.say(f"Logged in{f' as {name}' if (name := self._values.get('username')) else ''}", good=True)
            is_known = await self._find_prefix(client)
            await self._find_presentation(client)
            variant = await find_variant(client) if "variant" not in self._values else None
            if variant is not None:
                if variant is not Variant.LATER:
                    self._values["variant"] = variant.value
                self._ask.say(f"Variant of the API: {variant}", good=True)
            await self._find_provisioning(client)
            await self._find_events(client)
            seen = await visible(client, _KINDS)
            for kind, text in seen:
                self._ask.say(f"{kind}: {text}", good=text.rstrip("+").isdigit())
            if not is_known and not any(text.rstrip("+").isdigit() for _, text in seen):
                await client.send(GetCurrentUser())
        finally:
            await client.sessions.log_out()
            await client.close()

    async def _find_prefix(self, client: Client) -> bool:
        """Return whether the path of the service is known, now that a gateway lets requests pass."""
        prefix = await find_prefix(client)
        if prefix not in {None, self._values["core"].rstrip("/")}:
            self._values["core"] = prefix
            self._ask.say(f"Core service: {prefix}, as requests with a login show", good=True)
        return prefix is not None

    async def _find_presentation(self, client: Client) -> None:
        if "present" in self._values:
            return
        presentation = await find_presentation(client)
        if presentation is None:
            self._ask.say("The service refuses the token in every way that was tried: set present", good=False)
        elif presentation != "bearer":
            self._values |= setting(f"present = {presentation}")
        if presentation is not None:
            self._ask.say(f"The token is sent as {presentation}", good=True)

    async def _find_provisioning(self, client: Client) -> None:
        if "provisioning" in self._values:
            return
        reached = await find_provisioning(client.endpoint)
        if reached.base is None:
            self._ask.say("No provisioning service found: set provisioning if there is one")
            return
        self._values["provisioning"] = reached.base
        if "variant" in self._values:
            self._values["provisioning_variant"] = self._values["variant"]
        client.endpoint = replace(client.endpoint, provisioning=reached.base)
        self._ask.say(f"Provisioning service: {reached.base}", good=True)

    async def _find_events(self, client: Client) -> None:
        if "events" in self._values or "channel" in self._values:
            return
        address, text = await find_events(client)
        if address is None:
            self._values["events"] = "off"
            self._ask.say(f"No event channel: lists are polled. {text}")
            return
        if address != events_beside(self._values["core"]):
            self._values["events"] = address
        self._ask.say(f"Event channel: {text}", good=True)

    def _say_refusal(self, error: ApiError) -> None:
        request = catalogue().get(error.operation)
        route = "" if request is None else self._route_words(request.operation)
        described = describe(error)
        lines = described[1] if described is not None else [error.in_full]
        self._ask.say(f"{route}{lines[0]}", good=False)
        if error.answer and error.advice is not None:
            self._ask.say(error.answer)
        for reason in reasons_of_refused_login(error):
            self._ask.say(f"perhaps {reason}")

    def _route_words(self, operation: Any) -> str:
        endpoint = endpoint_of(self._profile())
        route = endpoint.route(operation)
        return f"{route.method} {endpoint.base(operation.service) or ''}{route.template}: "

    # -- the file ------------------------------------------------------------------------------------------------------

    def _write(self) -> str:
        """Ask for the name and write the profile. Return the name."""
        existing = load_config(self._file, os.environ).profiles if self._file.exists() else {}
        suggested = _name_of(self._values["core"], existing)
        name = self._ask.text("name", "Name of the profile", suggested)
        while name in existing and not self._ask.yes("replace", f"Replace the profile {name}?", default=True):
            self._ask.forget("name")
            name = self._ask.text("name", "Name of the profile", suggested)
        read_only = self._ask.yes("read-only", "Read-only: refuse all changes with this profile?", default=False)
        if read_only:
            self._values["read_only"] = True
        self._keep_password(name)
        self._profile()
        fault = save_profile(self._file, name, self._values)
        if fault:
            raise Failure(Exit.FAILED, fault)
        self._ask.say(f"Profile {name} written to {self._file}", good=True)
        return name

    def _keep_password(self, name: str) -> None:
        if not self._password or self._values.get("password_command") or os.environ.get("CONSOLE_PASSWORD"):
            return
        if self._ask.yes("keyring", "Store the password in the keyring of this system?", default=True):
            reason = keep_password(name, self._values["username"], self._password)
            if reason is not None:
                self._ask.say(f"Not stored: {reason}. The console will ask for it; or set password_command.")


def _name_of(core: str, existing: Mapping[str, Any]) -> str:
    """Return a name for a profile: the first part of the host that says something."""
    host = urlsplit(core).hostname or ""
    parts = [part for part in host.split(".") if part not in {"www", "api", "voice"} and not part.isdigit()]
    name = parts[0] if parts else "main"
    return next(
        part for number in range(1, 1000) if (part := name + (str(number) if number > 1 else "")) not in existing
    )


def is_here(url: str) -> bool:
    """Return whether a URL is of this machine."""
    return urlsplit(url).hostname in {"127.0.0.1", "localhost", "::1"}


def _code_of(error: ApiError) -> Exit:
    described = describe(error)
    return described[0] if described is not None else Exit.FAILED
