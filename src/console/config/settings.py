"""Parts of the configuration as values, read from TOML with all errors at once.

pydantic would do it too, but its import takes a quarter of the time to the first frame.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Meta
from msgspec.structs import FieldInfo

from console.base.frozen import Frozen
from console.config.toml_source import ConfigFault, FileProblem, Place, key_of, read_toml

__all__ = [
    "Checked",
    "Meta",
    "SettingEntry",
    "Settings",
    "Spelled",
    "builtins_of",
    "entries",
    "nearest",
    "read",
    "read_file",
    "read_value",
    "schema",
]  # fmt: skip

S = TypeVar("S", bound="Settings")


class Settings(Frozen, forbid_unknown_fields=True):
    """A part of the configuration. Unknown keys are errors, because they are mostly typing errors."""

    declined: ClassVar[Mapping[str, str]] = {}
    """Keys that are expected but do not exist: what to do instead, as a sentence without the key."""
    several: ClassVar[Mapping[str, str]] = {}
    """Keys that may have a list, and the keys for all of its entries but the first."""

    def faults(self) -> Iterator[tuple[str, str]]:
        """Yield errors between several values: the key concerned, and a sentence without it."""
        yield from ()


class Checked(Frozen):
    """Marks a field with a check beyond its type."""

    by: Callable[[Any], Any]
    """Returns the value to use. Raises ValueError with a sentence that follows the key."""


class Spelled(Frozen):
    """Marks a field with a short form."""

    by: Callable[[Any], Any]
    """Returns the value in the long form. Raises ValueError as `Checked`."""


Report = Callable[[Place, str], Any]
"""Called with each error: a sentence without the key and the value, which may be a misplaced secret."""


def _nowhere(place: Place, text: str) -> FileProblem:
    return FileProblem(None, 0, key_of(place), text)


def read(kind: type[S], data: Mapping[str, Any], problem: Callable[[Place, str], FileProblem] = _nowhere) -> S:
    """Build settings from data. Raise ConfigFault with all errors; `problem` adds file and line to one."""
    problems: list[FileProblem] = []
    part = _ValueReader(lambda place, text: problems.append(problem(place, text))).part(kind, data, ())
    if part is None or problems:
        raise ConfigFault(sorted(problems, key=lambda file_problem: (str(file_problem.file or ""), file_problem.line)))
    return part


def read_file(kind: type[S], file: Path) -> S:
    """Build settings from a TOML file. Raise ConfigFault with all errors and their lines."""
    source = read_toml(file)
    return read(kind, source.data, source.problem)


def read_value(annotation: Any, value: Any, place: Place, report: Report) -> Any:
    """Return a value of a type, or None if it is invalid. All errors are reported."""
    return _ValueReader(report).value(annotation, value, place)


class _ValueReader:
    """Reads valid values, and reports the errors of others."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._faults = 0

    def part(self, kind: type[S], data: Any, place: Place) -> S | None:
        if not isinstance(data, Mapping):
            self._fault(place, "must be a table")
            return None
        with_first = _with_first(kind, cast("Mapping[str, Any]", data))
        annotations = _annotations(kind)
        for key in with_first.keys() - annotations.keys():
            text = kind.declined.get(key) or f"is an unknown key{nearest(key, annotations)}"
            self._fault((*place, key), text)
        before = self._faults
        values: dict[str, Any] = {}
        for field in _fields(kind):
            if field.name in with_first:
                values[field.name] = self.value(annotations[field.name], with_first[field.name], (*place, field.name))
            elif field.required:
                self._fault((*place, field.name), "is missing")
        if self._faults > before:
            return None
        settings = kind(**values)
        for key, text in settings.faults():
            self._fault((*place, *key.split(".")), text)
        return settings

    def value(self, annotation: Any, value: Any, place: Place) -> Any:
        plain, annotations, optional = _taken_apart(annotation)
        if value is None and optional:
            return None
        try:
            for annotation in annotations:
                if isinstance(annotation, Spelled):
                    value = annotation.by(value)
            plain_value = self._made(plain, annotations, value, place)
            for annotation in annotations:
                if isinstance(annotation, Checked) and plain_value is not None:
                    plain_value = annotation.by(plain_value)
        except ValueError as error:
            self._fault(place, str(error))
            return None
        return plain_value

    def _made(self, plain: Any, annotations: Sequence[Any], value: Any, place: Place) -> Any:
        if isinstance(plain, type) and issubclass(plain, Settings):
            return self.part(plain, value, place)
        if get_origin(plain) is dict:
            if not isinstance(value, Mapping):
                raise ValueError("must be a table")
            keys, values = get_args(plain)
            inner = cast("Mapping[str, Any]", value).items()
            return {
                self.value(keys, key, (*place, key)): self.value(values, each, (*place, key)) for key, each in inner
            }
        if get_origin(plain) is tuple and _is_read_apart(inner := get_args(plain)[0]):
            if not isinstance(value, list):
                raise ValueError(f"must be a list of {'texts' if get_origin(inner) is Annotated else 'tables'}")
            return tuple(self.value(inner, item, (*place, at)) for at, item in enumerate(cast("list[Any]", value)))
        bounds = [annotation for annotation in annotations if isinstance(annotation, Meta)]
        try:
            return msgspec.convert(
                value, Annotated[plain, bounds[0]] if bounds else plain, strict=False, dec_hook=_of_text
            )
        except msgspec.ValidationError:
            raise ValueError(f"must be {_wanted(plain, bounds)}") from None

    def _fault(self, place: Place, text: str) -> None:
        self._faults += 1
        self._report(place, text)


def _with_first(kind: type[Settings], values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a table with the first entry of each list of `several`, and the others at their own key."""
    lists = {key: values[key] for key in kind.several if isinstance(values.get(key), list) and values[key]}
    firsts = {key: entries[0] for key, entries in lists.items()}
    return {**values, **firsts, **{kind.several[key]: entries[1:] for key, entries in lists.items()}}


def nearest(word: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    """Return `; did you mean …?` with the nearest known word, or the list of known words if it is short."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    if near:
        return f"; did you mean {near[0]}?"
    return f"; known: {', '.join(known)}" if 0 < len(known) <= 12 else ""


@cache
def _annotations(kind: type[Settings]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True).items()
    return {
        name: annotation for name, annotation in hints if name[:1] != "_" and get_origin(annotation) is not ClassVar
    }


@cache
def _fields(kind: type[Settings]) -> tuple[FieldInfo, ...]:
    """Return the fields of a part. This evaluates annotations, which takes longer than reading a file."""
    return msgspec.structs.fields(kind)


@cache
def _taken_apart(annotation: Any) -> tuple[Any, Sequence[Any], bool]:
    """Return a field's type without annotations and None, its annotations, and whether it is optional."""
    annotations: list[Any] = []
    optional = False
    while True:
        if get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            annotations += more
        elif get_origin(annotation) in {Union, UnionType}:
            optional = True
            annotation = next(argument for argument in get_args(annotation) if argument is not NoneType)
        else:
            return annotation, annotations, optional


def _of_text(kind: type[Any], value: Any) -> Any:
    """Convert types that TOML does not have: paths."""
    if not isinstance(value, str):
        raise TypeError
    return kind(value)


def _wanted(plain: Any, bounds: Sequence[Meta]) -> str:
    """Return the description of a valid value."""
    match plain:
        case _ if get_origin(plain) is Literal:
            *others, last = (repr(argument) for argument in get_args(plain))
            return f"{', '.join(others)} or {last}"
        case _ if get_origin(plain) is tuple:
            return "a list of texts"
        case _ if plain is bool:
            return "true or false"
        case _ if plain in {int, float}:
            return f"a {'whole ' if plain is int else ''}number{_within(bounds)}"
        case _ if plain is Path:
            return "the name of a file"
        case _ if any(bound.pattern for bound in bounds):
            return "a text of letters, digits and hyphens"
        case _:
            return "a text that is not empty" if bounds else "a text"


def _within(bounds: Sequence[Meta]) -> str:
    match bounds:
        case [Meta(gt=float() | int() as low)]:
            return f" above {low}"
        case [Meta(ge=float() | int() as low, le=None)]:
            return f" of at least {low}"
        case [Meta(ge=float() | int() as low, le=high)]:
            return f" from {low} to {high}"
        case _:
            return ""


def _is_read_apart(item: Any) -> bool:
    """Return whether the entries of a list are read one by one: tables, and values with a check of ours."""
    if get_origin(item) is Annotated:
        return any(isinstance(annotation, Checked) for annotation in item.__metadata__)
    return get_origin(item) is dict or (isinstance(item, type) and issubclass(item, Settings))


# -- descriptions ------------------------------------------------------------------------------------------------------


class SettingEntry(Frozen):
    """The description of a key."""

    name: str
    about: str
    needed: bool
    default: Any
    """None for a required key."""


def entries(kind: type[Settings]) -> list[SettingEntry]:
    """Return the descriptions of a part's keys, in the order of declaration."""
    about = _docstrings(kind)
    setting_entries: list[SettingEntry] = []
    for field in _fields(kind):
        default = None if field.default is NODEFAULT else field.default
        if field.default_factory is not NODEFAULT:
            default = cast("Callable[[], Any]", field.default_factory)()
        setting_entries.append(SettingEntry(field.name, about.get(field.name, ""), field.required, default))
    return setting_entries


def builtins_of(value: Settings) -> dict[str, Any]:
    """Return settings as JSON values."""
    return msgspec.to_builtins(value, enc_hook=str, str_keys=True)


def schema(kind: type[Settings]) -> dict[str, Any]:
    """Return the JSON Schema of a part and its parts."""
    _, parts = msgspec.json.schema_components((kind,), schema_hook=_schema_of, ref_template="#/$defs/{name}")
    for part in Settings.__subclasses__():
        for entry in entries(part) if part.__name__ in parts else ():
            properties = parts[part.__name__]["properties"]
            properties[entry.name]["description"] = entry.about
            if entry.name in part.several:
                one = properties[entry.name]
                properties[entry.name] = {"anyOf": [one, {"type": "array", "items": {"type": "string"}}]}
    return {**parts.pop(kind.__name__), "$defs": parts}


def _schema_of(_path: type[Any]) -> dict[str, Any]:
    return {"type": "string", "format": "path"}


def _docstrings(kind: type[Settings]) -> dict[str, str]:
    """Return the docstrings after the fields of a class, read from its source."""
    try:
        source = inspect.getsource(kind)
    except OSError:
        return {}  # An installation without sources has no docstrings.
    docstrings: dict[str, str] = {}
    for field, after in pairwise(cast(ast.ClassDef, ast.parse(source).body[0]).body):
        match field, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(about))):
                docstrings[name] = inspect.cleandoc(about)
            case _:
                pass
    return docstrings
