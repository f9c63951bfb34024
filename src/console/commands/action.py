"""Declaration of actions. Independent of the terminal, and without sending."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from console.api.annotations import Variant
from console.base.frozen import Frozen, field, replace
from console.base.text import SafeText
from console.live.command import Step
from console.views.cell import Line
from console.views.render_context import RenderContext

if TYPE_CHECKING:
    from console.api.request import Request
    from console.records.record import Record

R = TypeVar("R", bound="Record")


IN_THE_PAST = "This is the past: nothing can be changed."


class Situation(Frozen):
    """The context of an action: caller, profile, selection."""

    render: RenderContext
    user_id: str
    username: str
    role: str
    """`user`, `admin` or `anonymous`."""
    read_only: bool = False
    selected: Record | None = None
    """The selection of the screen besides the records acted upon: the skill of the grid, the group of a member."""
    variant: Variant = Variant.LATER
    """The contract variant of the profile's core service."""
    lacking: Mapping[str, str] = field(default_factory=dict[str, str])
    """The operations that the deployment lacks, by name with the reason."""
    session_id: str = ""
    """The session of this console; empty if unknown."""

    @property
    def is_admin(self) -> bool:
        """Whether the caller has the admin role."""
        return self.role == "admin"

    def with_records(self, kind: str, records: Sequence[Record]) -> Situation:
        """Return the situation with these records of a kind, instead of their current versions."""
        lookup, these = self.render.lookup, {record.key: record for record in records}

        def either(wanted: str) -> Mapping[str, Record]:
            return {**lookup(wanted), **these} if wanted == kind else lookup(wanted)

        return replace(self, render=replace(self.render, lookup=either))


NEXT = "Next"
"""Label of a button that leads to another question."""


class TextAsk(Frozen):
    """A prompt for a line of text."""

    name: str
    title: str
    initial: str = ""
    required: bool = True
    hint: str = ""
    """A sentence above the text on what it is for."""
    lines: bool = False
    """Accept several lines, as for a pasted list."""
    anew: bool = False
    """Whether typing replaces the initial text instead of appending to it."""
    check: Callable[[str], str | None] | None = None
    """Returns an error, or None."""
    preview: Callable[[str], tuple[Line, ...]] | None = None
    """Returns lines with the effect of the text, shown below it while typing."""
    verb: str = NEXT
    """Label of the button; the default is for a text that is followed by another question."""
    confirmed: Callable[[str], bool] | None = None
    """Returns whether a text is followed by a confirmation: then the button does not say `verb`."""
    remembered: str = ""
    """The name under which its answers are kept, to be offered again; empty if they are not."""
    used: tuple[str, ...] = ()
    """Answers of before, the last used first, which the arrow keys put in."""


class Choice(Frozen):
    """One of a few answers; `digit` picks it at once."""

    value: str
    title: SafeText
    note: SafeText | None = None
    key: str = ""
    """A letter that picks it, in addition to its digit."""
    leads_to: str = ""
    """Id of the action that replaces this one when it is picked."""
    tags: tuple[str, ...] = ()
    """Raw words that `#word` filters by, such as the skills of an agent. The order of the choices stays the same."""


class ChoiceAsk(Frozen):
    """A choice from a list: typing filters it, and digits pick among the first nine if `digits`."""

    name: str
    title: str
    choices: tuple[Choice, ...]
    digits: bool = False
    many: bool = False
    free: bool = False
    """Whether other texts are allowed."""
    unmatched: str = "Nothing matches."
    """The text in place of the choices when none matches."""


class UserNames(Frozen):
    """Names of users, for inputs with user ids."""

    id_of: Callable[[str], str]
    """Returns the id of a named user. Raises ValueError with a sentence."""
    name: Callable[[str], SafeText]
    """Returns the name of a user by the id."""


class FormAsk(Frozen):
    """A form with an operation's inputs and initial values; only changed fields are answers."""

    name: str
    title: str
    request: type[Any]
    initial: Mapping[str, Any] = field(default_factory=dict[str, Any])
    fixed: Mapping[str, Any] = field(default_factory=dict[str, Any])
    only: tuple[str, ...] = ()
    draft: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Field values instead of `initial`, as if typed."""
    each: tuple[tuple[SafeText, Mapping[str, Any]], ...] = ()
    """Names and current values of several records that are changed together, for the difference."""
    people: UserNames | None = None
    known: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Known values of text inputs; others can be typed."""
    note: str = ""
    """A sentence to show before the form is filled in, such as a possible refusal."""


class ReadAsk(Frozen):
    """A value that is read from the service when the action runs; the answer is the error if that fails."""

    name: str
    request: Request[Any]
    required: bool = False
    """Whether the action requires the answer."""


Ask = TextAsk | ChoiceAsk | FormAsk | ReadAsk
Answers = Mapping[str, Any]
"""Answers by the name of their prompt: str, a tuple of str with `many`, a dict of changed fields by python name, or the
record or error from the service."""
Asks = tuple[Ask | Callable[[Answers], Ask], ...]
"""Prompts, in order; one that depends on earlier answers is a function of them."""


class Action(Frozen, Generic[R]):
    """Something that a user may do with records of a kind."""

    id: str
    """`alerts.accept`; unique, and the name in key maps."""
    title: str
    key: str
    """The default key, in Textual's syntax; empty if only a menu or the palette offers it."""
    kind: str
    """The table it acts on, `everywhere`, or `grid` for skills and agents."""
    plan: Callable[[Situation, Sequence[R], Answers], Sequence[Step]]
    """Returns the steps to send. Raises ValueError with a sentence for invalid answers."""
    why_not: Callable[[Situation, Sequence[R]], str | None] | None = None
    """Returns why it is not possible, as a sentence, or None. Read-only profiles are checked in one place for all."""
    asks: Callable[[Situation, Sequence[R]], Asks] | None = None
    """Returns its prompts; None if it has none."""
    needs: str = "one"
    """`one`, `many` (with selection), or `none` (acts on no record)."""
    takes: bool = False
    """Whether the person takes the records on: what the rules find of them next does not ring."""
    footer: int = 5
    """1 is shown first in the footer; 9 only in help."""
    short: str = ""
    """Shorter title for the footer."""
    about: str = ""
    sends: tuple[type[Request[Any]], ...] = ()
    """The operations of its steps, which define permissions, variants and guards."""
    subject: str = ""
    """The kind of the keys of its steps, if not `kind`."""
    plan_lines: Callable[[Situation, Sequence[Step]], tuple[Line, ...]] | None = None
    """Lines for its steps if it is about several records; the records' names if None."""
    verb: str = ""
    """Meaning of its key on every screen: `new`, `delete`; the title if empty."""
    noun: str = ""
    """Word for the object of a step, if it is not a record of `subject` or `kind`: `member`."""

    @property
    def meaning(self) -> str:
        """Meaning of its key on every screen."""
        return self.verb or self.title
