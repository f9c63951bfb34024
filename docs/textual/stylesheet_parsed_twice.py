"""All style sheets are parsed twice when a mode is shown for the first time."""

import asyncio

from textual.app import App
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen


class Counted(Stylesheet):
    """Counts how often it is parsed as a whole."""

    parsed = 0

    def reparse(self) -> None:
        """Count."""
        self.parsed += 1
        super().reparse()


class Modes(App[None]):
    """An app with three modes, whose theme is set once."""

    def __init__(self) -> None:
        super().__init__()
        self.sheet = self.stylesheet = Counted(variables=self.get_css_variables())
        for mode in ("one", "two", "three"):
            self.add_mode(mode, Screen[None])

    def on_mount(self) -> None:
        """Set the theme."""
        self.theme = "textual-light"


async def main() -> None:
    """Print how often all style sheets are parsed for the first visit of each mode."""
    app, found = Modes(), list[str]()
    async with app.run_test() as pilot:
        for mode in ("one", "two", "three"):
            await pilot.pause()
            app.sheet.parsed = 0
            await app.switch_mode(mode)
            await pilot.pause()
            found.append(str(app.sheet.parsed))
    print(f"parsed per mode: {', '.join(found)}")


asyncio.run(main())
