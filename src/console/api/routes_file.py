"""Routes files: the routes of a deployment that differ from the declared ones, as TOML.

  "*" = false
  "alerts.accept" = "PUT /sapi/alerts/{alertId}/accept"
  "calls.list" = { route = "POST /sapi/calls/find", body = ["limit", "after"], names = { after = "since" } }

Inputs in the path are sent there. `query` and `body` list inputs that are sent elsewhere than declared, `names` maps
inputs to the deployment's names. `false` disables an operation, `"*" = false` all operations that are not in the file.
By default, these keep their declared route.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from console.api.catalogue import catalogue
from console.api.request import Request
from console.api.route import Route
from console.api.route_fit import misfits
from console.config_file import ConfigFault, Problem
from console.frozen import Frozen, field, replace
from console.settings import nearest
from console.toml_source import Broken, Place, TomlFault, TomlSource, read_around_faults

ALL = "*"
_KEYS = ("route", "query", "body", "names")
_FORM = 'must be a text like "GET /path/{field}"'


class RoutesFile(Frozen):
    """A parsed routes file, with all errors and warnings."""

    routes: Mapping[str, Route | None] = field(default_factory=dict[str, Route | None])
    """Routes by operation; None for a disabled one."""
    faults: tuple[Problem, ...] = ()
    """Errors, in the order of the file."""
    doubts: tuple[Problem, ...] = ()
    """Valid entries that are probably mistakes, in the order of the file."""

    @property
    def bound(self) -> int:
        """Number of operations with a route."""
        return sum(route is not None for route in self.routes.values())


def load_routes(file: Path) -> Mapping[str, Route | None]:
    """Parse a routes file. Raise ConfigFault with all errors."""
    found = read_routes(file)
    if found.faults:
        raise ConfigFault(found.faults)
    return found.routes


def read_routes(file: Path) -> RoutesFile:
    """Parse a routes file and check all of it, after errors too."""
    try:
        source, broken = read_around_faults(file)
    except TomlFault as fault:
        return RoutesFile(faults=(Problem(fault.file, fault.line, "", fault.message),))
    reader = _Reader(source)
    for place, value in _entries(source.data):
        reader.read(place, value)
    reader.take_away_the_others()
    reader.look_for_clashes()
    faults = [*(_spoilt(each, source) for each in broken), *reader.faults]
    return RoutesFile(reader.routes, _in_order(faults), _in_order(reader.doubts))


def routes_text() -> str:
    """Return a routes file with all default routes, as a template."""
    width = max(map(len, catalogue())) + 2
    lines = ["# Method and path of every operation, as they are without this file.", f'# "{ALL}" = false']
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


def _spoilt(broken: Broken, source: TomlSource) -> Problem:
    fault = broken.fault
    if broken.again is None:
        return Problem(fault.file, fault.line, "", fault.message)
    place = next(place for place, _ in _entries(broken.again))
    return Problem(fault.file, fault.line, _name(place), f"is there twice; first on line {source.line(place)}")


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda each: each.line))


def _entries(data: Mapping[str, Any]) -> Iterator[tuple[Place, Any]]:
    """Yield the entries with their places: the dot of a name may be a TOML dot or quoted."""
    resources = {name.partition(".")[0] for name in catalogue()}
    for first, value in data.items():
        if first in resources and isinstance(value, dict) and value:
            for second, inner in cast("dict[str, Any]", value).items():
                yield (first, second), inner
        else:
            yield (first,), value


def _name(place: Place) -> str:
    return ".".join(map(str, place))


class _Reader:
    def __init__(self, source: TomlSource) -> None:
        self._source = source
        self._places: dict[str, Place] = {}
        self._only = False
        self.routes: dict[str, Route | None] = {}
        self.faults: list[Problem] = []
        self.doubts: list[Problem] = []

    def read(self, place: Place, value: object) -> None:
        """Parse one entry."""
        name = _name(place)
        operation = catalogue().get(name)
        if name == ALL:
            self._only = value is False
            if not self._only:
                self._fault(place, "can only be false, for what the file does not name")
        elif operation is None:
            self._fault(place, f"is no operation{nearest(name, catalogue())}")
        elif name in self._places:
            self._fault(place, f"is there twice; first on line {self._source.line(self._places[name])}")
        else:
            self._places[name] = place
            if value is False:
                self.routes[name] = None
            else:
                self._bind(place, operation, value)

    def _bind(self, place: Place, operation: type[Request[Any]], value: object) -> None:
        route = self._table(place, cast("dict[str, Any]", value)) if isinstance(value, dict) else None
        if isinstance(value, str):
            route = self._parsed(place, value)
        elif not isinstance(value, dict):
            self._fault(place, f"{_FORM}, a table with route, or false")
        if route is None:
            return
        self.routes[operation.operation.name] = route
        for each in misfits(operation, route):
            part = (each.part,) if each.part and isinstance(value, dict) else ()
            (self._doubt if each.doubt else self._fault)((*place, *part), each.words)

    def _table(self, place: Place, table: dict[str, Any]) -> Route | None:
        for key in table:
            if key not in _KEYS:
                self._fault((*place, key), f"is an unknown key{nearest(key, _KEYS)}")
        query, body = (self._list((*place, key), table.get(key, [])) for key in ("query", "body"))
        names = self._names((*place, "names"), table.get("names", {}))
        if "route" not in table:
            self._fault((*place, "route"), "is missing")
            return None
        route = self._parsed((*place, "route"), table["route"])
        return replace(route, query=query, body=body, names=names) if route is not None else None

    def _parsed(self, place: Place, text: object) -> Route | None:
        try:
            if not isinstance(text, str):
                raise ValueError(_FORM)
            return Route.parse(text)
        except ValueError as error:
            self._fault(place, str(error))
            return None

    def _list(self, place: Place, value: object) -> tuple[str, ...]:
        entries = cast("list[object]", value) if isinstance(value, list) else [None]
        if all(isinstance(each, str) for each in entries):
            return tuple(map(str, entries))
        self._fault(place, "must be a list of inputs")
        return ()

    def _names(self, place: Place, value: object) -> dict[str, str]:
        entries = cast("dict[str, object]", value) if isinstance(value, dict) else {"": None}
        if all(isinstance(each, str) and each for each in entries.values()):
            return {name: str(each) for name, each in entries.items()}
        self._fault(place, "must be a table of inputs and what they are called here")
        return {}

    def take_away_the_others(self) -> None:
        """Apply `"*" = false`."""
        if self._only:
            self.routes.update({name: None for name in catalogue() if name not in self._places})

    def look_for_clashes(self) -> None:
        """Find operations with the same method and path."""
        taken: dict[tuple[object, str, str], list[str]] = {}
        for name, each in catalogue().items():
            if name not in self._places and not self._only:
                taken.setdefault(_shape(name, each.operation.route), []).append(name)
        here = {name: route for name, route in self.routes.items() if route is not None}
        for name, route in here.items():
            others = taken.setdefault(_shape(name, route), [])
            for other in others:
                if _meet(name, other):
                    where = f"line {self._source.line(self._places[other])}" if other in here else "by default"
                    self._fault(self._places[name], f"goes where {other} goes ({where})")
            others.append(name)

    def _fault(self, place: Place, message: str) -> None:
        self.faults.append(Problem(self._source.file, self._source.line(place), _name(place), message))

    def _doubt(self, place: Place, message: str) -> None:
        self.doubts.append(Problem(self._source.file, self._source.line(place), _name(place), message))


def _meet(one: str, other: str) -> bool:
    """Return whether a service may have both operations: those of different variants never coexist."""
    variants = {catalogue()[name].operation.variant for name in (one, other)}
    return None in variants or len(variants) == 1


def _shape(name: str, route: Route) -> tuple[object, str, str]:
    """Return the part of a route that is equal for routes to the same place."""
    template = route.template
    for each in route.fields:
        template = template.replace(f"{{{each}}}", "{}")
    return catalogue()[name].operation.service, route.method, template.rstrip("/")
