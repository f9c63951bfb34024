"""Routes files: where a deployment's methods and paths differ from those declared, as TOML.

    "alerts.accept" = "PUT /sapi/alerts/{alertId}/accept"

A field that the path names travels there, whatever its mark. What is not in the file stays as declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from console.api.catalogue import catalogue
from console.api.marks import Place
from console.api.request import Request
from console.api.route import Route
from console.config_file import ConfigFault, Problem, nearest
from console.toml_source import TomlFault, TomlSource, read_toml


@dataclass(frozen=True)
class RoutesFile:
    """A routes file that was read: what can be used, and everything that is to be said about it."""

    routes: Mapping[str, Route] = field(default_factory=dict[str, Route])
    faults: tuple[Problem, ...] = ()
    """Why it cannot be used."""
    doubts: tuple[Problem, ...] = ()
    """What is allowed, but probably not meant."""


def load_routes(file: Path) -> Mapping[str, Route]:
    """Read a routes file. Raises ConfigFault with all faults."""
    found = read_routes(file)
    if found.faults:
        raise ConfigFault(found.faults)
    return found.routes


def read_routes(file: Path) -> RoutesFile:
    """Read a routes file and judge it: unknown operations and fields, missing fields, clashes."""
    try:
        source = read_toml(file)
    except TomlFault as fault:
        return RoutesFile(faults=(Problem(fault.file, fault.line, "", fault.message),))
    reader = _Reader(source)
    for name, value in source.data.items():
        reader.read(name, value)
    reader.look_for_clashes()
    return RoutesFile(reader.routes, tuple(reader.faults), tuple(reader.doubts))


class _Reader:
    def __init__(self, source: TomlSource) -> None:
        self._source = source
        self.routes: dict[str, Route] = {}
        self.faults: list[Problem] = []
        self.doubts: list[Problem] = []

    def read(self, name: str, value: object) -> None:
        operation = catalogue().get(name)
        if operation is None:
            self.faults.append(self._problem(name, f"is no operation{nearest(name, catalogue())}{_quoting(value)}"))
        elif not isinstance(value, str):
            self.faults.append(self._problem(name, 'must be a text like "GET /path/{field}"'))
        else:
            try:
                route = Route.parse(value)
            except ValueError as error:
                self.faults.append(self._problem(name, str(error)))
                return
            if self._fields_fit(name, operation, route):
                self.routes[name] = route

    def _fields_fit(self, name: str, operation: type[Request[Any]], route: Route) -> bool:
        inputs = {each.wire: each for each in operation.inputs()} | {each.field: each for each in operation.inputs()}
        before = len(self.faults)
        for each in route.fields:
            if each not in inputs:
                words = f"{{{each}}} is no input of this operation{nearest(each, [i.wire for i in operation.inputs()])}"
                self.faults.append(self._problem(name, words))
            elif not inputs[each].required:
                self.faults.append(self._problem(name, f"{{{each}}} need not be given, so it cannot be in the path"))
            elif route.fields.count(each) > 1:
                self.faults.append(self._problem(name, f"{{{each}}} is there more than once"))
        named = {inputs[each].wire for each in route.fields if each in inputs}
        for each in operation.inputs():
            if each.place is Place.PATH and each.wire not in named:
                where = "query" if route.method in {"GET", "DELETE"} else "body"
                words = f"{{{each.wire}}} is missing from the path; it will travel in the {where}"
                self.doubts.append(self._problem(name, words))
        return len(self.faults) == before

    def look_for_clashes(self) -> None:
        """Find operations that could not be told from each other by what is sent."""
        taken: dict[tuple[object, str, str], str] = {}
        for name, operation in catalogue().items():
            if name not in self.routes:
                taken[_shape(operation, operation.operation.route)] = name
        for name in list(self.routes):
            shape = _shape(catalogue()[name], self.routes[name])
            if shape in taken:
                self.faults.append(self._problem(name, f"goes where {taken[shape]} goes"))
                del self.routes[name]
            taken.setdefault(shape, name)

    def _problem(self, name: str, message: str) -> Problem:
        return Problem(self._source.file, self._source.line((name,)), name, message)


def _shape(operation: type[Request[Any]], route: Route) -> tuple[object, str, str]:
    """Return what two routes have in common that lead to the same place."""
    template = route.template
    for each in route.fields:
        template = template.replace(f"{{{each}}}", "{}")
    return operation.operation.backend, route.method, template.rstrip("/")


def _quoting(value: object) -> str:
    return "; a name with a dot needs quotes around it" if isinstance(value, dict) else ""
