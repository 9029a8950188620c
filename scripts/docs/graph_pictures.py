"""Pictures of the questions about graphs: one small graph, and at each vertex the answer that the command gives."""

import subprocess
import tempfile
from pathlib import Path

from pictures import COLORS, INK, Picture

# A vertex a pair (x, y); an edge is (from, to, weight).
PLACES = [(60, 150), (130, 80), (130, 220), (200, 150), (290, 150), (360, 80), (430, 150), (360, 220), (510, 150), (60, 60),
          (600, 80), (600, 220), (660, 150)]
EDGES = [(0, 1, 2), (0, 2, 1), (0, 3, 4), (1, 2, 3), (1, 3, 1), (2, 3, 2), (3, 4, 5), (4, 5, 1), (5, 6, 2), (6, 7, 1),
         (7, 4, 3), (5, 7, 2), (6, 8, 4), (9, 0, 1), (10, 11, 1), (11, 12, 2), (12, 10, 1)]
# Options, what the picture shows, whether arcs count, and whether weights do.
QUESTIONS: dict[str, tuple[str, str, bool, bool]] = {
    "components": ("--labels -", "the smallest vertex of its component", False, False),
    "scc": ("--labels -", "the smallest vertex of its strong component", True, False),
    "degrees": ("--out -", "the number of its neighbours", False, False),
    "bfs": ("--source 0 --distances -", "the edges of a shortest path from vertex 0", False, False),
    "sssp": ("--source 0 --distances -", "the length of the shortest path from vertex 0", False, True),
    "pagerank": ("--out -", "its PageRank, in percent", True, False),
    "betweenness": ("--out -", "the shortest paths that lead through it", False, False),
    "clustering": ("--out -", "the share of pairs of its neighbours that are edges", False, False),
    "communities": ("--labels -", "the label of its community", False, False),
    "cores": ("--out -", "its core number", False, False),
}
PALE = ("#cfe3f3", "#f6d9c6", "#cfe8d0", "#e0d3ea", "#f4efc3", "#d9dee4", "#f3cfd9", "#c9ecec")


def shown(question: str, value: str) -> str:
    if question == "pagerank":
        return f"{100 * float(value):.0f}"
    return value if value in ("inf", "-1") else f"{float(value):.2g}"


def draw_edges(picture: Picture, edges, directed: bool, weighted: bool, strong=frozenset()) -> None:
    for one, other, weight in edges:
        (x1, y1), (x2, y2) = PLACES[one], PLACES[other]
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        dx, dy = (x2 - x1) / length * 20, (y2 - y1) / length * 20
        color = COLORS[1] if (one, other) in strong else INK
        if directed:
            picture.arrow(x1 + dx, y1 + 40 + dy, x2 - dx, y2 + 40 - dy, color)
        else:
            picture.line(x1 + dx, y1 + 40 + dy, x2 - dx, y2 + 40 - dy, color, 4 if (one, other) in strong else 2)
        if weighted:
            picture.text(x1 + 0.36 * (x2 - x1) - dy * 0.55, y1 + 0.36 * (y2 - y1) + 44 + dx * 0.55, str(weight), size=12, color=COLORS[0])


def draw_vertices(picture: Picture, values: list[str]) -> None:
    colors: dict[str, str] = {}
    for vertex, (x, y) in enumerate(PLACES):
        color = colors.setdefault(values[vertex], PALE[len(colors) % len(PALE)])
        picture.circle(x, y + 40, 19, color)
        picture.text(x, y + 45, values[vertex], bold=True)
        picture.text(x, y + (16 if y < 150 else 74), f"vertex {vertex}" if vertex == 0 else str(vertex), size=11)


def answer(weft: str, words: list[str], graph: Path) -> list[list[str]]:
    done = subprocess.run([weft, words[0], str(graph), *words[1:], "--quiet"], check=True, capture_output=True, text=True)
    return [line.split() for line in done.stdout.splitlines()]


def write_all(weft: str, folder: Path) -> list[str]:
    """Writes a picture a question; returns the questions that have one."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        graph = Path(scratch) / "graph.txt"
        graph.write_text("".join(f"{one} {other} {weight}\n" for one, other, weight in EDGES), encoding="utf-8")
        for question, (options, meaning, directed, weighted) in QUESTIONS.items():
            rows = answer(weft, [question, *options.split()], graph)
            values = {int(vertex): shown(question, value) for vertex, value in rows}
            picture = Picture(720, 310, f"weft {question}: a vertex shows {meaning}")
            draw_edges(picture, EDGES, directed, weighted)
            draw_vertices(picture, [values[vertex] for vertex in range(len(PLACES))])
            picture.save(folder / f"{question}.svg")
        chosen = {(int(one), int(other)) for one, other, _ in answer(weft, ["forest", "--edges", "-"], graph)}
        strong = {edge[:2] for edge in EDGES if edge[:2] in chosen or edge[1::-1] in chosen}
        picture = Picture(720, 310, "weft forest: the lightest edges that connect what is connected")
        draw_edges(picture, EDGES, False, True, strong)
        draw_vertices(picture, [str(vertex) for vertex in range(len(PLACES))])
        picture.save(folder / "forest.svg")
        corners = triangles_by_hand()
        picture = Picture(720, 310, f"weft triangles: {len(corners)} of them; a vertex shows in how many it lies")
        for one, two, three in corners:
            picture.area([PLACES[each] for each in (one, two, three)], 40, PALE[0])
        draw_edges(picture, EDGES, False, False)
        draw_vertices(picture, [str(sum(vertex in each for each in corners)) for vertex in range(len(PLACES))])
        picture.save(folder / "triangles.svg")
    return [*QUESTIONS, "forest", "triangles"]


def triangles_by_hand() -> list[tuple[int, int, int]]:
    pairs = {frozenset(edge[:2]) for edge in EDGES}
    return [(a, b, c) for a in range(len(PLACES)) for b in range(a) for c in range(b)
            if {frozenset((a, b)), frozenset((a, c)), frozenset((b, c))} <= pairs]
