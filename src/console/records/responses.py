"""Answers that are not records: acknowledgements and pages (contract 1.7, 2.1, 7)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic, TypeVar, cast

from pydantic import BeforeValidator, Field

from console.records.record import Record

Item = TypeVar("Item")


class Acknowledgement(Record):
    """A confirmation, which services send as an object, a bare string, or nothing."""

    code: int | None = None
    message: str | None = None

    @classmethod
    def _prepared(cls, data: Any) -> Any:
        if data is None:
            return {}
        return {"message": data} if isinstance(data, str) else data


def _as_text(value: Any) -> Any:
    """Convert a number back to the text that was parsed as JSON."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


BareText = Annotated[str, BeforeValidator(_as_text)]
"""An answer that is only a string; without quotes, it may look like a number."""


class PageMeta(Record):
    """Position of a page in its list (contract 2.1). `next` and `previous` are opaque cursors."""

    total: int | None = None
    max_size: int | None = None
    next: str | None = None
    previous: str | None = None


class PageMetas(Record):
    """The contract's wrapper of the page's position (contract 2.1)."""

    page: PageMeta = Field(default_factory=PageMeta)


class Page(Record, Generic[Item]):
    """One page of a paginated list (contract 2.1). A plain list is parsed as a page without a next one."""

    rows_field: ClassVar[str] = "data"

    data: tuple[Item, ...] = ()
    meta: PageMetas = Field(default_factory=PageMetas)

    @classmethod
    def _prepared(cls, data: Any) -> Any:
        return {"data": cast(object, data)} if isinstance(data, list) else data
