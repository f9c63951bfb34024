"""Packages with a dialect, as an installer leaves them in a folder."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent


def install(folder: Path, module: str, source: str, **dialects: str) -> None:
    """Write a module, and the metadata by which its dialects are found: `name="module:Class"`."""
    (folder / f"{module}.py").write_text(dedent(source), encoding="utf-8")
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    lines = "".join(f"{name} = {place}\n" for name, place in dialects.items())
    (metadata / "entry_points.txt").write_text(f"[console.dialects]\n{lines}", encoding="utf-8")


BASE = """
class Base:
    def __init__(self, settings, /): self.settings = settings
    def open(self, target): return target
    def greet(self, topics, resume): return ()
    def read(self, frames): return ()
    def reply(self): return ()
    def closed(self, code, reason): return None
"""
"""A dialect that does nothing, to derive others from."""
