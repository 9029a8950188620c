"""Links from pages to the glossary: the first use of each of its terms on a page, and a place for each term to lead to."""

import re
from pathlib import Path

# Terms that are also everyday words ("part of", "a link") are linked where a page is about them.
EVERYDAY = {"part": ("paradigm", "petscsf_zoltan"), "frame": ("paradigm", "petscsf_zoltan"), "link": ("diy",), "plan": ("raw_mpi",),
            "port": ("diy",), "gate": (), "phase": ("errors_on_one_rank",), "hook": ("mpi4py",), "route": ("several_nodes", "ygm"), "exchange": ("raw_mpi",), "stall": ("timelines_and_stalls",)}
FOLDERS = ("start", "command", "guides", "coming_from", "python")
ENTRY = re.compile(r"^(\S[^\n]*)\n: ", re.MULTILINE)
SKIPPED = re.compile(r"```.*?^```|`[^`]*`|\[[^\]]*\]\([^)]*\)|<!--.*?-->|^[#|].*?$|\*\*.*?\*\*", re.DOTALL | re.MULTILINE)


def terms_of(glossary: str) -> list[str]:
    return [term for entry in ENTRY.findall(glossary) for term in entry.split(", ")]


def as_directive(glossary: str) -> str:
    """The glossary in the form that Sphinx gives each term a place of its own."""
    head, entries = re.split(r"(?=^\S[^\n]*\n: )", glossary, maxsplit=1, flags=re.MULTILINE)
    entries = ENTRY.sub(lambda found: "\n".join(found[1].split(", ")) + "\n  ", entries)
    return f"{head}````{{glossary}}\n{entries.rstrip()}\n````\n"


def linked(text: str, terms: list[str], page: str) -> str:
    for term in terms:
        if page not in EVERYDAY.get(term, (page,)):
            continue
        kept = [found.span() for found in SKIPPED.finditer(text)]
        for found in re.finditer(rf"(?<![\w/.-]){re.escape(term)}s?(?![\w/-]|\.\w)", text):
            if not any(start <= found.start() < end for start, end in kept):
                text = f"{text[:found.start()]}{{term}}`{found[0]} <{term}>`{text[found.end():]}"
                break
    return text


def link_pages(sources: Path) -> None:
    glossary = sources / "glossary.md"
    text = glossary.read_text(encoding="utf-8")
    terms = sorted(terms_of(text), key=len, reverse=True)  # "simulated machine" before a word of it
    glossary.write_text(as_directive(text), encoding="utf-8")
    for folder in FOLDERS:
        for page in (sources / folder).glob("*.md"):
            page.write_text(linked(page.read_text(encoding="utf-8"), terms, page.stem), encoding="utf-8")
