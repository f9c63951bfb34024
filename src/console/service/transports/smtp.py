"""Mail by SMTP: one connection and one transaction per mail, with timeouts."""

from __future__ import annotations

import asyncio
import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate

import aiosmtplib

from console.service.domain.delivery_texts import LONGEST_TEXT, compose
from console.service.transports.message import DueMessage
from console.service.transports.options import Smtp, is_mail_address
from console.service.transports.transport import ATTEMPT_SECONDS, Failed, Rejected, Transport, one_line

COMMAND_SECONDS = 10.0
"""Timeout of the server for one answer."""
_START_TLS = {"implicit": False, "required": True, "auto": None, "off": False}


class MailTransport(Transport):
    """Sends mails by one server."""

    mechanisms = frozenset({"email"})
    name = "mail"

    def __init__(self, options: Smtp) -> None:
        super().__init__()
        self._options = options

    @property
    def words(self) -> str:
        """The server's address."""
        return self._options.words

    async def send(self, due: DueMessage) -> None:
        """Send one mail. Its Message-ID is derived from the delivery's id, so it is the same in every attempt."""
        message = self._written(due)
        try:
            async with asyncio.timeout(ATTEMPT_SECONDS):
                await self._sent(message, due.message.recipient)
        except aiosmtplib.SMTPRecipientsRefused as error:
            code, text = max((recipient.code, recipient.message) for recipient in error.recipients)
            raise _failure(code, text) from error
        except aiosmtplib.SMTPDataError as error:
            raise _failure(error.code, error.message) from error
        except TimeoutError as error:
            raise Failed(f"{self.words} did not answer in time", down=True) from error
        except aiosmtplib.SMTPResponseException as error:
            raise Failed(f"{self.words} answered {_said(error.code, error.message)}", down=True) from error
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            raise Failed(f"{self.words}: {one_line(error) or type(error).__name__}", down=True) from error

    async def _sent(self, message: EmailMessage, recipient: str) -> None:
        options = self._options
        client = aiosmtplib.SMTP(
            hostname=options.host,
            port=options.port,
            username=options.username or None,
            password=options.password or None,
            timeout=COMMAND_SECONDS,
            use_tls=options.tls == "implicit",
            start_tls=_START_TLS[options.tls],
            tls_context=ssl.create_default_context(cafile=options.ca or None),
        )
        try:
            await client.connect()
            await client.send_message(message, sender=options.sender, recipients=[recipient])
        finally:
            # The server has accepted the mail; errors at the end of the connection do not matter.
            client.close()

    def _written(self, due: DueMessage) -> EmailMessage:
        recipient = due.message.recipient
        if not is_mail_address(recipient):
            raise Rejected("the recipient is not a mail address")
        title, text = compose(due.message.kind, due.message.content, hide=False)
        message = EmailMessage()
        message["From"] = Address(addr_spec=self._options.sender)
        message["To"] = Address(addr_spec=recipient)
        message["Subject"] = subject = without_encoded_words(one_line(title))
        message["Date"] = formatdate(usegmt=True)
        message["Message-ID"] = f"<{due.id}@{self._options.sender.rpartition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content("\n".join(one_line(line, LONGEST_TEXT) for line in text.split("\n")))
        # Headers are parsed when they are set. Whatever the parser made of them, they say what was given.
        if str(message["Subject"]) != subject or str(message["To"]) != recipient:
            raise Rejected("the title or the recipient cannot be written into a header")
        return message


def without_encoded_words(text: str) -> str:
    """Return a text in which a header's parser decodes nothing (RFC 2047): it would decode line ends, too."""
    return text.replace("=?", "= ?")


def _failure(code: int, message: str) -> Exception:
    """Return the meaning of an answer about the message itself: 5xx is permanent, 4xx temporary (RFC 5321, 4.2.1)."""
    text = f"refused: {_said(code, message)}"
    return Rejected(text) if code >= 500 else Failed(text)


def _said(code: int, text: str) -> str:
    return one_line(f"{code} {text}")
