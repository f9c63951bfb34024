"""Conversion of themes to Textual's, and the current theme of an app."""

from __future__ import annotations

from typing import Any, Protocol, cast
from weakref import WeakKeyDictionary

from textual.app import App
from textual.theme import Theme as TextualTheme

from console.views.cell import Tone
from console.views.theme_file import DARK, ScreenPart, TextStyle, Theme, Themes, load_themes, read_theme

__all__ = [
    "DARK",
    "InApp",
    "ScreenPart",
    "TextStyle",
    "Theme",
    "Themes",
    "app_of",
    "for_textual",
    "load_themes",
    "read_theme",
    "register",
    "theme_here",
    "theme_of",
    "themes_of",
]  # fmt: skip


def for_textual(theme: Theme) -> TextualTheme:
    """Convert a theme for Textual's own widgets and CSS variables."""
    colours = theme.colours
    cursor = theme.parts[ScreenPart.CURSOR]
    plain = colours["foreground"]
    return TextualTheme(
        name=theme.name,
        primary=colours["accent"],
        secondary=colours["border"],
        accent=colours["accent"],
        warning=theme.tones[Tone.WARN].colour,
        error=theme.tones[Tone.BAD].colour,
        success=theme.tones[Tone.GOOD].colour,
        foreground=plain,
        background=colours["background"],
        surface=colours["surface"],
        panel=colours["panel"],
        dark=theme.dark,
        variables={
            **{f"tone-{tone}": str(look) for tone, look in theme.tones.items()},
            **{f"part-{part}": str(look) for part, look in theme.parts.items()},
            "text": plain,
            "text-muted": theme.tones[Tone.QUIET].colour or plain,
            "text-disabled": theme.tones[Tone.QUIET].colour or plain,
            "border": colours["accent"],
            "border-blurred": colours["border"],
            "block-cursor-background": cursor.background or colours["accent"],
            "block-cursor-foreground": cursor.colour or plain,
            "block-cursor-text-style": "none",
            "block-cursor-blurred-background": theme.parts[ScreenPart.BLURRED].background or colours["panel"],
            "block-cursor-blurred-foreground": plain,
            "block-hover-background": colours["panel"],
            "input-cursor-background": colours["accent"],
            "input-cursor-foreground": colours["background"],
            "input-selection-background": cursor.background or colours["panel"],
            "input-selection-foreground": cursor.colour or plain,
            "scrollbar": colours["border"],
            "scrollbar-hover": colours["accent"],
            "scrollbar-active": colours["accent"],
            "scrollbar-background": colours["surface"],
            "scrollbar-background-hover": colours["surface"],
            "scrollbar-background-active": colours["surface"],
            "footer-key-foreground": theme.parts[ScreenPart.KEY].colour or plain,
            "footer-background": colours["surface"],
        },
    )


_of_app: WeakKeyDictionary[App[Any], Themes] = WeakKeyDictionary()


def register(app: App[Any], themes: Themes) -> None:
    """Register the themes in an app; select one with `app.theme = name`."""
    _of_app[app] = themes
    for theme in themes.by_name.values():
        app.register_theme(for_textual(theme))


def themes_of(app: App[Any]) -> Themes:
    """Return the registered themes of an app, or the built-in one."""
    return _of_app.get(app) or Themes({DARK.name: DARK})


def theme_of(app: App[Any]) -> Theme:
    """Return the current theme of an app."""
    return themes_of(app).get(app.theme)


class InApp(Protocol):
    """A widget or screen of an app."""

    @property
    def app(self) -> object:
        """The app; Textual's type for it is partly unknown."""
        ...


def app_of(node: InApp) -> App[Any]:
    """Return the app of a widget with a known type."""
    app = node.app
    if not isinstance(app, App):
        raise TypeError(f"{type(node).__name__} belongs to no app")
    return cast("App[Any]", app)


def theme_here(node: InApp) -> Theme:
    """Return the theme for painting a widget."""
    return theme_of(app_of(node))
