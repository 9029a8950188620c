#!/usr/bin/env python3
"""Checks the pages of the built site: every link within it leads somewhere, and no page asks another host for anything.

check_site.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
NO_FETCH = {"canonical", "search", "index", "next", "prev", "author"}
SEARCHES = ("who sends to me", "termination", "ghost cells", "alltoallv")


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
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for words in SEARCHES:
        if not all(f"{stem}" in index for stem in (word[:6] for word in words.split() if len(word) > 3)):
            found.append(f"searchindex.js: a search for '{words}' finds nothing")
    return found


def main(site: Path) -> int:
    found = complaints(site.resolve())
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
