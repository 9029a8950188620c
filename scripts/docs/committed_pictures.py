#!/usr/bin/env python3
"""Draws the pictures of README.md, the landing page and the guides of the command into docs/_static/pictures. The inputs
are those that `make demo` installs or downloads; run it after `make demo`. It needs Pillow (python3-pil).

scripts/python_with PIL -- scripts/docs/committed_pictures.py build/release/tools/weft
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import sample_files  # noqa: E402

TARGET = ROOT / "docs" / "_static" / "pictures"
WINDS = Path("/usr/share/ferret-vis/data/monthly_navy_winds.cdf")
BRAIN = ROOT / "build/demo/data/mni_icbm152_t1_tal_nlin_sym_09a_converted.nii.gz"
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
WIDTH, HEIGHT = 480, 300
COLORS = {"compute": "#4878a8", "communicate": "#e49444", "wait": "#d1d5db", "termination": "#a5549b"}
SCALE = 3
GUIDE_WIDTH = 640
GUIDE = {  # a picture of a guide, and the command that draws it
    "values": "histogram BRAIN --bins 12 --range 1,255",
    "labels": "label BRAIN --threshold 150 --neighbors 26",
    "surface": "contour BRAIN --iso 89.5",
    "slice": "slice BRAIN --plane z=3.5",
    "mesh": "slice MESH --plane z=3.5",
    "outside": "render PART --field temperature --view 40,25 --theme light",
    "cluster": "nbody CLUSTER --eps 0.01 --steps 10 --dt 0.01",
}


def weft(command: str, *words: object) -> None:
    subprocess.run([command, *map(str, words), "--quiet"], check=True)


def fitted(picture: Image.Image, part: tuple[float, float, float, float]) -> Image.Image:
    """A part of the picture (left, top, right, bottom as shares of it), in the shape and size of the three."""
    box = (part[0] * picture.width, part[1] * picture.height, part[2] * picture.width, part[3] * picture.height)
    picture = picture.convert("RGB").crop(tuple(map(round, box)))
    width = min(picture.width, picture.height * WIDTH // HEIGHT)
    height = min(picture.height, picture.width * HEIGHT // WIDTH)
    left, top = (picture.width - width) // 2, (picture.height - height) // 2
    return picture.crop((left, top, left + width, top + height)).resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def winds(command: str, folder: Path) -> Image.Image:
    weft(command, "-n", 4, "trace", WINDS, "--variable", "UWND,VWND,", "--steps", "0,1", "--seeds", "plane:z=0,60,30",
         "--max-steps", 300, "--image", folder / "winds.png")
    return fitted(Image.open(folder / "winds.png"), (0.08, 0.08, 0.86, 0.87))


def brain(command: str, folder: Path) -> Image.Image:
    weft(command, "-n", 4, "render", BRAIN, "--transfer", "tissue", "--shade", "--view", "150,20", "--zoom", "1.5",
         "--size", f"{2 * WIDTH},{2 * HEIGHT}", "--image", folder / "brain.png")
    return fitted(Image.open(folder / "brain.png"), (0.1, 0.12, 0.84, 1))


def timeline(command: str, folder: Path) -> Image.Image:
    """The lanes of a run of 4 ranks: the phase after the graph was made, in the colours of the page."""
    weft(command, "-n", 4, "components", "rmat:16", "--engine", "mailbox", "--timeline", folder / "run.json")
    events = [event for event in json.loads((folder / "run.json").read_text(encoding="utf-8"))["traceEvents"]
              if event.get("ph") == "X"]
    begin = min(event["ts"] for event in events if event["name"] == "finding components")
    end = max(event["ts"] + event["dur"] for event in events if event["name"] == "find_components")
    picture = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), "white")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.truetype(FONT, 13 * SCALE)
    left, top, lane, gap = 62 * SCALE, 18 * SCALE, 46 * SCALE, 10 * SCALE
    per_second = (WIDTH * SCALE - left - 12 * SCALE) / (end - begin)
    for rank in range(4):
        draw.text((10 * SCALE, top + rank * (lane + gap) + 15 * SCALE), f"rank {rank}", fill="#1f2933", font=font)
    for event in events:
        if event["cat"] not in COLORS or event["ts"] + event["dur"] < begin or event["ts"] > end:
            continue
        y = top + event["pid"] * (lane + gap)
        x1 = left + (max(event["ts"], begin) - begin) * per_second
        x2 = left + (min(event["ts"] + event["dur"], end) - begin) * per_second
        draw.rectangle((x1, y, max(x2, x1 + 1), y + lane), fill=COLORS[event["cat"]])
    x, y = left, HEIGHT * SCALE - 38 * SCALE
    for name, color in COLORS.items():
        draw.rectangle((x, y, x + 12 * SCALE, y + 12 * SCALE), fill=color)
        draw.text((x + 17 * SCALE, y - 2 * SCALE), name, fill="#1f2933", font=font)
        x += (30 + 8 * len(name)) * SCALE
    return picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def guide_pictures(command: str, folder: Path) -> None:
    inputs = {"BRAIN": folder / "brain.nii.gz", "MESH": folder / "white.vtu", "CLUSTER": folder / "cluster.dat",
              "PART": folder / "part.vtk"}
    sample_files.meshes(folder)
    inputs["BRAIN"].symlink_to(BRAIN)
    weft(command, "-n", 4, "threshold", inputs["BRAIN"], "--least", 200, "--out", inputs["MESH"])
    weft(command, "-n", 4, "generate", "plummer", "--particles", 20000, "--out", inputs["CLUSTER"])
    for name, words in GUIDE.items():
        image = folder / f"{name}.png"
        weft(command, "-n", 4, *(inputs.get(word, word) for word in words.split()), "--image", image)
        picture = Image.open(image).convert("RGB")
        height = picture.height * GUIDE_WIDTH // picture.width
        save(picture.resize((GUIDE_WIDTH, height), Image.Resampling.LANCZOS), name)


def save(picture: Image.Image, name: str) -> None:
    picture.quantize(128, dither=Image.Dither.NONE).save(TARGET / f"{name}.png", optimize=True)


def main(command: str) -> int:
    missing = [str(path) for path in (WINDS, BRAIN, Path(FONT)) if not path.is_file()]
    if missing:
        print(f"committed_pictures: {', '.join(missing)} is missing; `make demo` brings it", file=sys.stderr)
        return 1
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for draw in (winds, brain, timeline):
            save(draw(command, Path(folder)), draw.__name__)
        guide_pictures(command, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
