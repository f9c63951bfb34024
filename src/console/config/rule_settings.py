"""Rules as they are written in TOML: what needs attention, and what to do then."""

from __future__ import annotations

from typing import Annotated, Literal

from console.base.frozen import field
from console.config.settings import Meta, Settings

Severity = Literal["critical", "warning", "notice"]
SEVERITIES: tuple[Severity, ...] = ("critical", "warning", "notice")
"""From the worst to the least."""
RuleName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*$")]
NotEmpty = Annotated[str, Meta(min_length=1)]


class RuleSettings(Settings):
    """One table `[rules.NAME]`. Missing keys keep the value of the rule of that name in an earlier file."""

    list: NotEmpty | None = None
    """The list whose rows are watched, as in `console list`."""
    filter: str | None = None
    """Filter of its rows, as typed after `/`. Default: all rows."""
    condition: NotEmpty | None = None
    """When the rule applies: `any`, `none`, `count > 5`, `sum(queue) > 20`, `longest > 2m`, `rate > 10/min`, each also
    with `for 30s`. Default: `any`."""
    critical: str | None = None
    """A condition from which it is critical. Default: none."""
    each: str | None = None
    """Subject of one episode: `record` for each row, a column for the rows with the same value, empty for the whole
    list. Default: the whole list."""
    unless: str | None = None
    """Another rule: while that one applies to the same, and for its `hold` afterwards, this one does not."""
    subject: NotEmpty | None = None
    """A word that it has in common with rules of other lists: what one of them has told does not ring again within five
    seconds for another rule about the same value of `each`. Default: none."""
    severity: Severity | None = None
    """`critical`, `warning` or `notice`. Default: `warning`."""
    title: NotEmpty | None = None
    """Its title, in a word or two. Default: the rule's name."""
    words: NotEmpty | None = None
    """The line for people. `{name}` is the row or the common value, `{count}` the number of rows, `{caller}` a column
    of the first row. Default: `{name}`."""
    hold: NotEmpty | None = None
    """How long after its end an episode is resumed instead of a new one. Grows while the rule goes on and off. Default:
    `30s`."""
    mine: bool | None = None
    """Whether it waits for you in person: it comes first. Default: false."""
    renews: bool | None = None
    """Whether each further row must be seen, too. Default: false."""
    enabled: bool | None = None
    """Whether the rule is on. Default: true."""


class RulesFile(Settings):
    """A file with rules: `rules.toml` next to the configuration."""

    rules: dict[RuleName, RuleSettings] = field(default_factory=dict[str, RuleSettings])
    """Rules by name. A rule with the name of a shipped one changes the keys that it has."""
