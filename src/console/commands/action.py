"""What an action is. Nothing here knows a terminal; nothing here sends anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from console.api.annotations import Variant
from console.frozen import Frozen, field, replace
from console.live.command import Step
from console.text import SafeText
from console.views.cell import Line
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.api.operation import Operation
    from console.api.request import Request
    from console.records.record import Record

R = TypeVar("R", bound="Record")


def _lacks_nothing(_operation: Operation) -> str | None:
    return None


class Situation(Frozen):
    """Who acts, in which profile, looking at what."""

    render: RenderContext
    user_id: str
    username: str
    role: str
    """`user`, `admin` or `anonymous`."""
    read_only: bool = False
    selected: Record | None = None
    """What the screen has selected besides the records acted upon: the skill of the board, the group of a member."""
    variant: Variant = Variant.LATER
    """Which form of the contract the profile's core service speaks."""
    lacks: Callable[[Operation], str | None] = _lacks_nothing
    """Says why the deployment does not have an operation, None when it does."""
    session_id: str = ""
    """The session that this console works in; empty when it is not known."""

    @property
    def is_admin(self) -> bool:
        """Whether the caller has the admin role."""
        return self.role == "admin"

    def with_records(self, kind: str, records: Sequence[Record]) -> Situation:
        """Return the situation in which these records of a kind are known as they are here, whatever came since."""
        lookup, these = self.render.lookup, {record.key: record for record in records}

        def either(wanted: str) -> Mapping[str, Record]:
            return {**lookup(wanted), **these} if wanted == kind else lookup(wanted)

        return replace(self, render=replace(self.render, lookup=either))


class TextAsk(Frozen):
    """A line of text that is needed first."""

    name: str
    title: str
    initial: str = ""
    required: bool = True
    lines: bool = False
    """Several lines, as for a pasted list."""
    anew: bool = False
    """Whether what is typed takes the place of what it begins with, rather than being added to it."""
    check: Callable[[str], str | None] | None = None
    """Says what is wrong with it."""
    preview: Callable[[str], tuple[Line, ...]] | None = None
    """Says, line by line, what would come of it: shown under the text while it is typed or pasted."""


class Choice(Frozen):
    """One of a few answers; `digit` picks it at once."""

    value: str
    title: SafeText
    note: SafeText | None = None
    key: str = ""
    """A letter that picks it at once, besides its digit."""
    leads_to: str = ""
    """Id of the action that goes on in place of this one, when this is picked."""
    tags: tuple[str, ...] = ()
    """What `#word` narrows down to, as the skills of an agent; raw. The order of the choices stays as it is."""


class ChoiceAsk(Frozen):
    """A pick from a list: typing narrows it down, digits pick among the first nine when `digits`."""

    name: str
    title: str
    choices: tuple[Choice, ...]
    digits: bool = False
    many: bool = False
    free: bool = False
    """Whether another text than those offered is allowed."""


class FormAsk(Frozen):
    """A form made from an operation's inputs, filled with `initial`; only what was changed counts as answer."""

    name: str
    title: str
    request: type[Any]
    initial: Mapping[str, Any] = field(default_factory=dict[str, Any])
    fixed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    only: tuple[str, ...] = ()
    draft: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What stands in its fields in place of `initial`, as if it had been typed."""
    each: tuple[tuple[SafeText, Mapping[str, Any]], ...] = ()
    """Of several records that are changed alike: what each is called and what it has now, for the difference."""
    person: Callable[[str], str] | None = None
    """Returns the id of the user who was named, where an input is somebody's id. Raises ValueError with a sentence."""
    note: str = ""
    """What is to be known before it is filled in, as a sentence: that the service may refuse it."""


class ReadAsk(Frozen):
    """Something that only the service can tell: asked of it when the action is taken, of nobody else."""

    name: str
    request: Request[Any]
    required: bool = False
    """Whether the action cannot be taken without the answer; else it goes on without."""


Ask = TextAsk | ChoiceAsk | FormAsk | ReadAsk
Answers = Mapping[str, Any]
"""By the name of the ask: str, a tuple of str when `many`, a dict of the form's changed fields by python name, or the
record that the service answered with."""
Asks = tuple[Ask | Callable[[Answers], Ask], ...]
"""What is asked, in order; one that depends on the answers before it is made of them."""


def _never(_situation: Situation, _records: Sequence[Record]) -> str | None:
    return None


def _nothing(_situation: Situation, _records: Sequence[Record]) -> Asks:
    return ()


class Action(Frozen, Generic[R]):
    """Something a person may do to records of a kind."""

    id: str
    """`alerts.accept`; unique, and the name in key maps."""
    title: str
    key: str
    """The default key, in Textual's spelling; empty where only a menu or the palette leads to it."""
    kind: str
    """The table it acts on, `everywhere`, or `grid` for that of skills and agents."""
    plan: Callable[[Situation, Sequence[R], Answers], Sequence[Step]]
    """What would be sent. Raises ValueError with a sentence when the answers do not allow it."""
    why_not: Callable[[Situation, Sequence[R]], str | None] = field(default=_never)
    """Why it cannot be done now, as a sentence, or None. Read-only is checked for all actions in one place."""
    asks: Callable[[Situation, Sequence[R]], Asks] = field(default=_nothing)
    needs: str = "one"
    """`one`, `many` (marks count), or `none` (acts on no record)."""
    footer: int = 5
    """1 is shown first in the footer; 9 only in help."""
    short: str = ""
    """What the footer says where the title is too long for it."""
    about: str = ""
    sends: tuple[type[Request[Any]], ...] = ()
    """The operations its steps may send: who may ask, which variant has them, and how it is guarded follow from
    these."""
    subject: str = ""
    """The kind that the keys of its steps belong to, where that is not `kind`."""
    plan_lines: Callable[[Situation, Sequence[Step]], tuple[Line, ...]] | None = None
    """How its steps are listed where it is about several records; by the records' names if None."""
    verb: str = ""
    """What its key means, on every screen that has it: `new`, `delete`; the title if empty."""
    via: str = ""
    """The action whose menu leads to it, where it has no key of its own."""
    noun: str = ""
    """What one of its steps is about, where that is no record of `subject` or `kind`: `member`."""

    @property
    def meaning(self) -> str:
        """What its key means on every screen."""
        return self.verb or self.title
