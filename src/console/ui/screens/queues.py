"""Go from a queue to its calls and to its agents."""

from __future__ import annotations

from console.kinds.queues.facts import agents_filter, calls_filter
from console.records.queues import Queue
from console.ui.screens import deferred, navigation
from console.ui.screens.frame import FrameScreen
from console.ui.widgets.theme import app_of


def show_calls(screen: FrameScreen, queue: Queue) -> None:
    """Show the calls that wait in a queue."""
    navigation.go_to_record(app_of(screen), screen.context, "calls", "", calls_filter(queue))


def show_agents(screen: FrameScreen, queue: Queue) -> None:
    """Show the agents who serve a queue, or the group that serves it."""
    if queue.skill:
        app = app_of(screen)
        navigation.go_to_record(app, screen.context, "agents", "", agents_filter(queue))
        if isinstance(app.screen, deferred.list_screen.ListScreen):
            # Handled after the list is shown: the free agents first, as from the list of skills.
            agents = next(pane for pane in app.screen.panes if pane.kind == "agents")
            app.screen.call_after_refresh(agents.set_order, ("turn", False))
    elif queue.group:
        navigation.go_to_record(app_of(screen), screen.context, "groups", queue.group)
    else:
        screen.say("The agents of this queue are unknown.")
