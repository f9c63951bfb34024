"""`:` finds every list by its title."""

from __future__ import annotations

from console.kinds.catalogue import RESOURCES
from console.kinds.changes.columns import TABLE as OWN_CHANGES
from console.kinds.tables import TABLES
from console.ui.screens.overlays import places_to_go
from console.ui.screens.specs import SCREENS
from tests.for_each import for_each

OF_THE_PAST = frozenset({"differences", "changed-lists"})
"""Lists that compare two moments of a recording, which must be chosen first."""
ALL = {*TABLES, *RESOURCES, *(kind for spec in SCREENS for kind in spec.kinds)} - OF_THE_PAST


@for_each("kind", sorted(ALL))
def test_every_list_is_offered_by_its_title_and_opened(kind: str) -> None:
    title = TABLES[kind].title if kind in TABLES else RESOURCES[kind].title
    choices, places = places_to_go("^l", "^e")
    named = [each.value for each in choices if each.title.lower().endswith(title.lower())]
    assert named
    if kind not in {OWN_CHANGES.kind, "episodes", "rules", "connection"}:
        assert any(places[each][1] in {kind, ""} and kind in (*places[each], each) for each in named)


def test_no_title_repeats_its_heading() -> None:
    titles = [str(choice.title) for choice in places_to_go("^l", "^e")[0]]
    assert {"SIP identities", "SIP mappings", "Directory users"} <= {*titles}
    assert not [title for title in titles if len({*title.split()}) < len(title.split())]
