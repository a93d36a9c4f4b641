"""How Sphinx builds the documentation: ``make docs``, which treats every warning as an error."""

from __future__ import annotations

import os

os.environ["TURNWISE_COMPILE"] = "0"  # kernels stay Python functions, so that their docstrings can be read

import turnwise

project = "turnwise"
author = "The turnwise developers"
copyright = "2026, the turnwise developers"
version = release = turnwise.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.intersphinx"]

# Links to other projects' references need a network, which a build must not depend on.
intersphinx_mapping = (
    {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "scipy": ("https://docs.scipy.org/doc/scipy", None),
        "numba": ("https://numba.readthedocs.io/en/stable", None),
    }
    if os.environ.get("TURNWISE_INTERSPHINX") == "1"
    else {}
)
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

myst_heading_anchors = 3
myst_enable_extensions = ["deflist", "colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "show-inheritance": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_include_init_with_doc = False
autoclass_content = "both"

html_theme = "furo"
html_title = f"turnwise {version}"
html_static_path: list[str] = []
