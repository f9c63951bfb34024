"""Routes files: the routes of a deployment that differ from the declared ones, as TOML.

  "*" = false
  "alerts.accept" = "PUT /sapi/alerts/{alertId}/accept"
  "calls.list" = { route = "POST /sapi/calls/find", body = ["limit", "after"], names = { after = "since" } }
  "users.page" = { route = "GET /people", rows = "people", next = "links.next", fields = { id = "uid" } }

Inputs in the path are sent there. `query` and `body` list inputs that are sent elsewhere than declared, `names` maps
inputs to the deployment's names, `always` and `defaults` set values, `wrap` puts the body into an object, and
`envelope` adds constants beside it. `rows`, `next`, `cursor`, `total` and `fields` say where an answer has its rows,
the next page and the fields of the contract, `forms` in which units and types values are sent and received. `answer =
false` ignores the answer to a change. `false` disables an operation, `"*" = false` all operations that are not in the
file. By default, these keep their declared route.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from console.api.annotations import InputPlace
from console.api.catalogue import catalogue
from console.api.request import Request
from console.api.route import AnswerPlaces, Route
from console.api.route_fit import misfits
from console.api.value_forms import read_in
from console.base.frozen import Frozen, field, replace
from console.config.settings import Checked, Meta, Settings, Spelled, nearest, read_value
from console.config.toml_source import Broken, ConfigFault, FileProblem, Place, TomlSource, key_of, read_around_faults

ALL = "*"
_FORM = 'must be a text such as "GET /path/{field}"'


def _route(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError(_FORM)
    Route.parse(value)
    return value


RouteText = Annotated[str, Spelled(_route)]


def _constant(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _constant(item) for name, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list):
        return [_constant(item) for item in cast("list[Any]", value)]
    if not isinstance(value, str | int | float) or (isinstance(value, float) and not isfinite(value)):
        raise ValueError("must be a text, a number, true or false, or a list or table of them")
    return value


Constant = Annotated[Any, Checked(_constant)]
Name = Annotated[str, Meta(min_length=1)]
Form = Literal["us", "ms", "s", "min", "iso", "number", "text"]


class _RouteEntry(Settings):
    """An operation with more than method and path."""

    route: RouteText
    query: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    names: dict[str, Name] = field(default_factory=dict[str, str])
    always: dict[str, Constant] = field(default_factory=dict[str, Any])
    defaults: dict[str, Constant] = field(default_factory=dict[str, Any])
    envelope: dict[str, Constant] = field(default_factory=dict[str, Any])
    wrap: str = ""
    rows: str = ""
    next: str = ""
    total: str = ""
    cursor: str = ""
    fields: dict[str, Name] = field(default_factory=dict[str, str])
    forms: dict[str, Form] = field(default_factory=dict[str, Form])
    answer: bool = True
    empty: bool = False

    @property
    def whole_route(self) -> Route:
        """The route with all that the entry says."""
        units: dict[str, str] = {path: form for path, form in self.forms.items() if read_in(path, form) is not None}
        places = AnswerPlaces(self.rows, self.next, self.total, self.fields, units)
        return replace(
            Route.parse(self.route),
            query=self.query,
            body=self.body,
            names=self.names,
            forms={**self.forms},
            always=self.always,
            envelope=self.envelope,
            defaults=self.defaults,
            wrap=self.wrap,
            cursor=self.cursor,
            confirms=not self.answer,
            may_be_empty=self.empty,
            answer=None if places == AnswerPlaces() else places,
        )


class RoutesFile(Frozen):
    """A parsed routes file, with all errors and warnings."""

    routes: Mapping[str, Route | None] = field(default_factory=dict[str, Route | None])
    """Routes by operation; None for a disabled one."""
    faults: tuple[FileProblem, ...] = ()
    """Errors, in the order of the file."""
    doubts: tuple[FileProblem, ...] = ()
    """Valid entries that are probably mistakes, in the order of the file."""

    @property
    def bound(self) -> int:
        """Number of operations with a route."""
        return sum(route is not None for route in self.routes.values())


def load_routes(file: Path) -> Mapping[str, Route | None]:
    """Parse a routes file. Raise ConfigFault with all errors."""
    routes_file = read_routes(file)
    if routes_file.faults:
        raise ConfigFault(routes_file.faults)
    return routes_file.routes


def read_routes(file: Path) -> RoutesFile:
    """Parse a routes file and check all of it, after errors too."""
    try:
        source, broken = read_around_faults(file)
    except ConfigFault as fault:
        return RoutesFile(faults=fault.problems)
    reader = _RoutesReader(source)
    for place, value in _entries(source.data):
        reader.read(place, value)
    reader.take_away_the_others()
    reader.look_for_clashes()
    faults = [*(_spoilt(name, source) for name in broken), *reader.faults]
    return RoutesFile(reader.routes, _in_order(faults), _in_order(reader.doubts))


def routes_text() -> str:
    """Return a routes file with all default routes, as a template."""
    width = max(map(len, catalogue())) + 2
    lines = ["# The default method and path of every operation.", f'# "{ALL}" = false']
    section = ""
    for name, request in catalogue().items():
        operation = request.operation
        if section != f"{operation.service.value} {operation.section}":
            section = f"{operation.service.value} {operation.section}"
            lines += ["", f"# {operation.service.value} service, section {operation.section}"]
        route = f"{operation.route.method} {operation.route.template}"
        quoted = f'"{name}"'
        lines.append(f'{quoted:<{width}} = "{route}"')
    return "\n".join(lines) + "\n"


def _spoilt(broken: Broken, source: TomlSource) -> FileProblem:
    if broken.again is None:
        return FileProblem(broken.file, broken.line, "", broken.message)
    place = next(place for place, _ in _entries(broken.again))
    return FileProblem(broken.file, broken.line, key_of(place), f"appears twice; first on line {source.line(place)}")


def _in_order(problems: list[FileProblem]) -> tuple[FileProblem, ...]:
    return tuple(sorted(problems, key=lambda file_problem: file_problem.line))


def _entries(data: Mapping[str, Any]) -> Iterator[tuple[Place, Any]]:
    """Yield the entries with their places: the dot of a name may be a TOML dot or quoted."""
    resources = {name.partition(".")[0] for name in catalogue()}
    for first, value in data.items():
        if first in resources and isinstance(value, dict) and value:
            for second, inner in cast("dict[str, Any]", value).items():
                yield (first, second), inner
        else:
            yield (first,), value


class _RoutesReader:
    def __init__(self, source: TomlSource) -> None:
        self._source = source
        self._places: dict[str, Place] = {}
        self._only = False
        self.routes: dict[str, Route | None] = {}
        self.faults: list[FileProblem] = []
        self.doubts: list[FileProblem] = []

    def read(self, place: Place, value: object) -> None:
        """Parse one entry."""
        name = key_of(place)
        operation = catalogue().get(name)
        if name == ALL:
            self._only = value is False
            if not self._only:
                self._fault(place, "can only be false, for operations that are not in the file")
        elif operation is None:
            self._fault(place, f"is not an operation{nearest(name, catalogue())}")
        elif name in self._places:
            self._fault(place, f"appears twice; first on line {self._source.line(self._places[name])}")
        else:
            self._places[name] = place
            if value is False:
                self.routes[name] = None
            else:
                self._bind(place, operation, value)

    def _bind(self, place: Place, operation: type[Request[Any]], value: object) -> None:
        route: Route | None = None
        if isinstance(value, dict):
            entry: _RouteEntry | None = read_value(_RouteEntry, value, place, self._fault)
            if entry is not None:
                route = entry.whole_route
        elif isinstance(value, str):
            text: str | None = read_value(RouteText, value, place, self._fault)
            route = Route.parse(text) if text is not None else None
        else:
            self._fault(place, f"{_FORM}, a table with route, or false")
        if route is None:
            return
        self.routes[operation.operation.name] = route
        for misfit in misfits(operation, route):
            part = (misfit.part,) if misfit.part and isinstance(value, dict) else ()
            (self._doubt if misfit.doubt else self._fault)((*place, *part), misfit.words)

    def take_away_the_others(self) -> None:
        """Apply `"*" = false`."""
        if self._only:
            self.routes.update({name: None for name in catalogue() if name not in self._places})

    def look_for_clashes(self) -> None:
        """Find operations that a service cannot distinguish: by method, path, constants or required inputs."""
        taken: dict[tuple[object, str, str], list[str]] = {}
        for name, request in catalogue().items():
            if name not in self._places and not self._only:
                taken.setdefault(_shape(name, request.operation.route), []).append(name)
        here = {name: route for name, route in self.routes.items() if route is not None}
        for name, route in here.items():
            others = taken.setdefault(_shape(name, route), [])
            for other in others:
                if _meet(name, other) and self._marks(name) == self._marks(other):
                    where = f"line {self._source.line(self._places[other])}" if other in here else "by default"
                    text = f"has the same method and path as {other} ({where}), and no other input: see always"
                    self._doubt(self._places[name], text)
            others.append(name)

    def _marks(self, name: str) -> tuple[Mapping[str, Any], set[tuple[InputPlace, str]]]:
        """Return what distinguishes an operation from others with the same method and path."""
        route = self.routes.get(name) or catalogue()[name].operation.route
        inputs = [(input_.place_by(route), input_) for input_ in catalogue()[name].inputs() if input_.required]
        sent = {(place, route.names.get(input_.wire, input_.travels)) for place, input_ in inputs}
        return {**route.always, **route.envelope}, {pair for pair in sent if pair[0] is not InputPlace.PATH}

    def _fault(self, place: Place, message: str) -> None:
        self.faults.append(self._source.problem(place, message))

    def _doubt(self, place: Place, message: str) -> None:
        self.doubts.append(self._source.problem(place, message))


def _meet(one: str, other: str) -> bool:
    """Return whether a service may have both operations: operations of different variants never coexist."""
    variants = {catalogue()[name].operation.variant for name in (one, other)}
    return None in variants or len(variants) == 1


def _shape(name: str, route: Route) -> tuple[object, str, str]:
    """Return the part of a route that is equal for routes to the same place."""
    template = route.template
    for placeholder in route.fields:
        template = template.replace(f"{{{placeholder}}}", "{}")
    return catalogue()[name].operation.service, route.method, template.rstrip("/")
