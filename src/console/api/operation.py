"""What is known of an operation besides its inputs."""

from __future__ import annotations

from console.api.annotations import EXTENSION, Access, Change, Effect, Guard, Service, Variant
from console.api.route import Route
from console.frozen import Frozen


class Operation(Frozen):
    """What is known of an operation besides its inputs."""

    name: str
    """How it is called on the command line, in routes files and in the palette: `<resource>.<verb>`."""
    title: str
    """What it does, in a line: the first line of the class's docstring."""
    section: str
    """Section of the contract it comes from, or EXTENSION."""
    row: str
    """Title of the contract's row it comes from; empty for an extension."""
    route: Route
    effect: Effect
    access: Access
    service: Service
    variant: Variant | None
    """The one variant that has it, or None when both do."""
    unwrap: str | None
    """The field that the answer is wrapped in, if it is."""
    unwrap_in: Variant | None
    """The one variant that wraps the answer, or None when both do."""
    says: str | None
    """The bare string that the embedded service answers, where the contract gives one."""
    says_in: Variant | None
    """The one variant that answers with the bare string, or None when both do."""
    error_shape: str
    """Which of the contract's four error bodies (section 7), or that of OAuth2, this operation refuses with."""
    error_shape_earlier: str | None
    """The same in the earlier variant, where it differs."""
    answers_secret: bool
    """Whether the answer holds a secret, of which nothing may keep a readable copy."""
    takes_form: bool
    """Whether the body can be form-encoded too, as OAuth2 clients send it (RFC 6749)."""
    change: Change | None
    """How it is guarded and what it changes; None for an operation that reads."""

    @property
    def is_extension(self) -> bool:
        """Whether the contract does not have it."""
        return self.section == EXTENSION

    @property
    def guard(self) -> Guard:
        """How carefully it is handled before it is sent."""
        return self.change.guard if self.change is not None else Guard.READ

    @property
    def makes_change(self) -> bool:
        """Whether it changes more than who is logged in."""
        return self.effect is Effect.CHANGE and self.access is not Access.ANYONE

    def wrapper(self, variant: Variant) -> str | None:
        """Return the field that the answer is wrapped in by a service of that variant, if it is."""
        return self.unwrap if self.unwrap_in in {None, variant} else None

    def says_to(self, variant: Variant) -> str | None:
        """Return the bare string that a service of that variant answers, if it does."""
        return self.says if self.says_in in {None, variant} else None

    def refuses_with(self, variant: Variant) -> str:
        """Return the shape of the error body of a service of that variant."""
        earlier = self.error_shape_earlier if variant is Variant.EARLIER else None
        return earlier or self.error_shape
