#!/usr/bin/env python3
"""Checks the decision records in docs/adr, and that docs/adr/README.md is their index.

The file of record 26 is docs/adr/0026-<name>.md. Its first line is the heading, with its state where a later record has
changed it, and its third line is the subject:

    # 26. Waiting loops alternate cheap and full steps (amended by ADR 87)

    Subject: exchange.

check_decisions.py [--fix] [root of the source tree]    --fix writes the index
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from source_tree import finish

SUBJECTS = {
    "exchange": "Sparse exchange, epochs and plans",
    "machine": "Settings, model of the machine, simulation",
    "mailbox": "Mailbox and termination",
    "containers": "Containers",
    "collective": "Collectives and reductions",
    "blocks": "Blocks",
    "frames": "Frames, numbering, sorting",
    "errors": "Errors, memory and the end of a job",
    "observe": "Timelines",
    "graph": "Graphs and their files",
    "volumes": "Volumes, meshes and their files",
    "surfaces": "Surfaces, labels, particles in fields",
    "pictures": "Pictures",
    "particles": "Gravity and snapshots",
    "command": "The command and its outputs",
    "python": "Python",
    "interface": "Headers, components, calls",
    "project": "Build, tests, documentation",
}
HEADING = re.compile(r"# (?P<number>\d+)\. (?P<title>.+?)(?: \((?P<state>(?:superseded|amended) by ADRs? (?P<by>\d+(?:(?:, | and )\d+)*))\))?$")
HEAD = """# Decisions by subject

A record says what was decided, which other way there was, and why it was not taken. A record without a state holds as it
is; one that was amended holds but for what the later record says; one that was superseded is history.

Numbers have gaps: people who work at the same time take numbers from ranges of their own, and what is left of a range
is not used later. No record was removed.

This page is made from the records by `scripts/check_decisions.py --fix`.
"""


@dataclass(frozen=True)
class Record:
    file: Path
    number: int
    title: str
    state: str  # empty where no later record has changed it
    later: tuple[int, ...]  # the records that have
    subject: str


def read(file: Path) -> Record | str:
    """The record in a file, or a complaint about it."""
    lines = file.read_text(encoding="utf-8").split("\n")
    heading = HEADING.match(lines[0])
    if heading is None:
        return "expected '# NUMBER. TITLE' in the first line, then its state, if any: '(amended by ADR 87)'"
    if not file.name.startswith(f"{int(heading['number']):04}-"):
        return f"has number {heading['number']} in its first line"
    subject = re.match(r"Subject: (\w+)\.$", lines[2] if len(lines) > 2 else "")
    if subject is None or subject[1] not in SUBJECTS:
        return f"expected 'Subject: NAME.' in the third line, one of {', '.join(SUBJECTS)}"
    later = tuple(int(number) for number in re.findall(r"\d+", heading["by"] or ""))
    return Record(file, int(heading["number"]), heading["title"], heading["state"] or "", later, subject[1])


def index_of(records: list[Record]) -> str:
    parts = [HEAD]
    for subject, title in SUBJECTS.items():
        of_subject = [record for record in records if record.subject == subject]
        if of_subject:
            parts.append(f"## {title}\n\n| record | decision | state |\n|--:|---|---|\n" + "".join(
                f"| {record.number} | [{record.title}]({record.file.name}) | {record.state} |\n" for record in of_subject))
    return "\n".join(parts)


def read_all(root: Path) -> tuple[list[Record], list[str]]:
    records, complaints = [], []
    for file in sorted((root / "docs/adr").glob("[0-9]*.md")):
        found = read(file)
        if isinstance(found, str):
            complaints.append(f"docs/adr/{file.name}:1: {found}")
        else:
            records.append(found)
    return records, complaints


def complaints(root: Path) -> list[str]:
    records, result = read_all(root)
    numbers = [record.number for record in records]
    for record in records:
        if numbers.count(record.number) > 1:
            result.append(f"docs/adr/{record.file.name}:1: another record has number {record.number}")
        result += [f"docs/adr/{record.file.name}:1: there is no later record {number}" for number in record.later
                   if number not in numbers or number <= record.number]
    index = root / "docs/adr/README.md"
    if not result and (not index.is_file() or index.read_text(encoding="utf-8") != index_of(records)):
        result.append("docs/adr/README.md: differs from the records; run: scripts/check_decisions.py --fix")
    return result


if __name__ == "__main__":
    arguments = [each for each in sys.argv[1:] if each != "--fix"]
    tree = Path(arguments[0] if arguments else ".")
    if "--fix" in sys.argv:
        (tree / "docs/adr/README.md").write_text(index_of(read_all(tree)[0]), encoding="utf-8")
    sys.exit(finish("decisions", complaints(tree)))
