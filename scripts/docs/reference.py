"""The pages of the C++ reference: by what a reader looks for, each header on one of them."""

import re
from fnmatch import fnmatch
from pathlib import Path

import examples

# Title, name of the page, what it is for, and the headers in the order of reading.
PAGES = [
    ("Begin: environment and communicator", "begin", "MPI is started and ended here, and ranks find their group.",
     ["core/environment", "core/communicator", "mpi", "core/topology", "core/ids", "core/contiguous", "core/version"]),
    ("Exchange: one round between ranks", "exchange",
     "Each rank knows to whom it sends; who sends to it is found out. A plan runs the same pattern again.",
     ["exchange/exchange", "exchange/outbox", "exchange/inbox", "exchange/exchange_plan"]),
    ("Mailbox: small messages at any time", "mailbox",
     "Messages to any rank until nothing is in flight anywhere. Termination is found out by `drain` and `test_empty`.",
     ["mailbox/mailbox", "mailbox/channel", "mailbox/combining_channel", "mailbox/service", "mailbox/mailbox_counters",
      "protocol/termination_kind"]),
    ("Containers: maps, sets and counters of all ranks", "containers",
     "Any rank inserts, erases and visits; the rank that owns the key has the entry. [The guide](../../guides/containers.md) begins with an example.",
     ["containers/map", "containers/counting_set", "containers/set", "containers/multimap", "containers/multiset",
      "containers/disjoint_set", "containers/array", "containers/bag", "containers/tagged_bag", "containers/work_queue",
      "containers/alias_table", "containers/kmer_counter", "containers/views", "containers/visitor", "containers/*"]),
    ("Blocks: data that talks to its neighbours", "blocks",
     "Blocks with ghost cells, in rounds (`exchange`) or asynchronously (`iexchange`).",
     ["blocks/block_set", "blocks/block_port", "blocks/regular_grid", "blocks/block_array", "blocks/fill_ghosts", "blocks/kd_tree", "blocks/box", "blocks/link",
      "blocks/assignment", "blocks/block_options", "blocks/block_storage", "blocks/block_balance",
      "blocks/block_moves", "blocks/block_reduction", "blocks/block_components", "blocks/*"]),
    ("Frames: values of global ids", "frames", "Values go from where they are to where their ids are wanted.",
     ["frames/block_distribution", "frames/uniform_distribution", "frames/balanced_blocks", "frames/block_to_part",
      "frames/part_to_block", "frames/part_to_part", "frames/block_to_block", "frames/*"]),
    ("Values of all ranks combined", "combine", "Reductions, scans, gathers and broadcasts of any type, by any operator.",
     ["collective/reduce", "collective/gather", "collective/arrays", "collective/schedule", "protocol/collectives"]),
    ("Errors", "errors", "Every exception; [causes and cures](../exceptions.md) are on a page of their own.",
     ["core/error", "protocol/agreement"]),
    ("Your types as messages", "wire", "How values become bytes, and how a type of yours does.",
     ["wire/wire", "wire/*", "core/buffer"]),
    ("Graphs and matrices", "graphs", "Distributed graphs and what is computed on them. Component `graph`.", ["graph/*"]),
    ("Files", "files", "Graphs, vectors, generators, text and timelines. Component `io`.", ["io/*"]),
    ("Particles", "particles", "Gravity, and particles in files. Components `nbody` and `snapshots`.",
     ["nbody/*", "snapshots/*"]),
    ("Surfaces", "surfaces", "Where a field has a value, on balanced cells. Component `contouring`.",
     ["contouring/contour", "contouring/slice", "contouring/threshold", "contouring/mesh", "contouring/surface", "contouring/write_surface", "contouring/*"]),
    ("Volumes", "volumes", "Volumes in files, their connected components, and particles traced through fields. Components `grids`, `labelling` and "
     "`tracing`.",
     ["grids/grid_file", "grids/*", "labelling/*", "tracing/trace_particles", "tracing/*"]),
    ("See what happens", "observe", "Counters, timelines, and who waits for whom.", ["observe/*"]),
    ("Knobs and the model of the machine", "knobs",
     "The same [knobs](../knobs.md) as values, and the model that predicts the protocols' times.",
     ["core/settings", "machine/*"]),
]
ENGINES = ("For those who write engines", "engines",
           "The second tier, `weft/extend/`: step functions, the transport, and the bytes below the types above, for engines, channels and "
           "bindings of your own. It changes more often than the first. "
           "[Write an engine](../../guides/write_an_engine.md) shows the way through it.")


def headers_of(root: Path, xml: Path) -> list[str]:
    """All public headers with something for a reader, as `core/error`; not the one that includes others."""
    include = root / "include" / "weft"
    found = sorted(path.relative_to(include).with_suffix("").as_posix() for path in include.rglob("*.hpp"))
    return [name for name in found if name == "mpi" or (not name.startswith("detail/") and is_documented(name, xml))]


def first_sentence(root: Path, header: str) -> str:
    """What the first comment of the header says that it is."""
    text = (root / "include" / "weft" / f"{header}.hpp").read_text(encoding="utf-8")
    comment = re.match(r"(?:///.*\n)+", text)
    said = " ".join(line.removeprefix("///").strip() for line in comment[0].splitlines()) if comment else ""
    return said


def group_of(header: str) -> str:
    """The group that doxygen_filter.py makes of it: "core_epoch" of "extend/core/epoch"."""
    return "weft_mpi" if header == "mpi" else "_".join(header.split("/")[-2:])


def is_documented(header: str, xml: Path) -> bool:
    """False for a header that has nothing but details."""
    return (xml / f"group__{group_of(header).replace('_', '__')}.xml").is_file()


def page(root: Path, xml: Path, title: str, purpose: str, headers: list[str], uses: examples.Uses) -> str:
    text = f"# {title}\n\n{purpose}\n\n"
    for header in headers:
        text += f"## `<weft/{header}.hpp>`\n\n{first_sentence(root, header)}\n\n"
        text += examples.line_for(group_of(header), root, header, xml, uses)
        text += f"```{{doxygengroup}} {group_of(header)}\n:content-only:\n:members:\n```\n\n"
    return text


def write_pages(root: Path, xml: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    left = headers_of(root, xml)
    pages = []
    for title, name, purpose, patterns in PAGES:
        taken = []
        for pattern in patterns:
            taken += [header for header in left if fnmatch(header, pattern) and header not in taken]
        left = [header for header in left if header not in taken]
        pages.append((title, name, purpose, taken))
    engines = [header for header in left if header.startswith("extend/")]
    others = sorted({header.split("/")[0] for header in left} - {"extend"})
    for module in others:  # a module that nobody has put on a page yet has one of its own
        taken = [header for header in left if header.split("/")[0] == module]
        pages.append((f"Module {module}", module, f"Headers of the module `{module}`.", taken))
    pages.append((*ENGINES, engines))
    uses = examples.uses(root)
    for title, name, purpose, taken in pages:
        (folder / f"{name}.md").write_text(page(root, xml, title, purpose, taken, uses), encoding="utf-8")
    contents = "".join(f"{name}\n" for _, name, _, _ in pages)
    (folder / "index.md").write_text(f"""# C++

By what one looks for; each header is on one page. `<weft/weft.hpp>` includes what programs use day by day.
A function says what it does, then: *Collective* (over what), *Blocks* (until when), *Cost* (messages and memory),
*Order*, *Throws*, *Source*.

```{{toctree}}
{contents}```
""", encoding="utf-8")
