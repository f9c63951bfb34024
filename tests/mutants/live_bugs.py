"""Bugs of lists, events, commands and the journal."""

from __future__ import annotations

from tests.mutants.bug import Bug, bug

BUGS: tuple[Bug, ...] = (
    bug(
        "a login that is stored later is not taken",
        "live/authentication.py",
        "            store.login = latest\n",
        "            return None\n",
        "live/test_authentication.py",
    ),
    bug(
        "a change that was only accepted is shown as done",
        "live/commands.py",
        "return Outcome(step, Stage.UNKNOWN, error.reason, accepted=True)",
        "return Outcome(step, Stage.DONE, error.reason, accepted=True)",
        "live/test_accepted_commands.py -k accepted_change",
    ),
    bug(
        "a record of a snapshot is gone between its key and its value",
        "live/collection.py",
        "self._records = self._copy = self._collection.copy()",
        "self._copy = self._collection.copy()",
        "live/test_collection.py",
    ),
    bug(
        "each event walks over all rows",
        "live/follower.py",
        "        changed = rows.update(",
        "        [sum(1 for record in self.collection.snapshot().values() if record.key) for _ in latest]\n"
        "        changed = rows.update(",
        "budgets -k thread",
    ),
    bug(
        "removed rows leave no tombstone",
        "live/collection.py",
        "                self._gone[key] = self._version\n",
        "",
        "live/test_collection.py",
    ),
    bug(
        "another life of the service goes unnoticed",
        "live/channel.py",
        "if beat.epoch != self.base.epoch:",
        "if not beat.epoch:",
        "live/test_convergence.py -k epoch",
    ),
    bug(
        "events that come while a list is made are dropped",
        "live/follower.py",
        "buffered = self._buffer or []",
        "buffered: list[Event] = []",
        "live/test_convergence.py",
    ),
    bug(
        "the backoff begins afresh with every connection",
        "live/channel.py",
        "        before = self.facts.proof\n        self.base, self._last",
        "        self._backoff.reset()\n        before = self.facts.proof\n        self.base, self._last",
        "live/test_convergence.py -k accepts_and_closes",
    ),
    bug(
        "a heartbeat does not say what was sent before it",
        "live/channel.py",
        "elif beat.after > self._last:",
        "elif beat.after > self._last + 1_000_000:",
        "live/test_convergence.py",
    ),
    bug(
        "ages are taken from the wall clock",
        "live/freshness.py",
        "    age = None if kind.proved is None else max(0.0, now - kind.proved)\n    retry",
        "    import time\n\n    age = None if kind.proved is None else max(0.0, time.time() - kind.proved)\n    retry",
        "live/test_freshness.py",
    ),
    bug(
        "the rows go before the new list is complete",
        "live/follower.py",
        "        self._dirty = False\n        generation",
        "        self._dirty = False\n        self.collection.change({}, [*self.collection.copy()])\n"
        "        generation",
        "live/test_convergence.py",
    ),
    bug(
        "an error on the second page is swallowed",
        "live/listing.py",
        "            with paging.asking():\n                fetched = await self._client.fetch(paging.next)\n",
        "            try:\n                fetched = await self._client.fetch(paging.next)\n"
        "            except Exception:\n                break\n",
        "live/test_convergence.py -k later_page",
    ),
    bug(
        "what was not answered in time is sent again",
        "live/commands.py",
        "        except (TimedOut, BadAnswer) as error:\n",
        "        except TimedOut:\n"
        '            await self._engine.client.send(step.request, once=f"{name}-{number}-again")\n'
        "            return Outcome(step, Stage.DONE)\n        except BadAnswer as error:\n",
        "live/test_commands.py",
    ),
    bug(
        "what a list stops showing stays on the screen",
        "live/follower.py",
        "            self._drop_expired()\n",
        "",
        "service/test_passing_time.py -k console_shows",
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
    bug(
        "the disk is not waited for by the journal",
        "live/journal.py",
        "            os.fsync(handle)\n",
        "",
        "live/test_durable_intents.py -k before",
    ),
    bug(
        "lines of the journal may go missing",
        "live/journal_reading.py",
        'if entry.get("previous") != previous or entry["number"] != number:',
        'if entry["number"] < number:',
        "live/test_journal.py",
    ),
    bug(
        "secret inputs are journaled",
        "live/responses.py",
        "MASK if name in secret else without_secrets(value)",
        "value",
        "live/test_commands.py -k secrets",
    ),
    bug(
        "what was decided an hour ago is sent",
        "live/commands.py",
        "if late > LATEST_SECONDS else None",
        "if late > 100 * LATEST_SECONDS else None",
        "live/test_decisions.py",
    ),
    bug(
        "the second of two orders replaces the first unseen",
        "live/merging.py",
        "    if disputed and not insist:",
        "    if False:",
        "live/test_merging.py",
    ),
    bug(
        "a change that was not sent is not listed",
        "live/follower.py",
        'if "relist" in {event.kind for event in events}:',
        'if "relist" in {event.kind for event in events if event.key}:',
        "live/test_convergence.py -k too_large",
    ),
    bug(
        "a change answered with a page counts as refused",
        "live/commands.py",
        "        except (TimedOut, BadAnswer) as error:\n            return Outcome(step, Stage.UNKNOWN",
        "        except (TimedOut, BadAnswer) as error:\n            return Outcome(step, Stage.REFUSED",
        "live/test_commands.py",
    ),
    bug(
        "an empty answer is an empty list",
        "live/feeds.py",
        '            raise ValueError("it is empty")\n',
        "            return ()\n",
        "live/test_list_bounds.py -k never_taken_for",
    ),
    bug(
        "a list goes on for as long as its pages do",
        "live/paging.py",
        "            self.cut = bounds.cut_words(rows, self.total)\n        else:\n            self.next = following\n",
        "            self.cut = bounds.cut_words(rows, self.total)\n        self.next = following\n",
        "live/test_list_bounds.py -k endless_list_is_cut",
    ),
    bug(
        "a cursor that has expired is a refusal for good",
        "live/paging.py",
        "            raise CursorRefused(text, operation=error.operation, status=error.status) from error\n",
        "            raise\n",
        "live/test_list_bounds.py -k expires",
    ),
    bug(
        "a channel that closes before it has subscribed was never open",
        "live/channel.py",
        "accepted = started is not None or not isinstance(error, NoAnswer)",
        "accepted = opened or not isinstance(error, NoAnswer)",
        "faults/test_reconnecting.py -k first_minute",
    ),
    bug(
        "rows are kept however large they are",
        "live/feeds.py",
        "        if len(kept) <= LARGEST_TEXT:\n",
        "        if kept:\n",
        "live/test_list_bounds.py -k too_large",
    ),
    bug(
        "events that were too many to wait for a list are forgotten",
        "live/follower.py",
        "                self._lost.update(event.key for event in (*self._buffer, *events))\n",
        "",
        "live/test_list_bounds.py -k too_many_events",
    ),
    bug(
        "a flood is taken without a rest while somebody types",
        "live/channel.py",
        "if len(messages) >= FLOOD and (seconds := gc_tuning.way()):",
        "if len(messages) > 1_000_000 and (seconds := gc_tuning.way()):",
        "live/test_floods.py",
    ),
    bug(
        "a full list is asked for with an ETag",
        "live/follower.py",
        "etags, self._etags = None if full else self._etags, None",
        "etags, self._etags = self._etags, None",
        "live/test_silent_changes.py -k polled",
    ),
    bug(
        "rows that events keep up to date are never listed again",
        "live/follower.py",
        "due = self._resync.due if self.facts.joined and not self._dirty else self._due",
        "due = inf if self.facts.joined and not self._dirty else self._due",
        "live/test_silent_changes.py",
    ),
    bug(
        "a list proves that events come",
        "live/freshness.py",
        "if now - channel.proof < LIVE_SECONDS:",
        "if age < LIVE_SECONDS:",
        "live/test_freshness.py -k state_of_a_kind",
    ),
)
