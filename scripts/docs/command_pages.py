"""The pages of the command: one a subcommand, made of what it prints for `--help`, with a picture and, where no file is needed,
what it prints."""

import re
from pathlib import Path
from typing import Any, Callable

# The guide that shows a command at work; `graphs` shows those that `weft info` lists as questions about graphs, and
# conversion, and several at once.
GUIDES = {
    "index": ["describe"],
    "volumes": ["label", "render", "histogram"],
    "fields": ["trace"],
    "meshes": ["contour", "slice", "threshold"],
    "particles": ["nbody", "generate"],
    "texts": ["count", "distinct", "join"],
}
# Pictures of the other commands: one that is committed or drawn by `plots.py`, and the option that draws it.
PICTURES = {
    "label": ("../../_static/pictures/labels.png", "label brain.nii.gz --threshold 150 --neighbors 26 --image labels.png"),
    "render": ("../../_static/pictures/brain.png",
               "render brain.nii.gz --transfer tissue --shade --view 150,20 --zoom 1.5 --image brain.png"),
    "histogram": ("../../_static/pictures/values.png", "histogram brain.nii.gz --bins 12 --range 1,255 --image values.png"),
    "trace": ("../../_static/pictures/winds.png",
              "trace winds.nc --variable UWND,VWND, --steps 0,1 --seeds plane:z=0,60,30 --image winds.png"),
    "contour": ("../../_static/pictures/surface.png", "contour brain.nii.gz --iso 89.5 --image surface.png"),
    "slice": ("../../_static/pictures/slice.png", "slice brain.nii.gz --plane z=3.5 --image slice.png"),
    "threshold": ("../../_static/pictures/mesh.png",
                  "threshold brain.nii.gz --least 200 --out white.vtu && weft slice white.vtu --plane z=3.5 --image mesh.png"),
    "nbody": ("../../_static/pictures/cluster.png", "nbody cluster.dat --eps 0.01 --steps 10 --dt 0.01 --image cluster.png"),
    "generate": ("../../_static/pictures/cluster.png",
                 "generate plummer --particles 20000 --out cluster.dat && weft nbody cluster.dat --image cluster.png"),
    "simulate": ("../../_static/pictures/simulated-intrepid.svg", "simulate exchange --machine intrepid --ranks 64 256 1024 4096"),
}
# Commands whose page shows what they print: what follows their name, for a graph that needs no file.
PRINTED = {"bfs": "rmat:12 --source 1", "sssp": "rmat:12 --source 1 --random-weights 7", "describe": "rmat:12",
           "graph": "rmat:12 components cores,top=3", "graph500": "--scale 12 --searches 4", "info": ""}
ENTRY = re.compile(r"  (\S.*?)(?:  +(.*))?$")
HEADS = ("Positionals:", "Options:", "Subcommands:", "Examples:")
TITLES = {"Positionals:": "Arguments"}
Help = Callable[..., str]


def sections(text: str) -> list[tuple[str, list[str]]]:
    """The paragraphs of a help, each with its head ("" for text)."""
    found: list[tuple[str, list[str]]] = []
    # Notes stand above the examples without a blank line between them, and a sentence on all commands below.
    text = re.sub(r"\n(Examples:\n(?:  .*\n?)+)", r"\n\n\1\n", text)
    for paragraph in re.split(r"\n{2,}", text.strip()):
        lines = paragraph.splitlines()
        head = lines[0] if lines[0] in HEADS else ""
        found.append((head, lines[1:] if head else lines))
    return found


def subcommands(text: str) -> list[str]:
    return [line.split()[0] for head, lines in sections(text) if head == "Subcommands:"
            for line in lines if re.match(r"  \w", line)]


def entries(lines: list[str]) -> list[tuple[str, str]]:
    """(name, explanation) of each option, whose explanation may be on further lines."""
    found: list[tuple[str, str]] = []
    for line in lines:
        begun = ENTRY.match(line) if re.match(r"  \S", line) else None
        if begun:
            found.append((begun[1], begun[2] or ""))
        elif found and re.match(r" {6}\S", line):  # a long type, on lines of its own below the name
            found[-1] = (f"{found[-1][0]} {line.strip()}", found[-1][1])
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".strip())
    return found


def escaped(text: str) -> str:
    """A text of the help as Markdown, whose options are code."""
    text = re.sub(r"(?<![\w`-])(--?[a-z][\w-]*(?: (?:FILE|SECONDS|N)\b)?)(?![\w`])", r"`\1`", text)
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>|$\[\]])", r"\\\1", part) for part in parts)


def definitions(lines: list[str]) -> str:
    return "".join(f"`{name}`\n: {escaped(text) or '(see above)'}\n\n" for name, text in entries(lines))


def body(path: list[str], text: str) -> str:
    result = ""
    for head, lines in sections(text):
        if head == "Subcommands:":
            continue
        if head == "Examples:":
            commands = [line.strip() for line in lines if line.startswith("  ")]
            result += "**Examples**\n\n```sh\n" + "\n".join(commands) + "\n```\n\n"
        elif head:
            result += f"**{TITLES.get(head, head.rstrip(':'))}**\n\n{definitions(lines)}"
        elif lines[-1].startswith("Usage: "):
            usage = lines[-1].removeprefix("Usage: ")
            result += f"{escaped(' '.join(lines[:-1]))}\n\n```text\n{usage}\n```\n\n"
        else:
            result += escaped(" ".join(lines)) + "\n\n"
    return result


def pages_of(weft: Help, path: list[str], depth: int) -> str:
    text = weft(*path, "--help")
    result = f"{'#' * depth} weft {' '.join(path)}\n\n{body(path, text)}"
    return result + "".join(pages_of(weft, [*path, name], depth + 1) for name in subcommands(text))


def guide_of(command: str, guides: dict[str, list[str]]) -> str:
    found = [guide for guide, commands in guides.items() if command in commands]
    return f"Shown at work in the guide [{found[0]}](../../command/{found[0]}.md).\n\n" if found else ""


def picture_of(command: str, drawn: list[str]) -> str:
    if command in drawn:
        return f"![weft {command} of a small graph](../../pictures/graphs/{command}.svg)\n\n"
    if command in PICTURES:
        file, line = PICTURES[command]
        return f"![Drawn by weft {command}]({file})\n\nDrawn by `weft {line}`.\n\n"
    return ""


def printed_of(weft: Help, command: str, questions: list[str]) -> str:
    words = PRINTED.get(command, "rmat:12" if command in questions and command != "spmv" else None)
    if words is None:
        return ""
    table = weft(command, *words.split()).strip("\n")
    if command == "info":  # the list of knobs is a page of its own
        table = table.split("\n\n")[0] + "\n..."
    return f"**What it prints**\n\n```sh\nweft {command} {words}\n```\n\n```text\n{table}\n```\n\n"


def row_of(question: dict[str, Any]) -> str:
    name = question["name"]
    return f"| [`{name}`](command/{name}.md) | `weft::{question['function']}` | {f'`weft.{name}`' if question['in_python'] else ''} |\n"


def write_pages(weft: Help, questions: list[dict[str, Any]], drawn: list[str], folder: Path) -> None:
    """`drawn`: the questions of which there is a picture in pictures/graphs."""
    names_of_questions = [each["name"] for each in questions]
    guides = {**GUIDES, "graphs": [*names_of_questions, "convert", "graph", "graph500"]}
    (folder / "command").mkdir(parents=True, exist_ok=True)
    text = weft("--help")
    commands = dict(entry for head, lines in sections(text) if head == "Subcommands:" for entry in entries(lines))
    for command in commands:
        page = pages_of(weft, [command], 1).split("\n\n", 1)
        about, rest = page[1].split("\n\n", 1)
        (folder / "command" / f"{command}.md").write_text(
            f"{page[0]}\n\n{about}\n\n{guide_of(command, guides)}{picture_of(command, drawn)}{rest}"
            f"{printed_of(weft, command, names_of_questions)}", encoding="utf-8")
    rows = "".join(f"| [`{name}`](command/{name}.md) | {escaped(said)} |\n" for name, said in commands.items())
    names = "".join(f"command/{name}\n" for name in commands)
    (folder / "command.md").write_text(f"""# Options of the command

A page a subcommand; `weft COMMAND --help` and `man weft` say the same. The [guide](../command/index.md) goes by tasks.

| command | |
|---|---|
{rows}
Questions about graphs and matrices are functions too:

| command | C++ | Python |
|---|---|---|
{"".join(map(row_of, questions))}
## weft

{body([], text)}
```{{toctree}}
:hidden:

{names}```
""", encoding="utf-8")
