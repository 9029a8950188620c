"""Draws what `weft simulate` found: the time of a round against the ranks, a line a subject, a panel a case.

Reads the CSV text from standard input; the argument is the PNG file. Part of the command `weft`."""
import csv
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("python3-matplotlib is not installed")
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator

# Eight colours that colour-blind readers tell apart (Okabe and Ito), and marks for print.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999933"]
MARKS = "osD^vP*X"

rows = list(csv.DictReader(sys.stdin))
flies = rows[0]["engine"] == "advection"  # one time each, not rounds; the blocks of a rank tell lines apart, not panels
unit = 1 if flies else 1e6
for row in rows if flies else []:
    row["subject"] += f", {row['degree']} blocks a rank"
    row["degree"] = ""
panels = sorted({(r["machine"], r["degree"], r["bytes"]) for r in rows})
subjects = list(dict.fromkeys(r["subject"] for r in rows))
figure, axes = plt.subplots(1, len(panels), figsize=(5.2 * len(panels), 4.2), squeeze=False, layout="constrained")
for axis, (machine, degree, size) in zip(axes[0], panels):
    here = [r for r in rows if (r["machine"], r["degree"], r["bytes"]) == (machine, degree, size)]
    for i, subject in enumerate(subjects):
        for engine in sorted({r["engine"] for r in here}):
            points = sorted((int(r["ranks"]), unit * float(r["simulated_s"]) / int(r["rounds"])) for r in here
                            if (r["subject"], r["engine"]) == (subject, engine))
            by_model = engine == "model"
            axis.plot(*zip(*points), color=COLOURS[i % 8], marker=MARKS[i % 8], markersize=5,
                      linestyle="--" if by_model else "-", label=f"{subject} (model)" if by_model else subject)
    ranks = sorted({int(r["ranks"]) for r in here})
    axis.set(xscale="log", yscale="log", xlabel="ranks",
             ylabel="simulated time (s)" if flies else "simulated time of a round (us)",
             title=machine if flies else f"{machine}: {degree} messages of {size} B a rank")
    axis.set_xticks(ranks, [f"{n:,}" for n in ranks])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.yaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.grid(True, which="major", alpha=0.3)
    axis.legend(frameon=False, fontsize=8)
figure.savefig(sys.argv[1], dpi=150)
