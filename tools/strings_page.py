"""Print every text that a person may read, for review: `make strings`.

Catalogued texts come from the catalogues. All others are literals, found in the source of `src/console`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from console.api.catalogue import catalogue
from console.cli.parser import COMMANDS, GROUPS, IN_GROUPS, parser_of
from console.config.address_forms import AddressForms
from console.config.login_settings import CredentialField
from console.config.schema import Config, EventChannel, Profile, SavedView, ThresholdLevels
from console.config.settings import entries
from console.kinds.actions import ACTIONS
from console.kinds.operating import title_of
from console.kinds.tables import TABLES
from console.kinds.view_keys import VIEW_KEYS
from tools.generate_docs import table

SOURCE = Path(__file__).resolve().parents[1] / "src" / "console"

DATA = ("world", "scenario", "simulator")
"""Folders of the service whose texts are sample data, such as names and messages."""

_LABELLING = re.compile(
    r"Button|Cell|Choice|Failure|Label|Link|NotDone|Option|Placeholder|Rule|Section|SafeText|Static|"
    r"TextAsk|Tile|clean|gap|heading|labelled|note|notify|pair|piece|say|text_line|title|warn"
)
"""Calls whose texts are shown even if they are a single word."""

_LABELS = re.compile(r"about|caption|confirm|label|note|noun|one|placeholder|prompt|short|title|verb|warning")
"""Arguments whose texts are shown even if they are a single word."""

_HIDDEN_CALLS = re.compile(
    r"AssertionError|KeyError|NotImplementedError|RuntimeError|TypeAdapter|TypeError|TypeVar|cast|compile|"
    r"debug|execute|executemany|executescript|get|getattr|import_module|query|query_one|run_worker|"
    r"setattr|strftime|strptime"
)
"""Calls whose texts are not shown to operators."""

_HIDDEN_ARGUMENTS = re.compile(r"id|classes|name|route|row|section")

_HIDDEN_NAMES = re.compile(r"^_*(DEFAULT_)?(CSS|TCSS|SQL|SCHEMA|BINDINGS|PRAGMAS?)$|_SQL$")
_SQL = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|WITH|WHERE|REPLACE INTO)\b")
_CODE = re.compile(r"[\x00-\x08\x0b-\x1f]|\\[dswbn]|\(\?|\$\{|;$|^\w+(-\w+)+$|^\w+_\w+$|ROLLBACK|SAVEPOINT|RELEASE ")
_TWO_WORDS = re.compile(r"[A-Za-z}]['\u2019)]?[,:;.]? [({\"'\u2019]*[A-Za-z{]")
_SENTENCE = re.compile(r"^[A-Z][a-z'\u2019]+[.!?…]$")


def strings_page() -> str:
    """Return the page in Markdown."""
    parts = [
        "# Every text on the screen and the command line\n",
        "For review in one sitting: first the texts of the catalogues, then all other texts by source file. `{…}` "
        "marks a placeholder. Sample data of the embedded service is left out.\n",
    ]
    seen: set[str] = set()

    def catalogued(title: str, titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
        kept = [tuple(" ".join(cell.split()) for cell in row) for row in rows]
        seen.update(cell for row in kept for cell in row)
        parts.append(f"## {title}\n")
        parts.append(table(titles, [tuple(map(_escaped, row)) for row in kept]))

    catalogued(
        "Actions",
        ("on", "title", "in the footer", "on every screen", "about"),
        [(each.kind, each.title, each.short, each.verb, each.about) for each in ACTIONS],
    )
    catalogued(
        "View keys",
        ("on", "title", "in the footer", "on every screen", "about"),
        [(each.where, each.title, each.short, each.verb, each.about) for each in VIEW_KEYS],
    )
    catalogued("Lists", ("list", "title", "one"), [(each.kind, each.title, each.one) for each in TABLES.values()])
    catalogued(
        "Columns",
        ("list", "title", "about"),
        [(each.kind, column.title, column.about) for each in TABLES.values() for column in each.columns],
    )
    catalogued("Operations", ("operation", "about", "title", "done", "warning"), _operations())
    catalogued("Commands", ("command", "about"), _commands())
    catalogued("Configuration", ("part", "key", "about"), _settings())
    parts.append("## All other texts, by file\n")
    for file in sorted(SOURCE.rglob("*.py")):
        place = file.relative_to(SOURCE)
        if not {*place.parts[:-1]} & {*DATA}:
            texts = sorted({*literals(ast.parse(file.read_text(encoding="utf-8")))} - seen, key=_order)
            if texts:
                parts.append(f"### {place.with_suffix('').as_posix()}\n")
                parts.append("```text\n{}\n```\n".format("\n".join(texts)))
    return "\n".join(parts)


def literals(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of a module that a person may read, each on one line."""
    for node, shown in _texts(tree, shown=False, text=True):
        written = _words(node)
        if _SQL.search(written) or _CODE.search(written) or "```" in written:
            continue
        for paragraph in written.split("\n\n"):
            words = " ".join(paragraph.split())
            constant = words.replace("{…}", "")
            if not re.search(r"[A-Za-z]{2}", constant):
                continue
            if shown or _TWO_WORDS.search(words) or _SENTENCE.match(words):
                yield words


def _texts(node: ast.AST, *, shown: bool, text: bool) -> Iterator[tuple[ast.Constant | ast.JoinedStr, bool]]:
    """Yield the texts below a node, each with whether it is shown; `text` is False where none is shown."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        if text and (isinstance(node, ast.JoinedStr) or isinstance(node.value, str)):
            yield node, shown
        if isinstance(node, ast.JoinedStr):
            for value in node.values:
                if isinstance(value, ast.FormattedValue):
                    yield from _texts(value.value, shown=False, text=text)
        return
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        hidden = any(_HIDDEN_NAMES.search(ast.unparse(each)) for each in targets)
        yield from _texts(node.value, shown=False, text=text and not hidden)
        return
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func).rpartition(".")[2].partition("[")[0]
        yield from _texts(node.func, shown=False, text=text)
        text = text and not _HIDDEN_CALLS.fullmatch(name)
        for place, value in enumerate(node.args):
            yield from _texts(value, shown=place < 2 and _LABELLING.fullmatch(name) is not None, text=text)
        for each in node.keywords:
            yield from _texts(each, shown=False, text=text)
        return
    if isinstance(node, ast.keyword):
        name = node.arg or ""
        shown, text = _LABELS.fullmatch(name) is not None, text and not _HIDDEN_ARGUMENTS.fullmatch(name)
        yield from _texts(node.value, shown=shown, text=text)
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # A docstring.
    if isinstance(node, ast.Name | ast.expr_context | ast.operator):
        return  # Nearly half of all nodes, without any text.
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "ops", "slice"}:
            continue
        below = shown if isinstance(node, ast.IfExp | ast.BoolOp | ast.BinOp | ast.Tuple | ast.List) else False
        for each in cast("list[object]", value) if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST) and not (isinstance(node, ast.Compare) and isinstance(each, ast.Constant)):
                yield from _texts(each, shown=below, text=text)


def _words(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return "".join(str(each.value) if isinstance(each, ast.Constant) else "{…}" for each in node.values)


def _operations() -> Iterator[tuple[str, ...]]:
    for name, request in catalogue().items():
        change = request.operation.change
        yield (
            name,
            request.operation.title,
            title_of(request),
            *((change.done, change.warning) if change is not None else ("", "")),
        )


def _commands() -> Iterator[tuple[str, ...]]:
    """Yield the paragraphs that describe each command. Its options are literals."""
    paths = [((name,), about) for name, _, about, _ in COMMANDS] + [((name,), about) for name, about in GROUPS.items()]
    paths += [((group, name), about) for group, commands in IN_GROUPS.items() for name, _, about in commands]
    for path, about in paths:
        yield " ".join(path), about
        for paragraph in (parser_of(path).description or "").split("\n\n")[1:]:
            yield " ".join(path), " ".join(paragraph.split())


def _settings() -> Iterator[tuple[str, ...]]:
    for part in (Config, Profile, CredentialField, AddressForms, EventChannel, SavedView, ThresholdLevels):
        for each in entries(part):
            yield part.__name__, each.name, each.about


def _escaped(text: str) -> str:
    """Return a text escaped for a cell of a Markdown table. Code between backticks stays unchanged."""
    pieces = text.split("`")
    pieces[::2] = [re.sub(r"([*_<>\[\]])", r"\\\1", each) for each in pieces[::2]]
    return "`".join(pieces)


def _order(text: str) -> tuple[str, str]:
    return text.casefold(), text


if __name__ == "__main__":
    print(strings_page())
