"""The documentation site: ``make site`` builds it into build/site."""

from __future__ import annotations

import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

from bakeoff import __version__  # noqa: E402

project = "bakeoff"
author = "The bakeoff developers"
project_copyright = author
version = release = __version__
html_title = "bakeoff"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "accessible",
    "contents",
    "finding",
    "llms",
    "mathml",
    "reference",
]
exclude_patterns = ["_ext", "generate", "gallery"]
suppress_warnings = ["config.cache"]  # functions in the gallery's configuration
nitpicky = True
keep_warnings = False

# --- Markdown ---------------------------------------------------------------------------------------------------------
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
myst_links_external_new_tab = False

# --- the Python interface ---------------------------------------------------------------------------------------------
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = False
add_module_names = False
toc_object_entries = False
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
numpydoc_attributes_as_param_list = True

# --- the gallery ------------------------------------------------------------------------------------------------------
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "subsection_order": [f"gallery/{name}" for name in ("compare", "bayes", "views", "plan", "paper")],
    "capture_repr": (),
    "image_scrapers": ("drawings",),
    "reset_modules": (),
    "abort_on_example_error": True,
    "only_warn_on_example_error": False,
    "download_all_examples": False,
    "write_computation_times": False,
    "show_memory": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
    "within_subsection_order": "FileNameSortKey",
    "show_signature": False,
}

# --- the pages --------------------------------------------------------------------------------------------------------
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
templates_path = ["_templates"]
# pages by themselves: one that a report names, one that needs no installation
html_extra_path = [f"../src/bakeoff/wings/page/script/{page}.html" for page in ("checker", "try")]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
html_permalinks_icon = "#"
html_sidebars = {
    page: [] for page in ("index", "questions", "reviewers", "atlas", "start/tutorial", "reference/python/*")
}
html_theme_options = {
    "logo": {"text": "bakeoff"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "collapse_navigation": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": True,
    "back_to_top_button": False,
}
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
copybutton_remove_prompts = True

warnings.filterwarnings("ignore", category=DeprecationWarning)


def setup(app: Any) -> None:
    """Pages of scripts that are no longer in the gallery would stay; the gallery is made anew."""
    shutil.rmtree(HERE / "examples", ignore_errors=True)
