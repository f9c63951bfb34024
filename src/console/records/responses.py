"""Answers that are not a record of their own: acknowledgements and pages (contract 1.7, 2.1, 7)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic, TypeVar, cast

from pydantic import BeforeValidator, Field

from console.records.record import Record

Item = TypeVar("Item")


class Acknowledgement(Record):
    """That something was done: an object, a bare string, or nothing at all, whatever the service sends."""

    code: int | None = None
    message: str | None = None

    @classmethod
    def _prepared(cls, data: Any) -> Any:
        if data is None:
            return {}
        return {"message": data} if isinstance(data, str) else data


def _as_text(value: Any) -> Any:
    """Take a number for the text that it was before it was read as JSON."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


BareText = Annotated[str, BeforeValidator(_as_text)]
"""An answer that is a string and no more; one without quotes may look like a number."""


class PageMeta(Record):
    """Where a page stands in its list (contract 2.1). `next` and `previous` are opaque cursors."""

    total: int | None = None
    max_size: int | None = None
    next: str | None = None
    previous: str | None = None


class PageMetas(Record):
    """The wrapper that the contract puts around the page's position (contract 2.1)."""

    page: PageMeta = Field(default_factory=PageMeta)


class Page(Record, Generic[Item]):
    """One page of a paginated list (contract 2.1). A plain list is read as a page without a next one."""

    rows_field: ClassVar[str] = "data"

    data: tuple[Item, ...] = ()
    meta: PageMetas = Field(default_factory=PageMetas)

    @classmethod
    def _prepared(cls, data: Any) -> Any:
        return {"data": cast(object, data)} if isinstance(data, list) else data
