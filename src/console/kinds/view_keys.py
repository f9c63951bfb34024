"""Keys of views: moving, filtering, sorting, copying. Declared as data, like actions.

They change nothing in the service. Screens derive the method from the id: `view.filter` calls `do_filter`.
"""

from __future__ import annotations

from console.base.frozen import Frozen


class ViewKey(Frozen):
    """A key that changes the view."""

    id: str
    title: str
    keys: tuple[str, ...]
    """Default keys, in Textual's syntax."""
    where: str = "list"
    """`everywhere`, `list` for every list, `past` wherever a recording is shown, or one screen."""
    footer: int = 9
    """0 is shown first in the footer, as what is most used in the past; 9 only in help."""
    short: str = ""
    """Shorter title for the footer."""
    about: str = ""
    of_rules: bool = False
    """Whether it changes rules or episodes, which need rules that are on, and the present."""
    gives_way: bool = False
    """Whether a key of the past may take one of its keys there; another key must be left."""
    verb: str = ""
    """Meaning of the key on every screen; the title if empty."""

    @property
    def meaning(self) -> str:
        """Meaning of the key on every screen."""
        return self.verb or self.title


VIEW_KEYS: tuple[ViewKey, ...] = (
    ViewKey(
        "view.open",
        "open",
        ("enter",),
        footer=1,
        about="Open the record under the cursor, or confirm the staged order.",
        verb="open or confirm",
    ),
    ViewKey("view.back", "back", ("escape",), "everywhere", about="Close, clear the filter, or go back."),
    ViewKey("view.filter", "filter", ("slash",), footer=2, about="Show only what matches: words, field:value, age>2m."),
    ViewKey(
        "view.mark",
        "select",
        ("space", "insert"),
        footer=6,
        gives_way=True,
        about="Select the record, for actions on several.",
    ),
    ViewKey("view.mark-all", "select all", ("asterisk",), about="Select all rows shown, or clear the selection."),
    ViewKey("view.sort-left", "sort by the column to the left", ("less_than_sign",)),
    ViewKey("view.sort-right", "sort by the column to the right", ("greater_than_sign",), footer=7, short="sort"),
    ViewKey("view.reverse", "reverse the order", ("z",)),
    ViewKey("view.columns", "columns", ("f10", "ctrl+o"), about="Choose the columns and their order."),
    ViewKey("view.views", "saved views", ("V",), about="Choose, save or delete a view: filter, order and columns."),
    ViewKey("view.copy", "copy", ("y",), footer=7, about="Copy the record's id to the terminal's clipboard."),
    ViewKey("view.copy-row", "copy the row", ("Y",)),
    ViewKey("view.export-csv", "export CSV", ("E",), footer=8, about="Export the rows shown to a CSV file."),
    ViewKey("view.export-json", "export JSON", ("J",)),
    ViewKey("view.pause", "pause", ("p",), footer=8, about="Pause updates of the view; it shows how far behind it is."),
    ViewKey(
        "view.wallboard",
        "wallboard",
        ("W",),
        "everywhere",
        about="Show waits, queues and skills in large characters, for a screen on the wall.",
    ),
    ViewKey("view.refresh", "refresh", ("ctrl+r",), "everywhere", about="Load every list again."),
    ViewKey(
        "view.when-free",
        "tell me when free",
        ("ctrl+n",),
        footer=6,
        short="when free",
        of_rules=True,
        about="Tell you once when the person, or somebody of the group, skill or queue, is free; again to cancel.",
    ),
    ViewKey("view.pane", "next list", ("tab",), footer=3, about="Go to the screen's next list."),
    ViewKey("view.pane-back", "previous list", ("shift+tab",)),
    ViewKey("view.section", "next part of the detail", ("right_square_bracket",)),
    ViewKey("view.section-back", "previous part of the detail", ("left_square_bracket",)),
    ViewKey("view.related", "go to related", ("g",), about="Go to a related record."),
    ViewKey("view.undo", "undo", ("u",), "everywhere", footer=4, about="Undo the last change."),
    ViewKey(
        "view.next-step",
        "next step",
        ("l",),
        "everywhere",
        about="Do what usually follows the last change: add a credential to a new user.",
    ),
    ViewKey("view.help", "help", ("question_mark", "f1"), "everywhere", footer=1),
    ViewKey("view.goto", "go to", ("colon",), "everywhere", about="Go to a screen or a list by name."),
    ViewKey("view.profiles", "profiles", ("P",), "everywhere", about="Go to another profile; each keeps its screens."),
    ViewKey(
        "view.past",
        "go back in time",
        ("T",),
        "everywhere",
        about="Show all lists as they were at a moment, such as 1042 or -15m; again to return to now.",
    ),
    ViewKey("view.step-back", "10 s earlier", ("comma",), "past", footer=0, short="-10 s"),
    ViewKey("view.step", "10 s later", ("full_stop",), "past", footer=0, short="+10 s"),
    ViewKey(
        "view.event-back",
        "what mattered before",
        ("left_curly_bracket",),
        "past",
        footer=0,
        short="prev",
        about="Go to the last thing that mattered before: what needed attention, an own change, or a gap.",
    ),
    ViewKey(
        "view.event",
        "what mattered next",
        ("right_curly_bracket",),
        "past",
        footer=0,
        short="next",
        about="Go to the next thing that mattered.",
    ),
    ViewKey(
        "view.set-mark",
        "set the mark",
        ("m",),
        "past",
        footer=0,
        short="mark",
        about="Mark this moment, to compare another one with it; on the mark, remove it.",
    ),
    ViewKey(
        "view.compare",
        "what changed",
        ("equals_sign",),
        "past",
        footer=0,
        short="changed",
        about="Show what came, went and changed between the mark and this moment; without a mark, from here to now.",
    ),
    ViewKey("view.play", "play", ("space",), "past", footer=2, about="Let time pass at 1x, 10x, 60x, or stop it."),
    ViewKey(
        "view.note",
        "note",
        ("N",),
        "everywhere",
        about="Add a hand-over note, with a link to the record under the cursor.",
    ),
    ViewKey("view.theme", "theme", ("ctrl+t",), "everywhere", about="Choose a theme, with a live preview."),
    ViewKey("view.activity", "own changes", ("ctrl+l",), "everywhere", about="Show own changes and their outcomes."),
    ViewKey(
        "view.episodes",
        "needs attention",
        ("ctrl+e",),
        "everywhere",
        about="Show what needs attention, and what did.",
    ),
    ViewKey(
        "view.quit",
        "quit",
        ("q",),
        "everywhere",
        footer=2,
        about="Close the overlay, or quit the console; asks while changes are being sent.",
    ),
    ViewKey("view.next-wait", "longest wait", ("w",), "everywhere", footer=5, about="Go to the longest waiting call."),
    ViewKey("calls.quality", "quality", ("Q",), "calls", footer=3, about="Open the call's quality, stream by stream."),
    ViewKey(
        "queues.free",
        "its agents",
        ("f",),
        "queues",
        footer=3,
        about="Show the agents who serve the queue.",
        verb="free agents",
    ),
    ViewKey(
        "presence.group-by", "show only a group, skill or activity", ("b",), "presence", footer=3, short="show only"
    ),
    ViewKey("agents.grid", "skill grid", ("G",), "agents", footer=3, about="Add and remove skills in a grid."),
    ViewKey("agents.next-chat", "oldest chat", ("c",), "agents", footer=3, about="Go to the longest waiting chat."),
    ViewKey("home.next-chat", "oldest chat", ("c",), "home", footer=7, about="Go to the longest waiting chat."),
    ViewKey("home.report", "shift report", ("R",), "home", about="Show the report of your shift, or of another time."),
    ViewKey("home.span", "1 h or 24 h", ("i",), "home", footer=7, about="Show one hour or a day in the charts."),
    ViewKey(
        "agents.free",
        "free agents",
        ("f",),
        "agents",
        footer=4,
        about="Show agents of the skill, elsewhere those who share my skills, free ones first.",
        verb="free agents",
    ),
    *(
        ViewKey(f"{where}.{name}", title, keys, where, footer=footer, about=about, of_rules=True)
        for where in ("home", "episodes")
        for name, title, keys, footer, about in (
            ("seen", "mark as seen", ("K",), 8, "Mark it as seen: you hear of it again if it is renewed."),
            ("snooze", "snooze", ("Z",), 6, "Mute it for a while, with a reason. Nothing is sent."),
            ("mute", "mute", ("I",), 8, "Mute it, its rule or its record until a time, or unmute it."),
        )
    ),
    ViewKey("rules.switch", "switch on or off", ("B",), "rules", footer=3, short="on or off", of_rules=True),
    ViewKey("rules.update", "edit", ("e",), "rules", footer=4, about="Change the rule with a form.", of_rules=True),
    ViewKey(
        "rules.delete",
        "delete",
        ("d",),
        "rules",
        footer=5,
        about="Delete your rule, or your changes of it.",
        of_rules=True,
    ),
    ViewKey("admin.menu", "more actions", ("o",), "admin", footer=2, about="Choose any operation."),
    ViewKey("admin.create", "new", ("n",), "admin", footer=3, about="Create a record with a form."),
    ViewKey(
        "admin.update",
        "edit",
        ("e",),
        "admin",
        footer=3,
        about="Change the record with a form that shows the difference.",
    ),
    ViewKey("admin.delete", "delete", ("d",), "admin", footer=4, about="Delete or end the record permanently."),
    ViewKey(
        "admin.narrow",
        "server filter",
        ("ctrl+f",),
        "admin",
        footer=4,
        about="Filter and sort at the service, with a form.",
    ),
    ViewKey(
        "groups.move-up", "move up", ("shift+up",), "members", footer=4, about="Stage a new order; enter applies it."
    ),
    ViewKey("groups.move-down", "move down", ("shift+down",), "members", about="Stage a new order; enter applies it."),
    ViewKey("answer.reveal", "reveal secrets", ("v",), "answer", about="Show masked secrets for ten seconds."),
)
"""All view keys. Digits of screens come from the catalogue of screens."""
