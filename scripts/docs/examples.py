"""The pages of the examples, and the examples of each header: the first program, by number, that uses a name of it."""

import re
from pathlib import Path
from xml.etree import ElementTree

LANGUAGES = {".cpp": "cpp", ".py": "python"}
# Headers whose types a program gets without naming them.
UNNAMED = {
    "blocks_assignment": "09_blocks", "blocks_block_options": "06_out_of_core", "blocks_block_storage": "06_out_of_core",
    "blocks_link": "09_blocks", "contouring_surface": "15_surface", "contouring_mesh": "15_surface",
    "frames_parts_view": "08_frames", "frames_ragged": "16_collectives", "frames_uniform_distribution": "14_graph_questions",
    "graph_edge_list": "14_graph_questions", "graph_vertex_set": "14_graph_questions", "mailbox_channel": "03_mailbox",
    "containers_visitor": "18_sets", "wire_kinds": "19_own_types", "wire_archive": "19_own_types",
    "core_value_bound": "15_surface", "io_generators": "14_graph_questions",
}
Uses = dict[str, str]  # a name, and the page of the first example that uses it


def programs(root: Path) -> list[Path]:
    folder = root / "examples"
    return [*sorted(folder.glob("*.cpp"), key=lambda path: (not path.name[0].isdigit(), path.name)),
            *sorted((folder / "python").glob("*.py"))]


def page_name(path: Path) -> str:
    return ("python_" if path.suffix == ".py" else "") + path.stem


def about(path: Path) -> str:
    """The comment, or the docstring, with which a program begins, as one line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return " ".join(re.match(r'(?:#!.*\n)?"""(.*?)"""', text, re.DOTALL)[1].split())
    lines = re.match(r"(?:///.*\n)+", text)[0].splitlines()
    return re.sub(r"\b(?:mpirun -n \d+ )?(?:example_)?\d\d_\w+(?: [A-Z]+| [\w.]+\.\w+)*", r"`\g<0>`",
                  " ".join(line.removeprefix("///").strip() for line in lines))


def write_pages(root: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = {".cpp": "", ".py": ""}
    for path in programs(root):
        name, said = page_name(path), about(path)
        text = path.read_text(encoding="utf-8")
        shown = re.sub(r"^ *(?://|#) \[\w+\]\n", "", text, flags=re.MULTILINE)  # marks of the parts that pages show
        (folder / f"{name}.md").write_text(f"# {path.stem}\n\n{said}\n\n`examples/{path.relative_to(root / 'examples')}`:\n\n"
                                           f"```{LANGUAGES[path.suffix]}\n{shown}```\n", encoding="utf-8")
        rows[path.suffix] += f"| [{path.stem}]({name}.md) | {said} |\n"
    names = "".join(f"{page_name(path)}\n" for path in programs(root))
    (folder / "index.md").write_text(f"""# Examples

Whole programs, each of which is run by the tests.

| C++ | |
|---|---|
{rows[".cpp"]}
| Python | |
|---|---|
{rows[".py"]}
```{{toctree}}
:hidden:

{names}```
""", encoding="utf-8")


def uses(root: Path) -> Uses:
    found: Uses = {}
    for path in programs(root):
        if path.suffix == ".cpp":
            for name in re.findall(r"\bweft::(\w+)", path.read_text(encoding="utf-8")):
                found.setdefault(name, page_name(path))
    return found


def names_of(group: str, xml: Path) -> list[str]:
    """Types and functions that a header declares in the namespace, in their order."""
    tree = ElementTree.parse(xml / f"group__{group.replace('_', '__')}.xml").getroot()
    types = [node.text.removeprefix("weft::") for node in tree.iter("innerclass") if node.text and node.text.count("::") == 1]
    functions = [node.findtext("name", "") for node in tree.iter("memberdef") if node.get("kind") in ("function", "typedef")]
    return list(dict.fromkeys([*types, *functions]))


def test_of(root: Path, header: str) -> str:
    """The line of a header without an example: the test that calls it."""
    folder = root / "tests" / Path(header).parent.name
    own = folder / f"{Path(header).name}_test.cpp"
    including = (each for each in sorted(folder.glob("*_test.cpp"))
                 if f"#include <weft/{header}.hpp>" in each.read_text(encoding="utf-8"))
    found = own if own.is_file() else next(including, None)
    return f"Calls of it are in the test `{found.relative_to(root)}`.\n\n" if found else ""


def line_for(group: str, root: Path, header: str, xml: Path, found: Uses) -> str:
    """Which program uses which name of the header; the test that calls it where none does."""
    if group in UNNAMED:
        return f"Example: [{UNNAMED[group]}](../../examples/{UNNAMED[group]}.md).\n\n"
    by_page: dict[str, list[str]] = {}
    for name in names_of(group, xml):
        if name in found:
            by_page.setdefault(found[name], []).append(f"`{name}`")
    links = [f"{', '.join(names)} in [{page}](../../examples/{page}.md)" for page, names in by_page.items()]
    return f"Example{'s' if len(links) > 1 else ''}: {'; '.join(links)}.\n\n" if links else test_of(root, header)
