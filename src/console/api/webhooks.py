"""Signed webhooks, according to the Standard Webhooks specification.

Each request carries `webhook-id` (the same in every attempt), `webhook-timestamp` (seconds since the epoch) and
`webhook-signature`: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, with the shared secret.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

LEAST_SECRET = 16
"""Minimum length of a webhook's secret in bytes."""


def secret_of(content: bytes) -> bytes:
    """Return the secret of a text: `whsec_` and base64, or any text of 16 bytes or more.

    Raise ValueError with the error, without the secret.
    """
    secret = content.strip()
    if secret.startswith(b"whsec_"):
        try:
            secret = base64.b64decode(secret.removeprefix(b"whsec_"), validate=True)
        except binascii.Error:
            raise ValueError("the secret must be base64 after whsec_") from None
    if len(secret) < LEAST_SECRET:
        raise ValueError(f"the secret needs {LEAST_SECRET} bytes or more")
    return secret


def headers_of(key: str, timestamp: int, body: bytes, secret: bytes | None) -> dict[str, str]:
    """Return the headers of a request, unsigned without a secret. `key` consists of letters, digits and hyphens."""
    headers = {
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        "webhook-id": key,
        "webhook-timestamp": str(timestamp),
    }
    if secret is not None:
        signed = f"{key}.{timestamp}.".encode() + body
        signature = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        headers["webhook-signature"] = f"v1,{signature}"
    return headers
