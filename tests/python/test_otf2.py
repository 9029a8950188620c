import json

import pytest

import weft
from weft import otf2 as converter


def span(lane, name, kind, begin, length):
    return {"ph": "X", "pid": lane, "tid": 0, "ts": begin, "dur": length, "name": name, "cat": kind}


def message(number, source, target, left, found, size):
    return [{"ph": phase, "pid": rank, "tid": 0, "id": number, "ts": time, "args": {"bytes": size}}
            for phase, rank, time in (("s", source, left), ("f", target, found))]


def names(rank):
    return [{"ph": "M", "pid": rank, "tid": 0, "name": name, "args": {"name": text}}
            for name, text in (("process_name", f"rank {rank}"), ("thread_name", "communicates"))]


TIMELINE = {"traceEvents": [*names(0), *names(1), span(0, "exchange", "operation", 1, 4), span(0, "wait", "wait", 2, 2),
                            span(0, "user code", "compute", 5, 1.5), span(1, "exchange", "operation", 0.5, 5), *message(7, 0, 1, 1.25, 3, 80)]}


def test_spans_are_nested_and_messages_lie_between():
    lanes = converter.lanes_of(TIMELINE)
    assert [(lane.process, lane.name) for lane in lanes.values()] == [("rank 0", "communicates"), ("rank 1", "communicates")]
    exchange, wait, code = ("exchange", "operation"), ("wait", "wait"), ("user code", "compute")
    assert lanes[0, 0].moments == [(1000, "enter", exchange), (1250, "send", ((1, 0), 80)), (2000, "enter", wait), (4000, "leave", wait),
                                   (5000, "leave", exchange), (5000, "enter", code), (6500, "leave", code)]
    assert lanes[1, 0].moments == [(500, "enter", exchange), (3000, "receive", ((0, 0), 80)), (5500, "leave", exchange)]


def test_a_span_that_reaches_over_another_is_cut():
    assert converter.nested([(0, 10, ("a", "x")), (5, 15, ("b", "x")), (10, 10, ("c", "x"))]) == [
        (0, "enter", ("a", "x")), (5, "enter", ("b", "x")), (10, "leave", ("b", "x")), (10, "leave", ("a", "x"))]


def test_the_trace_of_a_run_can_be_read(comm, shared_folder):
    otf2 = pytest.importorskip("otf2", reason="the package otf2 is not installed")
    with weft.timeline(shared_folder / "run.json", comm=comm):
        for _ in range(3):
            weft.exchange(comm, {(comm.rank + 1) % comm.size: [1, 2, 3]})
    if comm.rank > 0:
        return
    timeline = json.loads((shared_folder / "run.json").read_text())
    converter.write_otf2(timeline, shared_folder / "trace")
    with otf2.reader.open(str(shared_folder / "trace" / "traces.otf2")) as trace:
        assert [location.group.name for location in trace.definitions.locations] == [f"rank {rank}" for rank in range(comm.size)]
        events = [(location.group.name, type(event).__name__, event) for location, event in trace.events]
    entered = [event.region.name for _, kind, event in events if kind == "Enter"]
    spans = [event["name"] for event in timeline["traceEvents"] if event["ph"] == "X" and event["dur"] > 0]
    assert sorted(entered) == sorted(spans) and entered.count("exchange") >= 3 * comm.size
    assert len(entered) == sum(kind == "Leave" for _, kind, _ in events)
    assert sum(kind == "MpiSend" for _, kind, _ in events) == sum(kind == "MpiRecv" for _, kind, _ in events)
