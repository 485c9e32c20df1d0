"""The package as a whole: what importing costs, what it shows, what its documentation says."""

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import tokumei as tk
from tokumei._kernels import runtime
from tokumei.machine import LEVELS, config

ROOT = Path(__file__).resolve().parents[2]
MODULES = [
    module.name
    for module in pkgutil.walk_packages(tk.__path__, "tokumei.")
    if "._kernels." not in module.name
]


def test_importing_brings_in_nothing_but_numpy():
    code = (
        "import sys, numpy; before = set(sys.modules); import tokumei\n"
        "print(' '.join({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    strangers = set(done.stdout.split()) - sys.stdlib_module_names - {"tokumei", "numpy"}
    # Cython's own type registry, and the import hook of an editable installation.
    ours = ("_cython_", "cython_runtime", "_tokumei_editable")
    assert not {name for name in strangers if not name.startswith(ours)}


def test_the_door_for_data_sets_is_found_from_its_room_alone():
    code = "from tokumei.release import mask_dataset; print(mask_dataset.__module__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "tokumei.batch.doors"


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def public_functions():
    for owner in (tk, tk.loss, tk.microaggregation, tk.noise, tk.reconstruct):
        for name in owner.__all__:
            thing = getattr(owner, name)
            if inspect.isfunction(thing):
                yield pytest.param(thing, id=f"{owner.__name__}.{name}")


@pytest.mark.parametrize("function", list(public_functions()))
def test_every_public_function_has_an_example(function):
    assert ">>> " in inspect.getdoc(function)


def test_the_configuration_names_what_is_in_use(monkeypatch, capsys):
    tk.show_config()
    assert "instruction sets" in capsys.readouterr().out
    assert config()["in use"] == LEVELS[runtime.best_instruction_set()]
    monkeypatch.setenv("TOKUMEI_INSTRUCTIONS", "baseline")
    monkeypatch.setenv("TOKUMEI_NUM_THREADS", "3")
    assert config()["in use"] == "baseline"
    assert config()["threads"] == "3"


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert tk.__version__ == project["version"] == metadata.version("tokumei")
    assert f"version: {tk.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        tk.magic  # noqa: B018
