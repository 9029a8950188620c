#!/usr/bin/env python3
"""Checks the pages of the built site: every link within it leads somewhere, no page asks another host for anything, scripts are
plain ones, and each public name of the Python package is in the reference. Where Chromium is there, it opens ten pages, and what
it writes to the console is a fault.

check_site.py FOLDER
"""

import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import python_reference

FETCHED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
NO_FETCH = {"canonical", "search", "index", "next", "prev", "author"}
SEARCHES = ("who sends to me", "termination", "ghost cells", "alltoallv", "heat", "histogram", "pagerank")
FOUND_IN_GUIDES = ("halo", "heat", "histogram", "PageRank", "ghost")
BARE = ("convert", "spmv", "tune", "reproduce", "count", "distinct", "join", "top")  # commands whose output is a file, or of this machine
OPENED = ("index", "start/tutorial", "start/install", "command/index", "command/volumes", "python/tutorial",
          "reference/cpp/exchange", "reference/python/exchange", "reference/command/trace", "numbers")


class Page(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.ids, self.links, self.fetched = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if "id" in given:
            self.ids.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in FETCHED and FETCHED[tag] in given and given.get("rel") not in NO_FETCH:
            self.fetched.append(given[FETCHED[tag]])


def is_elsewhere(link: str) -> bool:
    return bool(urlsplit(link).scheme or urlsplit(link).netloc)


def complaints(site: Path) -> list[str]:
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        found += [f"{name}: asks another host for {link}" for link in page.fetched
                  if is_elsewhere(link) and not link.startswith("data:")]
        for link in page.links:
            if is_elsewhere(link) or not link or link == "#":
                continue
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                found.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                found.append(f"{name}: {link} names no place of that page")
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        if "url(http" in text or "url(//" in text or "@import" in text:
            found.append(f"{style.relative_to(site)}: asks another host for something")
    theme = (site / "_static" / "styles" / "furo.css").read_text(encoding="utf-8")
    if not re.search(r"prefers-color-scheme: dark\) \{\s*body:not\(\[data-theme=\"light\"\]\) \{[^}]*--color-background-primary", theme):
        found.append("furo.css: has no dark page for those whose system is dark")
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for words in SEARCHES:
        if not all(f"{stem}" in index for stem in (word[:6] for word in words.split() if len(word) > 3)):
            found.append(f"searchindex.js: a search for '{words}' finds nothing")
    return found


def modules_loaded_as_scripts(site: Path) -> list[str]:
    """A browser stops at the first line of a module that is loaded as a plain script, and the page is dead."""
    return [f"{path.relative_to(site)}: is a module; a page that loads it as a script does nothing"
            for path in site.rglob("*.js") if re.search(r"^(?:import|export)\b", path.read_text(encoding="utf-8"), re.MULTILINE)]


def names_without_a_place(site: Path) -> list[str]:
    ids = set()
    for path in (site / "reference" / "python").glob("*.html"):
        ids |= Page(path.read_text(encoding="utf-8")).ids
    return [f"weft.{name}: the Python reference has no such name" for name in python_reference.public_names()
            if f"weft.{name}" not in ids]


def pages_without_examples(site: Path) -> list[str]:
    """Each page of the C++ reference leads to programs, and each page of a command has a picture or shows what is printed."""
    cpp, commands = site / "reference" / "cpp", site / "reference" / "command"
    found = [f"{path.relative_to(site)}: links no example" for path in sorted(cpp.glob("*.html"))
             if path.stem not in ("index", "engines") and "../../examples/" not in path.read_text(encoding="utf-8").split("<article", 1)[1]]
    for path in sorted(commands.glob("*.html")):
        text = path.read_text(encoding="utf-8").split("<article", 1)[1]
        if "<img" not in text and "What it prints" not in text and path.stem not in BARE:
            found.append(f"{path.relative_to(site)}: has no picture and no output")
        if re.search(r"<pre>[^<]*(?:<[^>]*>[^<]*)*?\n\s+--", text):
            found.append(f"{path.relative_to(site)}: has options as preformatted text")
    return found


def opened(browser: str, address: str) -> tuple[str, list[str]]:
    """The document as scripts have left it, and what was written to the console."""
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
                           "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom", address],
                          capture_output=True, text=True, timeout=120)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def console_messages(site: Path) -> list[str]:
    """What Chromium complains of when it opens pages; nothing where it is not installed."""
    browser = shutil.which("chromium")
    if browser is None:
        print("check_site: chromium is not installed, so no page was opened", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder:
        frames = Path(folder) / "frames.html"
        frames.write_text("".join(f'<iframe src="file://{site}/{page}.html"></iframe>' for page in OPENED), encoding="utf-8")
        _, found = opened(browser, f"file://{frames}")
    document, said = opened(browser, f"file://{site}/start/tutorial.html")
    if 'class="copy"' not in document or 'class="no-js"' in document:
        found.append("start/tutorial.html: its scripts did not run")
    return found + said + searches_that_begin_elsewhere(browser, site)


def searches_that_begin_elsewhere(browser: str, site: Path) -> list[str]:
    """The first result of a search is a tutorial or a guide."""
    wrong = []
    for word in FOUND_IN_GUIDES:
        document, _ = opened(browser, f"file://{site}/search.html?q={word}")
        first = re.search(r'<ul class="search"><li[^>]*><a href="([^"]*)"', document)
        if first is None or not re.match(r"(?:start|command|python|guides|coming_from)/", first[1]):
            wrong.append(f"search.html: '{word}' finds {first[1] if first else 'nothing'} first, which is no guide")
    return wrong


def main(site: Path) -> int:
    site = site.resolve()
    found = complaints(site) + modules_loaded_as_scripts(site) + names_without_a_place(site) + pages_without_examples(site)
    found += console_messages(site)
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
