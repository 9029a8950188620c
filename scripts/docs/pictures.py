"""Pictures of the tutorial, drawn as SVG: which item goes where."""

from pathlib import Path

INK, PALE, ACCENT, SECOND = "#1f2933", "#e4e9f0", "#1769aa", "#c2571a"
COLORS = ("#1769aa", "#c2571a", "#2e7d32", "#7b3fa0")


class Picture:
    """A picture `width` by `height`; it has a ground of its own, for dark pages too."""

    def __init__(self, width: int, height: int, title: str):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" width="{width}">',
            f"<title>{title}</title>",
            "<defs>" + "".join(
                f'<marker id="m{color[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
                f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{color}"/></marker>'
                for color in sorted({INK, ACCENT, SECOND, *COLORS})) + "</defs>",
            f'<rect width="{width}" height="{height}" rx="8" fill="white"/>',
        ]
        self.text(width / 2, 24, title, size=15, bold=True)

    def text(self, x, y, words, size=13, color=INK, bold=False, anchor="middle"):
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}" font-family="sans-serif" font-size="{size}" fill="{color}" '
                          f'text-anchor="{anchor}"{weight}>{words}</text>')

    def box(self, x, y, width, height, words="", fill=PALE, edge=INK):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{fill}" '
                          f'stroke="{edge}"/>')
        if words:
            self.text(x + width / 2, y + height / 2 + 5, words)

    def arrow(self, x1, y1, x2, y2, color=ACCENT, bend=0.0):
        mx, my = (x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1)
        self.parts.append(f'<path d="M{x1} {y1}Q{mx} {my} {x2} {y2}" fill="none" stroke="{color}" stroke-width="2" '
                          f'marker-end="url(#m{color[1:]})"/>')

    def line(self, x1, y1, x2, y2, color=INK, width=1):
        self.parts.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{color}" stroke-width="{width}"/>')

    def dot(self, x, y, color=INK, radius=5):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{color}"/>')

    def circle(self, x, y, radius, fill):
        self.parts.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{INK}"/>')

    def area(self, corners, down, fill):
        points = " ".join(f"{x},{y + down}" for x, y in corners)
        self.parts.append(f'<polygon points="{points}" fill="{fill}"/>')

    def svg(self) -> str:
        return "\n".join([*self.parts, "</svg>\n"])

    def save(self, path: Path):
        path.write_text(self.svg(), encoding="utf-8")


def exchange(path: Path) -> None:
    """Rank r sends the item d to rank r + d * d, for d = 1 and 2: those of 01_exchange.cpp on 4 ranks."""
    picture = Picture(560, 240, "exchange on 4 ranks: receivers find their senders")
    for rank in range(4):
        x = 40 + 130 * rank
        picture.box(x, 50, 90, 34, f"rank {rank}")
        picture.box(x, 186, 90, 34, f"rank {rank}")
        for d in (1, 2):
            target = (rank + d * d) % 4
            shift = -18 if d == 1 else 18
            picture.arrow(x + 45 + shift, 86, 40 + 130 * target + 45 + shift, 183, COLORS[d - 1])
    picture.text(8, 122, "item 1", color=COLORS[0], anchor="start")
    picture.text(8, 142, "item 2", color=COLORS[1], anchor="start")
    picture.save(path)


def mailbox(path: Path) -> None:
    """The edge v - next of 03_mailbox.cpp is two messages, each to the owner of its end."""
    picture = Picture(560, 230, "mailbox: an edge 6 - 7 of the ring is two messages")
    for rank in range(3):
        x = 40 + 175 * rank
        picture.box(x, 96, 130, 50, f"rank {rank}: {rank}, {rank + 3}, {rank + 6} ...")
    picture.arrow(62, 94, 92, 94, COLORS[0], bend=1.4)
    picture.text(66, 58, "count(6)", color=COLORS[0])
    picture.arrow(120, 94, 270, 94, COLORS[1], bend=0.35)
    picture.text(200, 58, "count(7)", color=COLORS[1])
    picture.text(280, 180, "handlers run where messages arrive, whenever they arrive;")
    picture.text(280, 200, "drain returns when nothing is in flight anywhere")
    picture.save(path)


def blocks(path: Path) -> None:
    """The 8 blocks of 09_blocks.cpp on 3 ranks."""
    picture = Picture(600, 220, "exchange of blocks: neighbours are blocks (7 and 0 too), wherever they lie")
    owners = [0, 0, 1, 1, 1, 2, 2, 2]
    for rank in range(3):
        mine = [block for block, owner in enumerate(owners) if owner == rank]
        x, width = 24 + 70 * mine[0], 70 * len(mine) - 6
        picture.box(x, 48, width, 110, fill="white")
        picture.text(x + width / 2, 68, f"rank {rank}", bold=True)
    for block in range(8):
        picture.box(32 + 70 * block, 88, 48, 40, str(block))
    for block in range(7):
        x = 80 + 70 * block
        color = COLORS[0] if owners[block] == owners[block + 1] else COLORS[1]
        picture.arrow(x, 100, x + 21, 100, color)
        picture.arrow(x + 22, 116, x + 1, 116, color)
    picture.text(300, 184, "within a rank items are handed over in memory;", color=COLORS[0])
    picture.text(300, 204, "between two ranks there is one message, whatever the number of blocks", color=COLORS[1])
    picture.save(path)


def iexchange(path: Path) -> None:
    """A walker of 05_random_walk.cpp."""
    picture = Picture(520, 260, "iexchange: a walker hops until its hops are used up")
    for row in range(3):
        for column in range(5):
            picture.box(60 + 84 * column, 48 + 56 * row, 64, 40, str(5 * row + column))
    hops = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 3), (1, 3), (1, 4)]
    for (row, column), (to_row, to_column) in zip(hops, hops[1:]):
        dx, dy = to_column - column, to_row - row
        x, y = 92 + 84 * column, 68 + 56 * row
        picture.arrow(x + 26 * dx, y + 18 * dy, x + 84 * dx - 34 * dx, y + 56 * dy - 22 * dy, COLORS[0])
    picture.text(260, 228, "a block is called back when something has come for it;")
    picture.text(260, 248, "no round waits for the slowest")
    picture.save(path)


def frames(path: Path) -> None:
    """The tasks of 08_frames.cpp: parts, blocks of equal cost, and back."""
    picture = Picture(600, 260, "frames: from parts to blocks of equal cost, and back")
    parts = [("rank 0", 300), ("rank 1", 110), ("rank 2", 110)]
    x = 30
    for name, width in parts:
        picture.box(x, 52, width, 36, f"tasks of {name}")
        x += width + 10
    for rank in range(3):
        picture.box(30 + 185 * rank, 180, 170, 36, f"block of rank {rank}", fill="#dcebd9")
    for start, end in ((80, 90), (180, 290), (290, 470), (390, 130), (505, 500)):
        picture.arrow(start, 90, end, 177, COLORS[0])
    picture.text(536, 136, "by id", color=COLORS[0])
    picture.text(300, 244, "plan.lowest(costs) goes down, plan.reverse(results) the same ways back")
    picture.save(path)


def write_all(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for draw in (exchange, mailbox, blocks, iexchange, frames):
        draw(folder / f"{draw.__name__}.svg")
