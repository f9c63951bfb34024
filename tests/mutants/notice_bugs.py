"""Bugs of rules and notices."""

from __future__ import annotations

from tests.mutants.bug import Bug, bug

BUGS: tuple[Bug, ...] = (
    bug(
        "an episode without news rings again at each change",
        "rules/episodes.py",
        "if self._worsens(rule, track, severity, now_ms) or renewed:",
        "if True:",
        "rules",
    ),
    bug(
        "a rule that flaps is held no longer than a calm one",
        "rules/episodes.py",
        "rule.hold_ms if calm else min(2 * hold, max(LONGEST_HOLD_MS, rule.hold_ms))",
        "rule.hold_ms",
        "rules/test_hysteresis.py",
    ),
    bug(
        "a rule applies before its time has passed",
        "rules/episodes.py",
        "if not track.active and now_ms < begins:",
        "if False:",
        "rules",
    ),
    bug(
        "a severity that returns after hours is no news",
        "rules/episodes.py",
        "forgotten = track.eased_at is not None and ",
        "forgotten = False and track.eased_at is not None and ",
        "rules/test_hysteresis.py",
    ),
    bug(
        "a chat that a person has taken rings as new",
        "rules/episodes.py",
        "        expected = now_ms < until\n",
        "        expected = False\n",
        "rules/test_hysteresis.py",
    ),
    bug(
        "an episode of an earlier session is forgotten",
        "rules/episodes.py",
        "        self._tracks[identity] = _Track(0.0, None, episode.id, not over, episode.ended_at or 0.0, told)\n",
        "        self._tracks[identity] = _Track(0.0)\n",
        "rules",
    ),
    bug(
        "a muted episode is told",
        "notices/schedule.py",
        "return not (over(self.episode) or muted(self.episode))",
        "return not over(self.episode)",
        "notices/test_schedule.py",
    ),
    bug(
        "two hundred episodes are two hundred notices",
        "notices/schedule.py",
        "many = len(found) > MANY",
        "many = False",
        "notices/test_schedule.py",
    ),
    bug(
        "a notice goes on after it was seen",
        "notices/schedule.py",
        "            each.seen = True\n",
        "            each.seen = False\n",
        "notices/test_schedule.py",
    ),
    bug(
        "every console of a person rings",
        "notices/claims.py",
        "return Granted(frozenset() if told else unseen, seen)",
        "return Granted(unseen, seen)",
        "notices/test_claims.py",
    ),
    bug(
        "news soon after a key are taken for what was seen",
        "notices/claims.py",
        "return None if met_before or same.rank",
        "return None if same.rank",
        "notices/test_claims.py",
    ),
    bug(
        "a seen warning stays silent when it becomes critical",
        "notices/claims.py",
        "return None if met_before or same.rank < claim.rank or same.news_ms",
        "return None if (met_before and same.rank == claim.rank) or same.news_ms",
        "notices/test_claims.py",
    ),
    bug(
        "each console repeats what one of them has repeated",
        "notices/claims.py",
        "        return met.times < same.times\n",
        "        return not same.times\n",
        "notices/test_stories.py",
    ),
    bug(
        "a key also counts for news that came a moment later",
        "rules/watch.py",
        "int(known.news_at or 0) > news.get(each, 0)",
        "not news.get(each, 0)",
        "rules/test_mutes.py",
    ),
    bug(
        "after a sleep, waits ring that are long over",
        "rules/watch.py",
        "health.age < since_break if health.state in _KNOWN else not self.judged",
        "health.state in _KNOWN or not self.judged",
        "rules/test_sleep.py",
    ),
    bug(
        "an episode that becomes due while its list says nothing is forgotten",
        "rules/watch.py",
        '                self._pending.put(f"{name}\\n{about}", now_ms)\n',
        '                self._pending.put(f"{name}\\n{about}", None)\n',
        "rules/test_sleep.py",
    ),
    bug(
        "a webhook gives up after a minute",
        "notices/ways/webhook.py",
        "ATTEMPTS = 130",
        "ATTEMPTS = 7",
        "notices/test_webhook.py -k outage_of_an_hour",
    ),
    bug(
        "a text may continue as another field of a notification",
        "notices/ways/terminal.py",
        ".translate(_PUNCTUATION)",
        "",
        "notices/test_terminal_ways.py",
    ),
)
