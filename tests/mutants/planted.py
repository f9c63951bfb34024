"""Bugs to plant: each is a fault that somebody could make, and that some cheap test must notice.

`tools/plant.py` puts them into a copy of the source, one at a time, and runs the tests named here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    """A fault, where it goes, and the tests that must fail with it."""

    name: str
    """What somebody did, in the words of a bad change."""
    file: str
    """Below `src/console`."""
    edits: tuple[tuple[str, str], ...]
    """What stands there, once, and what the fault makes of it."""
    tests: str
    """What to run: paths below `tests`, and after ` -k ` what to pick there."""


def _bug(name: str, file: str, old: str, new: str, tests: str) -> Bug:
    return Bug(name, file, ((old, new),), tests)


BUGS: tuple[Bug, ...] = (
    _bug(
        "removed rows leave no tombstone",
        "live/collection.py",
        "                self._gone[key] = self._version\n",
        "",
        "live/test_collection.py",
    ),
    _bug(
        "who resumes begins one event too early",
        "service/hub.py",
        "or gone else asked.resume.offset\n",
        "or gone else asked.resume.offset - 1\n",
        "service/test_event_channel.py",
    ),
    _bug(
        "a service that a domain does not offer can be used by its admins",
        "service/offers.py",
        "if service is None or caller.is_nobody:",
        "if service is None or caller.is_nobody or caller.is_admin:",
        "service/test_domain_services.py",
    ),
    _bug(
        "any secret will do for a registered client",
        "service/domain/clients.py",
        '        if not is_right(platform, client_id or "", secret or ""):\n',
        "        if not client_id:\n",
        "service/test_oauth_clients.py",
    ),
    _bug(
        "a user without the permission can record",
        "service/domain/permissions.py",
        'recording.recording_type != "none" and recording.recording_profile != "never"',
        'recording.recording_type != "none" or recording.recording_profile != "never"',
        "service/test_permissions_obeyed.py",
    ),
    _bug(
        "every user who lists a pool sees its passwords",
        "service/domain/withheld.py",
        "    if not caller.is_admin:\n        return bodies\n",
        "",
        "service/test_withheld.py",
    ),
    _bug(
        "the picture before the last one is still served",
        "service/domain/avatars.py",
        "presence is None or presence.avatar_url != url(user, name)",
        "presence is None or not name",
        "service/test_avatars.py",
    ),
    _bug(
        "rows of the provisioning service are read in camel case",
        "records/sealed.py",
        "else kind.wire_name(name)]",
        'else "".join(each.capitalize() if at else each for at, each in enumerate(name.split("_")))]',
        "unit/test_raw_rows.py -k own_names",
    ),
    _bug(
        "the earlier variant shows a field that only the later one has",
        "service/domain/presence.py",
        'for name in ("username", "domain", "role", "avatarUrl"):',
        'for name in ("username", "domain", "role"):',
        "contract/test_every_operation.py -k presence.update",
    ),
    _bug(
        "another life of the service goes unnoticed",
        "live/channel.py",
        "if beat.epoch != self.base.epoch:",
        "if not beat.epoch:",
        "live/test_convergence.py -k epoch",
    ),
    _bug(
        "events that come while a list is made are dropped",
        "live/follower.py",
        "buffered = self._buffer or []",
        "buffered: list[Event] = []",
        "live/test_convergence.py",
    ),
    _bug(
        "the backoff begins afresh with every connection",
        "live/channel.py",
        "        before = self.facts.proof\n        self.base, self._last",
        "        self._backoff.reset()\n        before = self.facts.proof\n        self.base, self._last",
        "live/test_convergence.py -k accepts_and_closes",
    ),
    _bug(
        "a heartbeat does not say what was sent before it",
        "live/channel.py",
        "elif beat.after > self._last:",
        "elif beat.after > self._last + 1_000_000:",
        "live/test_convergence.py",
    ),
    _bug(
        "ages are taken from the wall clock",
        "live/freshness.py",
        "    age = None if kind.proved is None else max(0.0, now - kind.proved)\n    retry",
        "    import time\n\n    age = None if kind.proved is None else max(0.0, time.time() - kind.proved)\n    retry",
        "live/test_freshness.py",
    ),
    _bug(
        "the rows go before the new list is complete",
        "live/follower.py",
        "        self._dirty = False\n        generation",
        "        self._dirty = False\n        self.collection.change({}, list(self._raw))\n        generation",
        "live/test_convergence.py",
    ),
    _bug(
        "an error on the second page is swallowed",
        "live/listing.py",
        "            with later_page(len(marks) + 1):\n"
        "                fetched = await self._client.fetch(listing(cursor))\n",
        "            try:\n                fetched = await self._client.fetch(listing(cursor))\n"
        "            except Exception:\n                break\n",
        "live/test_convergence.py -k later_page",
    ),
    _bug(
        "the second try has another idempotency key",
        "client/client.py",
        "            return await self._fetch(request, self.sessions.token, change, etag)",
        "            other = change and _Change(str(uuid.uuid4()), change.until)\n"
        "            return await self._fetch(request, self.sessions.token, other, etag)",
        "unit/client/test_client_asking.py -k idempotency",
    ),
    _bug(
        "what was not answered in time is sent again",
        "live/commands.py",
        "        except (TimedOut, BadAnswer) as error:\n",
        '        except TimedOut:\n            await self._desk.send(step.request, f"{name}-{number}-again")\n'
        "            return Outcome(step, Stage.DONE)\n        except BadAnswer as error:\n",
        "live/test_commands.py",
    ),
    _bug(
        "an action meets whoever stands in the row by then",
        "screens/conduct.py",
        "        hold = station.config.hold_seconds\n",
        "        hold = station.config.hold_seconds\n"
        "        if action.kind in FEEDS:\n"
        "            records = list(station.desk.records(action.kind).values())[: len(records)]\n",
        "behaviour/test_call_and_alert_actions.py -k alert_is_accepted",
    ),
    _bug(
        "text is painted as it came",
        "widgets/tones.py",
        "Content.styled(clean(words, _WIDEST),",
        "Content.styled(words,",
        "unit/test_tones.py",
    ),
    _bug(
        "the palette parses what is said of a command",
        "widgets/palette_hits.py",
        "    return Hit(score, _shown(words, about), do, text=name)",
        "    return Hit(score, words, do, text=name, help=clean(about, _WIDEST_ABOUT))",
        "unit/test_palette_hits.py",
    ),
    Bug(
        "escape sequences are filtered instead of characters",
        "text.py",
        (
            ("import unicodedata\n", "import re\nimport unicodedata\n"),
            ("    if code < 0x20:\n", "    if code < 0x20 and code != 0x1B:\n"),
            ("    if category in _UNSEEN or", "    if (category in _UNSEEN and code != 0x1B) or"),
            (
                "    text = value if isinstance(value, str) else _words(value)\n    if len(text) <= limit and",
                "    text = value if isinstance(value, str) else _words(value)\n"
                '    text = re.sub("\\x1b\\\\[[0-9;]*[A-Za-z]", "", text)\n    if len(text) <= limit and',
            ),
        ),
        "unit/test_text.py",
    ),
    _bug(
        "the bell is taken out after the rest was cleaned",
        "text.py",
        "    if code < 0x20:\n",
        '    if code == 7:\n        return "", _Sort.DROPPED, 0\n    if code < 0x20:\n',
        "unit/test_text.py",
    ),
    _bug(
        "tokens are compared with ==",
        "service/domain/tokens.py",
        "not hmac.compare_digest(row.hash.encode(), sought.encode())",
        "row.hash != sought",
        "static/test_comparing.py",
    ),
    _bug(
        "the disk is not waited for by the service",
        "service/database.py",
        "synchronous = FULL",
        "synchronous = OFF",
        "service/test_store.py -k synced",
    ),
    _bug(
        "state and event are two transactions",
        "service/database.py",
        "        offset: int = self.run(\n            _ADD_EVENT,",
        '        self.connection.exec_driver_sql("COMMIT")\n'
        '        self.connection.exec_driver_sql("BEGIN IMMEDIATE")\n'
        "        offset: int = self.run(\n            _ADD_EVENT,",
        "service/test_store.py -k neither_state",
    ),
    _bug(
        "an alert that has no retry left is never due",
        "service/domain/alerts.py",
        '    return extra.get("expiresAt") if retry is None else retry\n',
        '    return extra.get("nextRetryAt", extra.get("expiresAt")) if extra else retry\n',
        "service/test_passing_time.py -k without_retries",
    ),
    _bug(
        "what a list stops showing stays on the screen",
        "live/follower.py",
        "            self._drop_expired()\n",
        "",
        "service/test_passing_time.py -k console_shows",
    ),
    _bug(
        "who is added is sent as the whole list of members",
        "actions/members.py",
        "    request = AddParticipant(group_id=group.group_id, target_user_id=user_id)\n",
        "    request = ReorderParticipants(group_id=group.group_id, participants=(*group.participants, user_id))\n",
        "unit/actions/test_action_groups.py",
    ),
    Bug(
        "what is meant is written down after it was sent",
        "live/commands.py",
        (
            (
                "            await asyncio.to_thread(self._journal.append, self._intent(",
                "            late = (self._journal.append, self._intent(",
            ),
            (
                "        stage, reason = sum_up(outcomes)\n        unwritten = await",
                "        await asyncio.to_thread(*late)\n        stage, reason = sum_up(outcomes)\n"
                "        unwritten = await",
            ),
        ),
        "live/test_durable_intents.py -k before",
    ),
    _bug(
        "the disk is not waited for by the journal",
        "live/journal.py",
        "            os.fsync(handle)\n",
        "",
        "live/test_durable_intents.py -k before",
    ),
    _bug(
        "lines of the journal may go missing",
        "live/journal_reading.py",
        'if entry.get("previous") != previous or entry["number"] != number:',
        'if entry["number"] < number:',
        "live/test_journal.py",
    ),
    _bug(
        "a read-only profile is a matter of the screens",
        "client/client.py",
        "if self.endpoint.read_only and",
        "if self.endpoint.read_only and once and",
        "unit/client/test_client_asking.py -k read_only",
    ),
    _bug(
        "redirects are followed",
        "client/http.py",
        "follow_redirects=False",
        "follow_redirects=True",
        "unit/client/test_client_http.py -k redirects",
    ),
    _bug(
        "secret inputs are journaled",
        "live/journal_entries.py",
        "MASK if name in secret else without_secrets(value)",
        "value",
        "live/test_commands.py -k secrets",
    ),
    _bug(
        "other programs inherit the password",
        "cli/credentials.py",
        'frozenset({"CONSOLE_PASSWORD", ',
        "frozenset({",
        "cli/test_canaries.py -k no_command",
    ),
    _bug(
        "what was decided an hour ago is sent",
        "live/commands.py",
        "if late > LATEST_SECONDS else None",
        "if late > 100 * LATEST_SECONDS else None",
        "live/test_decisions.py",
    ),
    _bug(
        "the second of two orders replaces the first unseen",
        "live/merging.py",
        "    if disputed and not insist:",
        "    if False:",
        "live/test_merging.py",
    ),
    _bug(
        "any certificate of the right authority is good enough",
        "client/endpoint.py",
        "        context.minimum_version",
        "        context.check_hostname = False\n        context.minimum_version",
        "unit/client/test_client_tls.py -k another",
    ),
    _bug(
        "old news are as good as new ones",
        "actions/gate.py",
        "    return Guard(found + 1) if stale and",
        "    return Guard(found + 1) if False and",
        "unit/actions/test_action_gate.py",
    ),
    _bug(
        "an agent at lunch counts as free",
        "tables/facts/presence.py",
        "dict.fromkeys(state_words.AWAY, Reach.AWAY)",
        "dict.fromkeys(state_words.AWAY, Reach.FREE)",
        "unit/tables/test_facts.py",
    ),
    _bug(
        "only a call whose state is spelled queued waits",
        "tables/facts/calls.py",
        "plain(state) in state_words.WAITING and",
        'state == "queued" and',
        "unit/tables/test_facts.py",
    ),
    _bug(
        "a table gets a column that databases in use lack",
        "service/domain/remote_log.py",
        '    sa.Column("file", sa.Text),\n',
        '    sa.Column("file", sa.Text),\n    sa.Column("line", sa.Integer),\n',
        "service/test_upgrades.py -k declared_one",
    ),
    _bug(
        "an upgrade that fails keeps the steps before",
        "service/store_file.py",
        '            if step is steps[-1]:\n                connection.execute("COMMIT")\n',
        '            connection.execute("COMMIT")\n            connection.execute("BEGIN IMMEDIATE")\n',
        "service/test_upgrades.py -k step_that_fails",
    ),
    _bug(
        "an event is sent however large it is",
        "service/hub.py",
        "return text if len(text) <= LARGEST_EVENT else",
        "return text if text else",
        "service/test_large_events.py -k too_large",
    ),
    _bug(
        "a subscriber for whom too much waits is closed",
        "service/hub.py",
        "        if self._bytes > MOST_QUEUED // 2:\n",
        "        if self._waiting:\n",
        "service/test_large_events.py -k bounded",
    ),
    _bug(
        "a change that was not sent is not listed",
        "live/follower.py",
        'if any(event.kind == "relist" for event in events):',
        'if any(event.kind == "relisted" for event in events):',
        "live/test_convergence.py -k too_large",
    ),
    _bug(
        "anybody may say from which address they ask",
        "service/proxies.py",
        "        if self._trusts(nearest):\n",
        "        if nearest:\n",
        "service/test_proxies.py -k forged",
    ),
    _bug(
        "the server believes what proxies on the machine say",
        "service/serve.py",
        "proxy_headers=False,",
        "proxy_headers=True,",
        "service/test_proxies.py -k forged",
    ),
    _bug(
        "an answer that holds a secret is not kept for who asks again",
        "service/dispatch.py",
        "                if attempt is not None:\n",
        "                if attempt is not None and not request.operation.answers_secret:\n",
        "contract/test_idempotency.py -k clients.register",
    ),
    _bug(
        "a key does not count while its first request waits",
        "service/idempotency.py",
        "        if key in self._keys:\n",
        "        if not key:\n",
        "service/test_once.py -k log_ins_at_once",
    ),
    _bug(
        "answers to repeated requests are kept as they are",
        "service/idempotency.py",
        "    sealed = seals.seal(attempt.purpose, body.decode()).encode()\n",
        "    sealed = body\n",
        "service/test_once.py -k kept_sealed",
    ),
    _bug(
        "texts may be as long as the body",
        "service/content.py",
        '    _check_count(path, len(text), longest, "characters", "maxLength")\n',
        "",
        "service/test_input_limits.py -k one_more",
    ),
    _bug(
        "a page with a success status is an answer",
        "client/errors.py",
        "    if request.is_foreign(body, media):\n",
        "    if request.is_foreign(body, media) and status >= 300:\n",
        "unit/client/test_what_is_an_answer.py",
    ),
    _bug(
        "the content type decides whether an answer is a page",
        "api/answer_check.py",
        """    if not text or text[0] in '{["'""",
        """    if "html" not in media or not text or text[0] in '{["'""",
        "unit/client/test_what_is_an_answer.py",
    ),
    _bug(
        "an object is read although it has nothing of what was declared",
        "api/answer_check.py",
        "    if came and not declared_names(kind) & came.keys():\n",
        "    if came and not kind:\n",
        "unit/client/test_what_is_an_answer.py",
    ),
    _bug(
        "a change answered with a page counts as refused",
        "live/commands.py",
        "        except (TimedOut, BadAnswer) as error:\n            return Outcome(step, Stage.UNKNOWN",
        "        except (TimedOut, BadAnswer) as error:\n            return Outcome(step, Stage.REFUSED",
        "live/test_commands.py",
    ),
    _bug(
        "console call prints whatever was sent",
        "cli/calling.py",
        "    async with logged_in(chosen) as client:\n        return (await client.ask(request)).fetched\n",
        "    async with logged_in(chosen) as client:\n        return await client.fetch(request)\n",
        "cli/test_portals.py -k no_such_answer",
    ),
    _bug(
        "an empty answer is an empty list",
        "live/feeds.py",
        '            raise ValueError("it is empty")\n',
        "            return ()\n",
        "live/test_list_bounds.py -k never_believed",
    ),
    _bug(
        "a list goes on for as long as its pages do",
        "live/bounds.py",
        "        return not self.cut\n",
        "        return True\n",
        "live/test_list_bounds.py -k never_ends_is_cut",
    ),
    _bug(
        "a cursor that has expired is a refusal for good",
        "live/listing.py",
        "        raise CursorRefused(words, operation=error.operation, status=error.status) from error\n",
        "        raise\n",
        "live/test_list_bounds.py -k expires",
    ),
    _bug(
        "a channel that closes before it has subscribed was never open",
        "live/channel.py",
        "accepted = started is not None or not isinstance(error, NoAnswer)",
        "accepted = opened or not isinstance(error, NoAnswer)",
        "faults/test_coming_back.py -k first_minute",
    ),
    _bug(
        "rows are kept however large they are",
        "live/feeds.py",
        "        if len(kept) <= LARGEST_TEXT:\n",
        "        if kept:\n",
        "live/test_list_bounds.py -k too_large",
    ),
    _bug(
        "spreading by load forgets what it has given",
        "actions/order.py",
        "        pool[best.agent.id] = replace(best, load=best.load + 1)\n",
        "        pool[best.agent.id] = best\n",
        "unit/actions/test_action_people.py -k spreading",
    ),
    _bug(
        "chats of others are transferred with the own ones",
        "actions/gate.py",
        "    fitting = [each for each, reason in reasons if reason is None]\n",
        "    fitting = list(records)\n",
        "unit/actions/test_action_people.py -k skipped",
    ),
    _bug(
        "a wide change is held back and never asked about",
        "actions/gate.py",
        "    found, change = step.request.guarded(), step.request.operation.change\n",
        "    found, change = min(step.request.guarded(), Guard.SMALL), step.request.operation.change\n",
        "unit/actions/test_guards.py",
    ),
    _bug(
        "undo does not stop a recording",
        "actions/inverses.py",
        "    StartRecording: _stop,\n",
        "",
        "unit/actions/test_guards.py unit/actions/test_action_calls_alerts.py",
    ),
    _bug(
        "who is unfollowed takes all the others along",
        "actions/following.py",
        "    left = tuple(each for each in lists.subscribed if each not in gone)\n",
        "    left = ()\n",
        "unit/actions/test_action_people.py -k follow",
    ),
    _bug(
        "an agent who is made a plain user does not get the skills back",
        "actions/inverses.py",
        "    return (*back, *(_skills_back(situation, user) if lost else ()))\n",
        "    return back\n",
        "unit/actions/test_action_people.py -k plain",
    ),
    _bug(
        "events that were too many to wait for a list are forgotten",
        "live/follower.py",
        "                self._lost.update(event.key for event in (*self._buffer, *events))\n",
        "",
        "live/test_list_bounds.py -k too_many_to_wait",
    ),
    _bug(
        "a flood is taken without a rest while somebody types",
        "live/channel.py",
        "if len(messages) >= FLOOD and (seconds := pauses.way()):",
        "if len(messages) > 1_000_000 and (seconds := pauses.way()):",
        "live/test_floods.py",
    ),
    _bug(
        "a delivery is given up after its first failed attempt",
        "service/transports/sending.py",
        "            if due.tries + 1 < MOST_ATTEMPTS:\n",
        "            if due.tries + 1 < 1:\n",
        "service/test_deliveries.py -k longer_and_longer",
    ),
    _bug(
        "a delivery is marked as sent before it is sent",
        "service/transports/sending.py",
        "            await self._transport.send(due)\n            self._works()\n",
        "            deliveries.note_sent(self._platform, due.id)\n            await self._transport.send(due)\n",
        "service/test_deliveries.py -k ended_is_sent",
    ),
    _bug(
        "a user's own calls are shown as all there are",
        "tables/facts/scope.py",
        "            return Scope.OWN\n",
        "            return Scope.ALL\n",
        "unit/tables/test_scope.py",
    ),
    _bug(
        "a member whose presence is not known counts as offline",
        "tables/facts/groups.py",
        "known=len(found) - found.count(None)",
        "known=len(found)",
        "unit/tables/test_facts.py -k members",
    ),
    _bug(
        "only alerts ring",
        "screens/bell.py",
        '    "chats": _own_chats,\n',
        "",
        "behaviour/test_bell.py",
    ),
    _bug(
        "a chat that is offered does not ring",
        "screens/bell.py",
        '    "notifications": _offered_chats,\n',
        "",
        "behaviour/test_bell.py",
    ),
    _bug(
        "the end of an offer is not announced",
        "service/domain/notifications.py",
        "        NOTIFICATIONS.remove(tx, row.key)\n",
        "        tx.run(sa.delete(NOTIFICATIONS.table).where(NOTIFICATIONS.c.key == row.key))\n",
        "service/test_offers.py",
    ),
    _bug(
        "an offer that was rejected stays with who rejected it",
        "service/domain/notifications.py",
        " if each != user]\n",
        "]\n",
        "service/test_offers.py",
    ),
    _bug(
        "every chat rings, whoever it is for",
        "screens/bell.py",
        " if chats.mine(each, sight))",
        ")",
        "behaviour/test_bell.py",
    ),
    _bug(
        "what needs attention and has no room is not counted",
        "widgets/concerns.py",
        "sum(each.many for each in self._concerns[end:])",
        "0",
        "behaviour/test_home.py -k no_room",
    ),
    _bug(
        "equal waits are not told together",
        "tables/attention.py",
        "_alike(long, lambda wait: wait.target)",
        "_alike(long, lambda wait: wait.key)",
        "unit/tables/test_attention.py",
    ),
    _bug(
        "totals are cut in the middle of a number",
        "widgets/saying.py",
        "        parts.pop()\n",
        "        parts[-1].pop() if len(parts[-1]) > 1 else parts.pop()\n",
        "unit/test_widget_parts.py -k totals",
    ),
    _bug(
        "a full list is asked for with an ETag",
        "live/listing.py",
        "None if full else marks",
        "marks",
        "live/test_silent_changes.py -k polled",
    ),
    _bug(
        "rows that events keep up to date are never listed again",
        "live/follower.py",
        "due = self._resync.due if self.facts.joined and not self._dirty else self._due",
        "due = inf if self.facts.joined and not self._dirty else self._due",
        "live/test_silent_changes.py",
    ),
    _bug(
        "events that are not UTF-8 are believed",
        "api/events.py",
        "return event if text.isascii() or _is_utf8(text) else DAMAGED",
        "return event",
        "unit/client/test_client_stream.py -k utf_8",
    ),
)
