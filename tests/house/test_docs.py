"""What the documentation shows is what happens."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(ROOT.glob("docs/*.md"))


def examples(page: Path) -> str:
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    return "\n".join(block for block in blocks if ">>>" in block)


WITH_EXAMPLES = [page for page in PAGES if examples(page)]


def test_some_pages_have_examples():
    assert WITH_EXAMPLES


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_examples_in_the_documentation_are_true(page):
    test = doctest.DocTestParser().get_doctest(examples(page), {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_readme_gives_exactly_two_setup_commands():
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## Two commands")[1]
    section = section.split("\n## ")[0]
    assert re.findall(r"^```sh\n(.*?)\n```", section, re.M | re.S) == [
        "python3 examples",
        "python3 tests",
    ]
