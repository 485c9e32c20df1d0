"""What the README of a room says: its entry files, the order of its parts, the rooms it may use."""

import re
from pathlib import Path


def listed(room: Path, word: str) -> list[str]:
    """The names in backticks of the paragraph that begins with a word, such as ``Uses``."""
    for paragraph in (room / "README.md").read_text(encoding="utf-8").split("\n\n"):
        if paragraph.startswith(f"{word}:"):
            return re.findall(r"`([^`]+)`", paragraph)
    return []


def rooms_of(folder: Path, ending: str) -> list[Path]:
    """The folders that hold files of that ending."""
    return sorted(room for room in folder.iterdir() if any(room.glob(f"*.{ending}")))
