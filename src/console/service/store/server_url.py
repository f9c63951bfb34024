"""The URL of a PostgreSQL database, such as postgresql://service@db.example/desk."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import exc as faults


def parse_url(text: str) -> sa.URL:
    """Return the parts of a URL. Raise ValueError with the error, which never contains the URL: it may be secret."""
    try:
        url = sa.make_url(text)
    except (faults.ArgumentError, ValueError):
        raise ValueError("is not a database URL, such as postgresql://service@db.example/desk") from None
    if url.drivername not in {"postgresql", "postgres"}:
        raise ValueError(f"only postgresql:// is supported, not {url.drivername}://")
    return url


def has_password(text: str) -> bool:
    """Return whether a URL contains a password. Raise ValueError as `parse_url`."""
    url = parse_url(text)
    return url.password is not None or "password" in url.query


def with_password(text: str, password: str) -> str:
    """Return a URL with a password. Raise ValueError as `parse_url`."""
    return parse_url(text).set(password=password).render_as_string(hide_password=False)
