"""Agents with their load, the skill board, and the support chats."""

from __future__ import annotations

from typing import cast

from console.records.desk import Agent, Skill, SupportChat
from console.screens.list_screen import ListScreen
from console.screens.navigation import spec_of
from console.screens.skill_grid import SkillGridScreen
from console.widgets.theme import app_of


class AgentsScreen(ListScreen):
    """Agents, skills and support chats, live."""

    spec = spec_of("agents")

    def kinds_in_view(self) -> frozenset[str]:
        """Names come from users; whoever is shown is in reach."""
        return frozenset({*self.spec.kinds, "users"})

    def do_grid(self) -> None:
        """Attach and detach skills in a grid."""
        app_of(self).push_screen(SkillGridScreen(self.station))

    def do_next_chat(self) -> None:
        """Go to the support chat that waits longest."""
        desk = self.station.desk
        started = {
            chat.chat_id: chat.timestamp or 0
            for agent in cast("list[Agent]", list(desk.records("agents").values()))
            for chat in agent.channels.chat
        }
        own = cast("list[SupportChat]", list(desk.records("chats").values()))
        if not own:
            self.say("You have no support chats.")
            return
        oldest = min(own, key=lambda chat: (started.get(chat.chat_id, 0), chat.chat_id))
        self.show_record("chats", oldest.chat_id)

    def do_free(self) -> None:
        """Show who shares my skills and is online, the least loaded first."""
        skills = cast("list[Skill]", list(self.station.desk.records("skills").values()))
        mine = [skill.skill for skill in skills if self.station.user_id in skill.agents]
        self.switch_pane("agents")
        wanted = ",".join(f'"{skill}"' if " " in skill else skill for skill in mine)
        self.pane.set_filter("online:yes" + (f" skills:{wanted}" if wanted else ""))
        self.pane.view.set_sort("load")
        self.beat(True)
