"""The pages of the command: one a subcommand, made of what it prints for `--help`."""

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
ENTRY = re.compile(r"  (\S.*?)(?:  +(.*))?$")
HEADS = ("Positionals:", "Options:", "Subcommands:", "Examples:")
Help = Callable[..., str]


def sections(text: str) -> list[tuple[str, list[str]]]:
    """The paragraphs of a help, each with its head ("" for text)."""
    found: list[tuple[str, list[str]]] = []
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
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".strip())
    return found


def escaped(text: str) -> str:
    """A text of the help as Markdown: what looks like an option, a file or a place holder is code."""
    return re.sub(r"([\\*_<>|$\[\]])", r"\\\1", text)


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
            result += f"**{head.rstrip(':')}**\n\n{definitions(lines)}"
        elif lines[-1].startswith("Usage: "):
            usage = lines[-1].removeprefix("Usage: ")
            result += f"{escaped(' '.join(lines[:-1]))}\n\n```text\n{usage}\n```\n\n"
        elif any(line.startswith("  ") for line in lines):
            result += "```text\n" + "\n".join(lines) + "\n```\n\n"
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


def row_of(question: dict[str, Any]) -> str:
    name = question["name"]
    return f"| [`{name}`](command/{name}.md) | `weft::{question['function']}` | {f'`weft.{name}`' if question['in_python'] else ''} |\n"


def write_pages(weft: Help, questions: list[dict[str, Any]], folder: Path) -> None:
    guides = {**GUIDES, "graphs": [*(each["name"] for each in questions), "convert", "graph"]}
    (folder / "command").mkdir(parents=True, exist_ok=True)
    text = weft("--help")
    commands = dict(entry for head, lines in sections(text) if head == "Subcommands:" for entry in entries(lines))
    for command in commands:
        page = pages_of(weft, [command], 1).split("\n\n", 1)
        (folder / "command" / f"{command}.md").write_text(f"{page[0]}\n\n{guide_of(command, guides)}{page[1]}", encoding="utf-8")
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
