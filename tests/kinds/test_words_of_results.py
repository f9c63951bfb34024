"""The words of a result are a past participle and an object, for every change and also without a name."""

from __future__ import annotations

import re

from console.api.catalogue import catalogue, find
from console.kinds.operating import FORM, change, is_change
from tests.for_each import for_each
from tests.kinds.action_world import situation
from tests.kinds.sample_inputs import sample_inputs

CHANGES = [name for name, request in catalogue().items() if is_change(request)]
OTHER_VERBS = {"notify", "add", "log"}


def own_verbs(name: str) -> set[str]:
    """Return the verbs of an operation's name and of its title in the contract."""
    title = find(name).operation.row.partition(" ")[0].lower()
    return {name.rpartition(".")[2].partition("-")[0], title} - {""}


VERBS = OTHER_VERBS.union(*(own_verbs(name) for name in CHANGES))


@for_each("name", CHANGES)
def test_the_words_of_a_result_do_not_repeat_the_verb(name: str) -> None:
    request = find(name)
    operation = request.operation
    (step,) = change(name).plan(situation(), (), {FORM: sample_inputs(request, {})})
    done = operation.change.done if operation.change is not None and operation.change.done else "sent"
    assert step.words.startswith(f"{done} ")
    left = re.findall(r"[\w']+", step.words.removeprefix(done).lower())
    assert left, "the object is missing"
    assert left[0] not in VERBS | {"to", "in", "into", "of", "from", "them"}
    assert not own_verbs(name).intersection(left)


@for_each(
    "name, words",
    [
        ("sessions.create", "created session"),
        ("groups.leave-all", "left all groups"),
        ("tokens.revoke", "revoked a token"),
        ("sessions.update-many", "changed several sessions"),
        ("sip-identities.create", "created x"),
    ],
)
def test_a_change_without_a_name_tells_what_was_changed(name: str, words: str) -> None:
    (step,) = change(name).plan(situation(), (), {FORM: sample_inputs(find(name), {})})
    assert step.words == words
