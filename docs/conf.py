"""Sphinx: myst pages, numpydoc docstrings, furo."""

import sys
from pathlib import Path

import tokumei

sys.path.append(str(Path(__file__).parent))

import reproduction

# A page that is made from results, so that it cannot say anything else.
reproduction.write()

project = "tokumei"
author = "The tokumei developers"
copyright = "2026, the tokumei developers"
version = release = tokumei.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "tokumei 匿名"
html_static_path = ["_static"]
