"""Lists that the console keeps on this machine: they are printed without a service."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from console.cli.past.profile_recording import identity_of
from console.config.paths import places
from console.rules.compiled import faults_of
from console.rules.editing import rows_of
from console.rules.keeping import Kept, episodes_file, load_episodes
from console.rules.reading import load_rules

if TYPE_CHECKING:
    from console.cli.connection import SelectedProfile
    from console.records.record import Record

KEPT = ("episodes", "rules")


def kept_rows(kind: str, chosen: SelectedProfile) -> Mapping[str, Record]:
    """Return the rows of a kept list by key. Raise ConfigFault for invalid rules.

    Episodes are as the console of the profile wrote them last: it does that every few seconds, and at its end.
    """
    own = places(os.environ)
    identity = identity_of(chosen)
    kept = Kept() if identity is None else load_episodes(episodes_file(own, identity.key))
    if kind == "episodes":
        return {episode.key: episode for episode in kept.episodes}
    rules = (*load_rules(own, chosen.profile.rules).rules, *kept.once)
    faults = {rule.name: fault for rule, fault in reversed([*faults_of(rules)])}
    return {row.key: row for row in rows_of(rules, faults, kept.episodes)}
