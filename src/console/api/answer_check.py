"""Parse answers, and decide whether a body is what an operation returns.

A success status proves little: portals, login pages and proxies answer 200 to everything. The body decides, and the
content type only if the body is ambiguous: a service may send JSON with a wrong content type, and a login page may
claim to be JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, cast, get_args, get_origin

from console.api.bodies import load
from console.records.bounded import LARGEST_TEXT, bounded_row
from console.records.fields import resolved_fields
from console.records.raw import are_positions, array_of, every_field, fields, parse, parse_text, rows
from console.records.record import Record, reading
from console.records.responses import Acknowledgement, Page, PageMetas
from console.records.structured import shape_of


class AnswerForm(Enum):
    """The form of an answer, as far as its first bytes show it."""

    ACKNOWLEDGEMENT = "an acknowledgement"
    """A confirmation: a bare word, nothing, a JSON string or an object."""
    TEXT = "a text"
    """A single string."""
    OBJECT = "an object"
    LIST = "a list"


class PagedTuple(tuple[Any, ...]):
    """The rows of an answer that is a list, if the deployment sends it in pages."""

    meta: PageMetas


class NotTheAnswer(ValueError):
    """The body is not what the operation returns. The message says what it is."""


LONGEST_TEXT = 300
"""Most characters of an answer that is a string; longer ones are pages of text."""
LARGEST_OBJECT = 4 * 1024 * 1024
"""Most bytes of an answer that is parsed as a whole, not as a list of records."""
MOST_PARTS = 300_000
"""Most values in such an answer: each takes about a hundred bytes when parsed."""
MOST_ROWS = 50_000
"""Most rows of a list."""
_HEAD = 4_096
"""Bytes that are examined to distinguish JSON from a page."""
_DONE = frozenset(
    (
        *("ok", "okay", "done", "true", "no content", "created", "deleted", "updated", "accepted", "added", "removed"),
        *("sent", "saved", "started", "stopped", "registered", "transferred", "completed"),
        *("success", "successful", "succeeded"),
    )
)
"""Bare words that confirm a change. Any other bare text may come from anywhere."""
_MARKUP = re.compile(r"<\s*(?:!doctype|!--|\?xml|/?[a-z][a-z0-9-]*[\s/>])", re.IGNORECASE)
_LITERALS = ("true", "false", "null", "nan")
_VALUE = re.compile(r"[\w.@:+#*%~/-]+")
"""A value without quotes: a name or a number at a gateway."""


def form_of(answer_type: Any) -> AnswerForm:
    """Return the form of a declared answer."""
    if get_origin(answer_type) is tuple:
        return AnswerForm.LIST
    if isinstance(answer_type, type) and issubclass(answer_type, Record):
        return AnswerForm.ACKNOWLEDGEMENT if issubclass(answer_type, Acknowledgement) else AnswerForm.OBJECT
    return AnswerForm.TEXT


def is_foreign(form: AnswerForm, body: bytes, media: str = "") -> bool:
    """Return whether a body cannot be the service's answer to an operation of this form, by its first bytes.

    `media` is the content type, empty if unknown. JSON and blank bodies are never foreign, but may have a wrong format.
    """
    text = body[:_HEAD].decode("utf-8", errors="replace").lstrip("\ufeff \t\r\n").rstrip()
    if not text or text[0] in '{["' or text.lower() in _LITERALS:
        return False
    if form is AnswerForm.TEXT:
        return "html" in media or len(text) > LONGEST_TEXT or _VALUE.fullmatch(text) is None
    is_number = text[0].isdigit() or text[0] == "-"
    return not (is_number or (form is AnswerForm.ACKNOWLEDGEMENT and is_done(text)))


def read_answer(answer_type: Any, body: bytes, unwrap: str | None) -> Any:
    """Parse an answer to its type; invalid parts of records are tolerated.

    Raise ValueError if the body is not JSON, NotTheAnswer if it is not what the operation returns.
    """
    form = form_of(answer_type)
    if is_foreign(form, body):
        raise NotTheAnswer("the answer is a page or a text, not JSON")
    if form is AnswerForm.LIST:
        kind, came = get_args(answer_type)[0], listed_rows(body, unwrap)
        if isinstance(kind, type) and issubclass(kind, Record):
            records = _read_rows(kind, came)
            return _with_meta(records, body) if body.lstrip()[:1] == b"{" else records
        return _checked(answer_type, [load(row, parse_text) for row in came])
    if isinstance(answer_type, type) and issubclass(answer_type, Page):
        return _read_page(cast("type[Page[Any]]", answer_type), body)
    check_size(body)
    data = fitting(form, load(body, parse_text), unwrap, quoted=body.lstrip()[:1] == b'"')
    answer = _checked(answer_type, data)
    if form is AnswerForm.OBJECT:
        check_object(answer, data)
    return answer


def empty_answer(answer_type: Any) -> Any:
    """Return the answer of a change that was confirmed without content (204)."""
    return () if form_of(answer_type) is AnswerForm.LIST else _checked(answer_type, None)


def _checked(answer_type: Any, data: Any) -> Any:
    kind: object = answer_type
    if isinstance(kind, type) and issubclass(kind, Record):
        return kind.model_validate(data)
    # Needs pydantic: 60 ms, which answers with records do without.
    from console.records.model import adapter_of

    return adapter_of(answer_type).validate_python(data)


def _read_rows(kind: type[Record], came: Sequence[bytes]) -> tuple[Record, ...]:
    """Parse the rows of a list as lazy records."""
    wire, read = kind.key_wire(), cast("Callable[[bytes, str | None], Record]", reading(kind))
    return tuple(read(row if len(row) <= LARGEST_TEXT else bounded_row(row, wire, None), None) for row in came)


def _read_page(page: type[Page[Any]], body: bytes) -> Page[Any]:
    """Parse a page, or a plain list as a page without a next one."""
    rows = _read_rows(page.row, listed_rows(body, None))
    return page.model_construct(data=rows, meta=_meta_of(body) or PageMetas())


def _with_meta(rows: tuple[Record, ...], body: bytes) -> tuple[Record, ...]:
    """Return the rows with the position of their page, if the answer has it."""
    meta = _meta_of(body)
    if meta is None:
        return rows
    paged = PagedTuple(rows)
    paged.meta = meta
    return paged


def _meta_of(body: bytes) -> PageMetas | None:
    body = body.lstrip()
    meta = fields(body, ("meta",)).get("meta") if body[:1] == b"{" else None
    return PageMetas.model_validate(parse(bytes(meta)) or {}) if meta is not None else None


def check_size(body: bytes) -> None:
    """Raise NotTheAnswer for a body that is too large to be parsed as a whole."""
    if len(body) > LARGEST_OBJECT:
        raise NotTheAnswer(f"the answer is too large: {len(body) / 1024 / 1024:.1f} MiB")
    if len(body) > MOST_PARTS and sum(map(body.count, (b",", b"[", b"{"))) > MOST_PARTS:
        raise NotTheAnswer(f"the answer is too large: it has more than {MOST_PARTS:,} values")


def listed_rows(body: bytes, unwrap: str | None) -> list[bytes]:
    """Return the unparsed rows of an answer that is a list. Raise NotTheAnswer for anything else."""
    body = body.strip()
    if body[:1] == b"{":
        names = (unwrap, "data") if unwrap is not None else ("data",)
        members = fields(body, names)
        name = next((candidate for candidate in names if candidate in members), None)
        if name is None:
            raise NotTheAnswer("the answer is an object without a list")
        body = bytes(members[name]).strip()
        if body[:1] == b"{" and are_positions(table := every_field(body)):
            body = array_of(table.values())
    if body[:1] != b"[":
        raise NotTheAnswer("the answer is empty, not a list" if body in {b"", b"null"} else "the answer is not a list")
    cut = rows(body, MOST_ROWS)
    if len(cut) > MOST_ROWS:
        raise NotTheAnswer(f"the answer is too large: it has more than {MOST_ROWS:,} rows")
    return [bytes(row) for row in cut]


def is_done(text: str) -> bool:
    """Return whether a bare text is a word that confirms a change."""
    return " ".join(text.strip(" .!").lower().split()) in _DONE


def fitting(form: AnswerForm, data: Any, unwrap: str | None, *, quoted: bool) -> Any:
    """Return the content of an answer that is not a list, without its wrapper.

    `quoted` tells whether a text was a JSON string. Raise NotTheAnswer for another form than the declared one.
    """
    match form:
        case AnswerForm.ACKNOWLEDGEMENT:
            return _acknowledgement(data, quoted)
        case AnswerForm.TEXT:
            return as_sent(_text("" if data is None else data))
        case _:
            came = cast("Mapping[str, Any]", data) if isinstance(data, Mapping) else None
            inner = cast(object, data if came is None or unwrap is None else came.get(unwrap, came))
            if not isinstance(inner, Mapping | list):
                raise NotTheAnswer(f"the answer is {kind_of(inner)}, not an object")
            return cast(Any, inner)


def check_object(answer: object, data: object) -> None:
    """Raise NotTheAnswer for an object without any declared field, or a page without rows."""
    if not isinstance(answer, Record) or not isinstance(data, Mapping | list):
        return
    kind = type(answer)
    if isinstance(data, list):
        if "" not in answer.faults:
            return
        raise NotTheAnswer("the answer is a list, not an object")
    came = cast("Mapping[str, Any]", kind.prepared(data))
    if kind.rows_field and not isinstance(came.get(kind.rows_field), list):
        raise NotTheAnswer(f"the answer is an object without a list in {kind.rows_field!r}")
    if came and not shape_of(kind).names.keys() & came.keys():
        raise NotTheAnswer(f"the answer has none of the fields of {kind.__name__}, only {_some(came)}")
    if not came and kind.key_field:
        raise NotTheAnswer("the answer is an empty object")
    for name in _lists(kind):
        if name in answer.faults:
            raise NotTheAnswer(f"the answer has no list in {name!r}")


@cache
def _lists(kind: type[Record]) -> frozenset[str]:
    """Return the wire names of the fields with lists of records."""
    return frozenset(
        field.wire
        for field in resolved_fields(kind).values()
        if get_origin(field.annotation) is tuple
        and isinstance(get_args(field.annotation)[0], type)
        and issubclass(get_args(field.annotation)[0], Record)
    )


def _acknowledgement(data: Any, quoted: bool) -> Any:
    if data is None or data is True or isinstance(data, Mapping):
        return {} if data is True else cast(object, data)
    if isinstance(data, str) and (is_done(data) or quoted):
        return _text(data)
    raise NotTheAnswer(f"the answer is {kind_of(data)}, which acknowledges nothing")


def _text(data: Any) -> Any:
    if isinstance(data, str) and (len(data) > LONGEST_TEXT or "\n" in data.strip() or _MARKUP.search(data)):
        raise NotTheAnswer("the answer is a page of text, not a string")
    if isinstance(data, Mapping | list):
        raise NotTheAnswer(f"the answer is {kind_of(cast(object, data))}, not a string")
    return data


def as_sent(data: Any) -> Any:
    """Return a number as the text that it was: without quotes, a text may look like a number."""
    return str(data) if isinstance(data, int | float) and not isinstance(data, bool) else data


def kind_of(value: object) -> str:
    """Return the name of a JSON value's type."""
    return _KINDS.get(type(value).__name__, "something else")


_KINDS = {
    "NoneType": "empty",
    "bool": "true or false",
    "str": "a text",
    "int": "a number",
    "float": "a number",
    "list": "a list",
    "dict": "an object",
}


def _some(came: Mapping[str, Any]) -> str:
    return ", ".join(str(name)[:40] for name in list(came)[:6]) + (", …" if len(came) > 6 else "")
