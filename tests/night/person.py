"""A person who looks at nothing by herself: she acts on notices only, after a human delay."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from random import Random

from console.notices.notice import Notice
from console.records.episodes import Episode
from console.service.domain import alerts, chats
from console.service.domain.chats import CHATS
from console.service.domain.notifications import pending
from console.service.refusal import Refusal
from tests.night.console import Console
from tests.night.ledger import Ledger
from tests.night.service import NightService
from tests.night.truth import Thing, told_by

DELAY_SECONDS = (5.0, 60.0)
"""Shortest and longest time from a notice to what the person does about it."""


class Person:
    """Reacts to the notices of a console, and knows nothing else."""

    def __init__(self, service: NightService, console: Console, rng: Random) -> None:
        self._service, self._console, self._rng = service, console, rng
        self._caller = service.caller(console.who)
        self._due: list[tuple[float, Notice]] = []

    def hear(self, notice: Notice) -> None:
        """Note a notice, to react to it later."""
        self._due.append((self._service.seconds + self._rng.uniform(*DELAY_SECONDS), notice))

    def act(self, ledger: Ledger) -> list[Notice]:
        """Do what is due, and note it in the ledger. Return the notices that are seen by this."""
        if not self._service.reachable:
            return []
        due = [notice for at, notice in self._due if at <= self._service.seconds]
        self._due = [each for each in self._due if each[0] > self._service.seconds]
        if due:
            self._console.notifier.key_pressed()
        for episode in self._episodes(due):
            ledger.handle(told_by(episode))
            for key in episode.keys:
                with suppress(Refusal):
                    ledger.expect(self._do(episode.rule or "", key))
        return due

    def _episodes(self, notices: Iterable[Notice]) -> Iterable[Episode]:
        found = (self._console.episode(each) for notice in notices for each in notice.episodes)
        return [each for each in found if each is not None and each.ended_at is None]

    def _do(self, rule: str, key: str) -> set[Thing]:
        """Do what a rule asks for. Return what this brings about. Raise Refusal."""
        platform = self._service.platform
        match rule:
            case "chat-offered":
                chat = self._subject(key)
                self._console.watch.expect([key], self._console.who)
                with suppress(Refusal):
                    chats.take(platform, self._caller, chat)
                return {("own chat", chat)} if self._has(chat) else set()
            case "alert-offered":
                alerts.accept(platform, self._caller, self._subject(key))
            case "alert":
                alerts.accept(platform, self._caller, key)
            case "own-chat-waiting":
                chats.finish(platform, key)
            case _:
                pass
        return set()

    def _subject(self, key: str) -> str:
        with self._service.platform.read() as tx:
            found = pending(tx, key, self._caller.id)
        return (found.subject if found else None) or key

    def _has(self, chat: str) -> bool:
        """Return whether a chat is the person's, which the answer to her action says."""
        with self._service.platform.read() as tx:
            found = CHATS.get(tx, chat)
        return found is not None and found.agent is not None and found.agent.id == self._caller.id
