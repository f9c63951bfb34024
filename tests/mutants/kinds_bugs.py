"""Bugs of views, commands and kinds."""

from __future__ import annotations

from tests.mutants.bug import Bug, bug

BUGS: tuple[Bug, ...] = (
    bug(
        "undo switches statistics off that were on before",
        "kinds/calls/effects.py",
        "if collects is request.enable or (collects is None and request.enable):",
        "if collects is None and request.enable:",
        "kinds/calls/test_actions.py -k already",
    ),
    bug(
        "old news are as good as new ones",
        "commands/guards.py",
        "    return Guard(found + 1) if stale and",
        "    return Guard(found + 1) if False and",
        "commands/test_guards.py",
    ),
    bug(
        "chats of others are transferred with the own ones",
        "commands/guards.py",
        "    fitting = [each for each, reason in reasons if reason is None]\n",
        "    fitting = list(records)\n",
        "kinds/chats/test_actions.py -k skipped",
    ),
    bug(
        "a wide change is held back and never asked about",
        "commands/guards.py",
        "    return step.request.guarded(undoable=bool(step.inverse))\n",
        "    return min(step.request.guarded(undoable=bool(step.inverse)), Guard.SMALL)\n",
        "kinds/test_guards.py",
    ),
    bug(
        "who is added is sent as the whole list of members",
        "kinds/members/actions.py",
        "    request = AddParticipant(group_id=group.group_id, target_user_id=user_id)\n",
        "    request = ReorderParticipants(group_id=group.group_id, participants=(*group.participants, user_id))\n",
        "kinds/groups/test_actions.py",
    ),
    bug(
        "an agent at lunch counts as free",
        "kinds/presence/facts.py",
        "dict.fromkeys(state_words.AWAY, Availability.AWAY)",
        "dict.fromkeys(state_words.AWAY, Availability.FREE)",
        "kinds/agents/test_facts.py kinds/presence/test_facts.py",
    ),
    bug(
        "only a call whose state is spelled queued waits",
        "kinds/calls/facts.py",
        "plain(state) in state_words.WAITING and",
        'state == "queued" and',
        "kinds/calls/test_facts.py",
    ),
    bug(
        "spreading by load forgets what it has given",
        "kinds/chats/distribution.py",
        "        pool[best.agent.id] = replace(best, load=best.load + 1)\n",
        "        pool[best.agent.id] = best\n",
        "kinds/chats/test_actions.py -k distribut",
    ),
    bug(
        "undo does not stop a recording",
        "kinds/calls/effects.py",
        "    StartRecording: _stop,\n",
        "",
        "kinds/test_guards.py kinds/calls/test_actions.py",
    ),
    bug(
        "who is unfollowed takes all the others along",
        "kinds/presence/following.py",
        "    left = tuple(each for each in lists.subscribed if each not in gone)\n",
        "    left = ()\n",
        "kinds/presence/test_actions.py -k follow",
    ),
    bug(
        "an agent who is made a plain user does not get the skills back",
        "kinds/users/effects.py",
        "    return (*back, *(_skills_back(situation, user) if lost else ()))\n",
        "    return back\n",
        "kinds/agents/test_actions.py -k plain",
    ),
    bug(
        "a user's own calls are shown as all there are",
        "kinds/scope.py",
        "found = others if render.role",
        "found = admins if render.role",
        "kinds/test_scope.py",
    ),
    bug(
        "a member whose presence is not known counts as offline",
        "kinds/groups/facts.py",
        "known=len(found) - found.count(None)",
        "known=len(found)",
        "kinds/groups/test_facts.py",
    ),
    bug(
        "rows without a value come first in descending order",
        "views/order.py",
        "        return rank + _NONE, 0\n",
        "        return rank + (-1 if descending else _NONE), 0\n",
        "views/test_view.py -k descending",
    ),
    bug(
        "a spreadsheet runs a name as a formula",
        "views/export.py",
        'return f"\'{text}" if _FORMULA.match(text) and not _PHONE.fullmatch(text) else text',
        "return text",
        "views/test_export.py",
    ),
    bug(
        "a value that is equal to its threshold is no warning",
        "views/thresholds.py",
        "else value >= level",
        "else value > level",
        "views/test_thresholds.py",
    ),
    bug(
        "the newest interval of a trend is on the left",
        "views/trend.py",
        "counts[amount - 1 - int(ago)] += 1",
        "counts[int(ago)] += 1",
        "views/test_trend.py",
    ),
    bug(
        "a second exclamation mark does not undo the first",
        "views/filter.py",
        "            turned = not turned\n        if not self._peek() or",
        "            turned = True\n        if not self._peek() or",
        "views/test_filter.py",
    ),
)
