"""The pages of the Python reference: each public name of the package on one of them, from its docstring."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "weft"


def listed_in(file: Path) -> list[str]:
    """The names in `__all__` of a module."""
    return next(ast.literal_eval(node.value) for node in ast.parse(file.read_text(encoding="utf-8")).body
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")


GRAPH_NAMES = sorted(["Graph", *listed_in(PACKAGE / "_graph.py"), *listed_in(PACKAGE / "_graph_results.py")], key=str.lower)

# Title, name of the page, a sentence, and the names in the order of reading.
PAGES = [
    ("Communicator", "communicator", "A group of ranks, and what may go wrong on it.",
     ["Communicator", "Error", "UsageError", "InputError", "RemoteError", "WireError", "MpiError"]),
    ("Exchange", "exchange", "One collective round in which any rank may send arrays to any other.",
     ["exchange", "start_exchange", "exchange_objects", "Inbox", "TableInbox", "PendingExchange", "Route", "ExchangePlan"]),
    ("Mailbox", "mailbox", "Small messages at any time, until nothing is in flight on any rank.",
     ["Mailbox", "Channel", "Service", "handlers.add_at", "handlers.minimum_at", "handlers.maximum_at"]),
    ("Collectives", "collectives", "Reductions, gathers and broadcasts of values and arrays.",
     ["all_reduce", "reduce", "scan", "exscan", "argmin", "argmax", "Place", "broadcast", "scatter", "gather", "all_gather", "barrier"]),
    ("Blocks and ghosts", "blocks", "Blocks of a grid or a tree, and one call that fills their ghost cells (a halo exchange).",
     ["halo", "Halo", "RegularGrid", "KdTree", "Decomposition", "BlockSet", "BlockPort"]),
    ("Values of global ids", "frames", "Values travel between the parts that use ids and the blocks that own them.",
     ["BlockToPart", "PartToBlock", "Directory", "number_ids"]),
    ("Containers", "containers", "Maps, counters, arrays and tables of all ranks, filled and asked by batches.",
     ["Map", "CountingSet", "DisjointSet", "Array", "group_by", "GroupBy", "read_parquet", "write_parquet"]),
    ("Graphs and matrices", "graphs", "Questions about graphs, alone or several about one that is built once; products of sparse matrices.",
     [*GRAPH_NAMES, "spmv", "SparseMatrix"]),
    ("Volumes and surfaces", "volumes", "Labels, histograms, pictures, traces, surfaces and cells of arrays and files.",
     ["open_volume", "Volume", "label", "Labels", "histogram", "Histogram", "render", "trace", "Traces", "contour", "slice", "Surface", "threshold",
      "Cells", "read_mesh", "Mesh", "track", "Tracks"]),
    ("Particles", "particles", "Gravity and orbits, of arrays and files.", ["nbody", "Particles", "Totals", "read_particles", "Snapshot"]),
    ("Timelines", "timelines", "A picture of the time of all ranks.", ["timeline", "span"]),
]
REST = ("More names", "more", "Names that no other page has.")


def public_names() -> list[str]:
    """What `__all__` of the package lists, and the functions of its module of handlers."""
    listed = {*listed_in(PACKAGE / "__init__.py"), *GRAPH_NAMES}
    handlers = ast.parse((PACKAGE / "handlers.py").read_text(encoding="utf-8"))
    functions = [f"handlers.{node.name}" for node in handlers.body
                 if isinstance(node, ast.FunctionDef) and node.name.endswith("_at")]
    return sorted(listed - {"handlers"}) + functions


def page(title: str, purpose: str, names: list[str]) -> str:
    text = f"# {title}\n\n{purpose}\n\n```{{eval-rst}}\n"
    for name in names:
        is_class = name[0].isupper()
        text += f".. auto{'class' if is_class else 'function'}:: weft.{name}\n"
        text += ("   :members:\n   :inherited-members: Exception, Mapping, object\n" if is_class else "") + "\n"
    return text + "```\n"


def write_pages(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    left = public_names()
    contents = ""
    for title, name, purpose, wanted in PAGES:
        taken = [each for each in wanted if each in left]
        left = [each for each in left if each not in taken]
        (folder / f"{name}.md").write_text(page(title, purpose, taken), encoding="utf-8")
        contents += f"{name}\n"
    if left:
        (folder / f"{REST[1]}.md").write_text(page(REST[0], REST[2], left), encoding="utf-8")
        contents += f"{REST[1]}\n"
    (folder / "index.md").write_text(f"""# Python

`import weft` needs numpy and nothing else. Every function names its arguments, its result and the errors that it raises; *Collective*
says whether all ranks of the communicator must call it. The communicator is `comm=`, or the first
argument, or left out for all ranks. The [tutorial](../../python/tutorial.md) shows how they work together.

```{{toctree}}
{contents}```
""", encoding="utf-8")
