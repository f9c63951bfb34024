"""Transports of `console serve`, from its options and the environment. Secrets are never arguments."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from console.cli.exits import Exit, Failure
from console.config.paths import read_private
from console.service.transports.options import Smtp, Webhook, smtp_of, webhook_of

SMTP, SMTP_PASSWORD = "CONSOLE_SMTP", "CONSOLE_SMTP_PASSWORD"
WEBHOOK, WEBHOOK_SECRET = "CONSOLE_WEBHOOK", "CONSOLE_WEBHOOK_SECRET"
DATABASE, DATABASE_PASSWORD = "CONSOLE_DATABASE", "CONSOLE_DATABASE_PASSWORD"
VARIABLES = (SMTP, SMTP_PASSWORD, WEBHOOK, WEBHOOK_SECRET, DATABASE, DATABASE_PASSWORD)
"""Environment variables of the service. A demo runs without them: it sends nothing, and its data is in memory."""


def mail(url: str | None, sender: str | None, password_file: Path | None, environ: Mapping[str, str]) -> Smtp | None:
    """Return the mail server, or None. Raise Failure with the error."""
    name = "--smtp" if url else SMTP
    url = url or environ.get(SMTP)
    if not url:
        if sender or password_file:
            raise Failure(Exit.USAGE, "--mail-from and --smtp-password-file need --smtp")
        return None
    password = environ.get(SMTP_PASSWORD)
    if password_file is not None:
        password = password_in("--smtp-password-file", password_file)
    try:
        return smtp_of(url, password, sender)
    except ValueError as error:
        raise Failure(Exit.USAGE, f"{name}: {error}") from None


def hook(url: str | None, secret_file: Path | None, environ: Mapping[str, str]) -> Webhook | None:
    """Return the receiver of webhooks, or None. Raise Failure with the error."""
    name = "--webhook" if url else WEBHOOK
    url = url or environ.get(WEBHOOK)
    if not url:
        if secret_file:
            raise Failure(Exit.USAGE, "--webhook-secret-file needs --webhook")
        return None
    secret = environ.get(WEBHOOK_SECRET, "").encode("utf-8", "surrogateescape")
    if secret_file is not None:
        secret = _secret("--webhook-secret-file", secret_file)
    if not secret:
        raise Failure(Exit.USAGE, f"{name}: set its secret with --webhook-secret-file or {WEBHOOK_SECRET}")
    try:
        return webhook_of(url, secret)
    except ValueError as error:
        raise Failure(Exit.USAGE, f"{name}: {error}") from None


def password_in(option: str, file: Path) -> str:
    """Return the password in the file of an option, without the end of its line. Raise Failure with the error."""
    return _secret(option, file).decode("utf-8", "replace").rstrip("\r\n")


def _secret(option: str, file: Path) -> bytes:
    try:
        return read_private(file)
    except OSError as error:
        raise Failure(Exit.USAGE, f"{option} {file}: {error.strerror}") from None
