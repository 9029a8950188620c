"""Writes a timeline of Weft as a trace in OTF2, the format of Vampir, Scalasca and Score-P.

    python -m weft.otf2 run.json trace

`run.json` is a timeline for Perfetto, written by `--timeline run.json`, `weft.timeline`, a `timeline_file` or a simulation. The trace is
the file `traces.otf2` in the folder `trace`, with the files beside it. This needs the package otf2 (`pip install otf2`).
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from dataclasses import dataclass, field
from typing import Any

MESSAGE_TAG = 0


@dataclass
class Lane:
    """A thread of a rank. Its events, by time, are (nanoseconds, action, detail). The detail of the actions "enter" and "leave" is a
    region, a pair of name and category; that of "send" and "receive" is the other lane and the number of bytes."""

    process: str
    name: str
    moments: list[tuple[int, str, tuple[Any, ...]]] = field(default_factory=list)


def lanes_of(timeline: dict[str, Any]) -> dict[tuple[int, int], Lane]:
    """Returns the lanes of a timeline for Perfetto, by process and thread."""
    processes: dict[int, str] = {}
    threads: dict[tuple[int, int], str] = {}
    spans: dict[tuple[int, int], list[tuple[int, int, tuple[str, str]]]] = {}
    arrows: dict[int, dict[str, dict[str, Any]]] = {}
    for event in timeline["traceEvents"]:
        place = (event["pid"], event.get("tid", 0))
        if event["ph"] == "M" and event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        elif event["ph"] == "M" and event["name"] == "thread_name":
            threads[place] = event["args"]["name"]
        elif event["ph"] == "X":
            begin = round(event["ts"] * 1000)
            spans.setdefault(place, []).append((begin, begin + round(event["dur"] * 1000), (event["name"], event["cat"])))
        elif event["ph"] in ("s", "f"):
            arrows.setdefault(event["id"], {})[event["ph"]] = event
    lanes = {place: Lane(processes.get(place[0], f"process {place[0]}"), threads.get(place, f"thread {place[1]}"))
             for place in sorted({*threads, *spans})}
    for place, inside in spans.items():
        lanes[place].moments += nested(inside)
    for arrow in arrows.values():
        if "s" not in arrow or "f" not in arrow:
            continue
        source, target = (((arrow[phase]["pid"], arrow[phase].get("tid", 0)), round(arrow[phase]["ts"] * 1000)) for phase in "sf")
        size = arrow["s"]["args"]["bytes"]
        lanes[source[0]].moments.append((source[1], "send", (target[0], size)))
        lanes[target[0]].moments.append((target[1], "receive", (source[0], size)))
    for lane in lanes.values():
        lane.moments.sort(key=lambda moment: moment[0])  # which is stable: spans stay nested
    return lanes


def nested(spans: list[tuple[int, int, tuple[str, str]]]) -> list[tuple[int, str, tuple[Any, ...]]]:
    """Returns the beginnings and ends of spans, made nested: a span that reaches beyond the end of an enclosing span is cut there."""
    moments: list[tuple[int, str, tuple[Any, ...]]] = []
    is_open: list[tuple[int, tuple[str, str]]] = []

    def close_until(time: int) -> None:
        while is_open and is_open[-1][0] <= time:
            end, region = is_open.pop()
            moments.append((end, "leave", region))

    for begin, end, region in sorted(spans, key=lambda span: (span[0], -span[1])):
        close_until(begin)
        if is_open:
            end = min(end, is_open[-1][0])
        if end <= begin:
            continue
        is_open.append((end, region))
        moments.append((begin, "enter", region))
    close_until(sys.maxsize)
    return moments


def write_otf2(timeline: dict[str, Any], folder: str | os.PathLike[str]) -> None:
    """Writes a timeline for Perfetto into a new folder, as a trace in OTF2."""
    otf2 = importlib.import_module("otf2")  # an optional package
    kinds = importlib.import_module("otf2.enums")
    mpi = kinds.Paradigm.MPI
    roles = {"operation": kinds.RegionRole.COLL_OTHER, "communicate": kinds.RegionRole.POINT2POINT, "wait": kinds.RegionRole.BARRIER}
    lanes = lanes_of(timeline)
    with otf2.writer.open(os.fspath(folder), timer_resolution=1_000_000_000) as trace:
        known = trace.definitions
        system = known.system_tree_node("weft")
        groups = {process: known.location_group(lanes[process, thread].process, location_group_type=kinds.LocationGroupType.PROCESS,
                                                system_tree_parent=system) for process, thread in lanes}
        locations = {place: known.location(lane.name, type=kinds.LocationType.CPU_THREAD, group=groups[place[0]])
                     for place, lane in lanes.items()}
        ranks = sorted({place for place in lanes if place[1] == min(thread for process, thread in lanes if process == place[0])})
        number = {place: at for at, place in enumerate(ranks)}
        members = known.group("ranks", group_type=kinds.GroupType.COMM_LOCATIONS, paradigm=mpi,
                                members=[locations[place] for place in ranks]).members
        world = known.comm("world", group=known.group("world", group_type=kinds.GroupType.COMM_GROUP, paradigm=mpi,
                                                      members=members))
        regions: dict[tuple[str, str], Any] = {}
        for place, lane in lanes.items():
            writer = trace.event_writer_from_location(locations[place])
            for time, what, detail in lane.moments:
                if what in ("enter", "leave"):
                    if detail not in regions:
                        name, kind = detail
                        regions[name, kind] = known.region(name, source_file="weft", paradigm=kinds.Paradigm.USER,
                                                           region_role=roles.get(kind, kinds.RegionRole.FUNCTION))
                    (writer.enter if what == "enter" else writer.leave)(time, regions[detail[0], detail[1]])
                elif what == "send":
                    writer.mpi_send(time, number[detail[0]], world, MESSAGE_TAG, detail[1])
                else:
                    writer.mpi_recv(time, number[detail[0]], world, MESSAGE_TAG, detail[1])


def main() -> None:
    """Converts the file that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m weft.otf2", description="Write a timeline of Weft as a trace in OTF2")
    parser.add_argument("timeline", help="a timeline for Perfetto, such as the run.json of a command")
    parser.add_argument("folder", help="the trace; a folder that is not there yet")
    words = parser.parse_args()
    if os.path.exists(words.folder):
        parser.error(f"{words.folder} is there already; name another folder")
    try:
        with open(words.timeline, encoding="utf-8") as file:
            timeline = json.load(file)
        write_otf2(timeline, words.folder)
    except ModuleNotFoundError:
        parser.error("the package otf2 is needed: pip install otf2")
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"{words.timeline}: expected a timeline for Perfetto ({error!r})")


if __name__ == "__main__":
    main()
