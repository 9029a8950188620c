#!/usr/bin/env python3
"""Writes those pages of the documentation that come from elsewhere: the command's help, the knobs, the pages of the C, C++ and
Python references, the examples, the changelog, and the pictures of the tutorial and of questions about graphs.

generate.py WEFT SOURCES, where SOURCES is a copy of docs/
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import c_reference
import command_pages
import examples
import glossary_links
import graph_pictures
import pictures
import python_reference
import reference

ROOT = Path(__file__).resolve().parents[2]


def output_of(*words: str) -> str:
    quiet = {name: value for name, value in os.environ.items() if not name.startswith("WEFT_")}
    return subprocess.run(words, check=True, capture_output=True, text=True, env={**quiet, "COLUMNS": "100"}).stdout


def knob_page(knobs: list[dict[str, str]]) -> str:
    page = """# Knobs

A knob is an environment variable; `weft info` shows the values that hold. The value of rank 0 holds on all ranks.
A variable `WEFT_...` that is no knob is told once, with the knob that it resembles. A program sets the same by
`weft::settings` and `communicator::with`.

"""
    for knob in knobs:
        default = f"`{knob['default']}`" if knob["default"] else "none"
        page += f"(knob-{knob['name'].lower()})=\n## {knob['name']}\n\n{knob['explanation']}\n\n"
        page += f"- Takes: `{knob['type']}`\n- Default: {default}\n\n"
    return page


def changelog_page() -> str:
    """The changelog, whose links go from the root of the repository."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](")


def main(weft: str, sources: Path) -> None:
    info = json.loads(output_of(weft, "info", "--json", "-"))["result"]
    glossary_links.link_pages(sources)
    pictures.write_all(sources / "pictures")
    drawn = graph_pictures.write_all(weft, sources / "pictures" / "graphs")
    command_pages.write_pages(lambda *words: output_of(weft, *words), info["graph_questions"], drawn, sources / "reference")
    (sources / "reference" / "knobs.md").write_text(knob_page(info["knobs"]), encoding="utf-8")
    examples.write_pages(ROOT, sources / "examples")
    reference.write_pages(ROOT, Path(os.environ["WEFT_DOCS_OUT"]) / "doxygen" / "xml", sources / "reference" / "cpp")
    (sources / "reference" / "c.md").write_text(c_reference.page(ROOT), encoding="utf-8")
    python_reference.write_pages(sources / "reference" / "python")
    (sources / "changelog.md").write_text(changelog_page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
