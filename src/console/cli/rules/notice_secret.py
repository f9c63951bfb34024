"""The environment of programs for notices, and the secret of the webhook."""

from __future__ import annotations

from collections.abc import Mapping

from console.api.webhooks import secret_of
from console.cli.exits import Failure
from console.cli.profiles.credentials import notice_secret, without_password
from console.config.notice_settings import NoticeSettings
from console.notices.outside import Outside


def outside_of(settings: NoticeSettings, environ: Mapping[str, str]) -> Outside:
    """Return what the ways need. The secret is read when the first notice is posted: the keyring is slow."""

    def secret() -> bytes | None:
        command = settings.webhook.secret_command if settings.webhook is not None else ()
        try:
            text = notice_secret(command, environ)
        except Failure as failure:
            raise ValueError(failure.message) from failure
        return None if text is None else secret_of(text.encode("utf-8", "surrogateescape"))

    return Outside(without_password(environ), secret)
