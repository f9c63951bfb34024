"""Pools of SIP identities: how many of a domain can be assigned (contract 2.20)."""

from __future__ import annotations

from collections.abc import Collection

from console.base.frozen import Frozen
from console.base.text import SafeText, clean
from console.kinds.domains import FREE
from console.records.extent import Extent
from console.records.sip import SipIdentity
from console.views import columns, wording
from console.views.cell import Tone
from console.views.render_context import RenderContext


class SipPool(Frozen):
    """Numbers of SIP identities."""

    free: int
    """Identities that are available."""
    in_doubt: int
    """Identities of which it is unknown whether they are."""
    size: int
    exact: bool
    """Whether no other identity may be free: none is in doubt, and all are listed."""

    @property
    def free_if_known(self) -> int | None:
        """The number of free identities; None if none is known to be free, but one may be."""
        return self.free if self.free or self.exact else None

    @property
    def used_share(self) -> float:
        """The share of identities that are not known to be free, from 0 to 1."""
        return 1 - self.free / self.size

    def free_words(self, render: RenderContext) -> SafeText:
        """Return the free ones of all: `2 of 4`, `≥ 2 of 4` if more may be free."""
        if self.free_if_known is None:
            return clean(f"{wording.dash(render)} of {wording.amount(self.size)}")
        return wording.least(clean(wording.share(self.free, self.size)), render, exact=self.exact)

    def tone(self, render: RenderContext) -> Tone:
        """Return the severity of the share of free ones, if all in doubt are free."""
        return columns.severity(FREE, 100 * (self.free + self.in_doubt) / self.size, render)


def pool_of(identities: Collection[SipIdentity], render: RenderContext) -> SipPool:
    """Count SIP identities."""
    free = sum(identity.available is True for identity in identities)
    in_doubt = sum(identity.available is None for identity in identities)
    exact = not in_doubt and render.extent("sip-identities") is Extent.WHOLE
    return SipPool(free, in_doubt, len(identities), exact)
