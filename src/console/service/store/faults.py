"""Errors of the database."""

from __future__ import annotations


class DatabaseFault(Exception):
    """The database cannot be used; the message contains the reason and a remedy."""


class TextTooLong(Exception):
    """A text is too long for an index of the database. The transaction is rolled back."""


class StorageFault(Exception):
    """The database could not be read or written, for example on a full disk. The transaction is rolled back."""


class OutcomeUnknown(StorageFault):
    """The connection was lost during the commit: the transaction is either committed or rolled back."""
