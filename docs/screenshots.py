"""Photographs a report of invented people: ``python docs/screenshots.py``. Needs Chromium."""

import csv
import shutil
from pathlib import Path

import pyarrow as pa
from playwright.sync_api import sync_playwright

import tokumei as tk

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "_static" / "report.png"


def report() -> str:
    """The report of the README's example."""
    with (ROOT / "examples" / "people.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    people = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    made = tk.release.mask(
        people,
        k=5,
        quasi=["age", "region", "income"],
        kinds={"region": "nominal", "age": "numeric", "income": "numeric"},
        identifier=["person"],
        sensitive=["diagnosis"],
        drop=["children"],
    )
    return tk.release.report(made)


def main() -> None:
    with sync_playwright() as started:
        program = shutil.which("chromium")
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 960, "height": 1360})
        page.set_content(report())
        page.screenshot(path=TARGET)
        browser.close()


if __name__ == "__main__":
    main()
