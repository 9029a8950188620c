"""The documentation site: `make docs` builds it; scripts/docs/build sets the variables."""

import os
import re
import sys
from pathlib import Path

root = Path(os.environ["WEFT_DOCS_ROOT"])
out = Path(os.environ["WEFT_DOCS_OUT"])

project = "Weft"
author = "The Weft authors"
copyright = author  # noqa: A001, the name that Sphinx reads
version = release = re.search(r"project\(weft VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1]

sys.path.insert(0, str(root / "python"))
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3
# Lines of docs/ that name what is elsewhere in the repository are for its readers, not for the site's.
exclude_patterns = ["adr/template*"]

breathe_projects = {"weft": str(out / "doxygen" / "xml")}
breathe_default_project = "weft"
breathe_default_members = ("members",)
breathe_show_include = False
autodoc_mock_imports = ["weft._weft"]  # the extension is not built for the pages
autodoc_typehints = "none"  # docstrings name the types
add_module_names = False
napoleon_google_docstring = False
cpp_index_common_prefix = ["weft::"]
highlight_language = "none"

html_theme = "furo"
html_title = f"Weft {release}"
html_static_path = ["_static"]
html_css_files = ["weft.css"]
html_js_files = ["weft.js"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
html_copy_source = False
html_show_sphinx = False
# System fonts and no icon of elsewhere: a page asks no other host for anything.
html_theme_options = {"top_of_page_button": None}
