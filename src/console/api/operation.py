"""Properties of an operation, except its inputs."""

from __future__ import annotations

from console.api.annotations import EXTENSION, Access, Change, Effect, Guard, Service, Variant
from console.api.route import Route
from console.base.frozen import Frozen


class Operation(Frozen):
    """Properties of an operation, except its inputs."""

    name: str
    """Its name on the command line, in routes files and in the palette: `<resource>.<verb>`."""
    title: str
    """One-line description: the first line of the class's docstring."""
    label: str
    """Its title in lists of actions and over its form; empty if verb and kind of record make a sentence."""
    section: str
    """Its section in the contract, or EXTENSION."""
    row: str
    """Title of its row in the contract; empty for an extension."""
    route: Route
    effect: Effect
    access: Access
    service: Service
    variant: Variant | None
    """The only variant that has it, or None for both."""
    unwrap: str | None
    """The field that wraps the answer, if any."""
    unwrap_in: Variant | None
    """The only variant that wraps the answer, or None for both."""
    says: str | None
    """The bare string that the embedded service answers, if the contract defines one."""
    says_in: Variant | None
    """The only variant that answers with the bare string, or None for both."""
    error_shape: str
    """Format of its error bodies: one of the contract's four (section 7), or the OAuth2 format."""
    error_shape_earlier: str | None
    """The same for the earlier variant, if it differs."""
    answers_secret: bool
    """Whether the answer contains a secret, which must not be stored readably."""
    takes_form: bool
    """Whether the body may also be form-encoded, as OAuth2 clients send it (RFC 6749)."""
    change: Change | None
    """Its guard and effects; None for an operation that only reads."""

    @property
    def is_extension(self) -> bool:
        """Whether it is outside the contract."""
        return self.section == EXTENSION

    @property
    def guard(self) -> Guard:
        """How it is confirmed before it is sent."""
        return self.change.guard if self.change is not None else Guard.READ

    @property
    def words(self) -> str:
        """Its description for a screen: without the backticks of its docstring."""
        return self.title.replace("`", "")

    @property
    def makes_change(self) -> bool:
        """Whether it changes more than the login."""
        return self.effect is Effect.CHANGE and self.access is not Access.ANYONE

    def wrapper(self, variant: Variant) -> str | None:
        """Return the field that wraps the answer in this variant, if any."""
        return self.unwrap if self.unwrap_in in {None, variant} else None

    def says_to(self, variant: Variant) -> str | None:
        """Return the bare string of the answer in this variant, if any."""
        return self.says if self.says_in in {None, variant} else None

    def refuses_with(self, variant: Variant) -> str:
        """Return the format of error bodies in this variant."""
        earlier = self.error_shape_earlier if variant is Variant.EARLIER else None
        return earlier or self.error_shape
