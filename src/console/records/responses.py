"""Answers that are not records: acknowledgements and pages (contract 1.7, 2.1, 7)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from console.records.fields import StructuredType, field
from console.records.record import Record

Item = TypeVar("Item")


class Acknowledgement(Record):
    """A confirmation, which services send as an object, a bare string, or nothing."""

    code: int | None = None
    message: str | None = None

    @classmethod
    def prepared(cls, data: Any) -> Any:
        """Accept a bare text, and nothing."""
        if data is None:
            return {}
        return {"message": data} if isinstance(data, str) else data


class PageMeta(Record):
    """Position of a page in its list (contract 2.1). `next` and `previous` are opaque cursors."""

    total: int | None = None
    max_size: int | None = None
    next: str | None = None
    previous: str | None = None


class PageMetas(Record):
    """The contract's wrapper of the page's position (contract 2.1)."""

    page: PageMeta = field(default_factory=PageMeta)


class Page(Record, Generic[Item]):
    """One page of a paginated list (contract 2.1). A plain list is parsed as a page without a next one."""

    rows_field: ClassVar[str] = "data"
    row: ClassVar[type[Record]] = Record
    """The class of its rows."""

    data: tuple[Item, ...] = ()
    meta: PageMetas = field(default_factory=PageMetas)

    if not TYPE_CHECKING:

        @classmethod
        @cache
        def __class_getitem__(cls, row: type[Record]) -> type[Page[Any]]:
            """Return the class of pages with these rows."""
            members = {"__module__": __name__, "__doc__": cls.__doc__, "row": row, "data": ()}
            return StructuredType(
                f"Page[{row.__name__}]", (cls,), {**members, "__annotations__": {"data": tuple[row, ...]}}
            )

    @classmethod
    def prepared(cls, data: Any) -> Any:
        """Accept a plain list."""
        return {"data": cast(object, data)} if isinstance(data, list) else data
