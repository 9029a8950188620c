"""A bad argument on one rank is an exception on all: every public function and method, with `object()` for every parameter, and with
arguments that differ where they have to be equal. The list is that of the package: a new function without a row here fails."""

import atexit
import functools
import inspect
import itertools
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from conftest import reads_meshes

import weft

GRID = np.random.default_rng(1).random((4, 4, 4))


def edges(comm):
    return [[0, 1], [1, 2]] if comm.rank == 0 else []


def shared_path(comm, name):
    return f"/tmp/none of these, {name}"


@functools.cache
def raw_file(comm):
    """A file that is removed at the end."""
    made = weft.broadcast(comm, tempfile.mkstemp(suffix=".raw")[1] if comm.rank == 0 else None)
    if comm.rank == 0:
        Path(made).write_bytes(bytes(48))
        atexit.register(Path(made).unlink)
    weft.barrier(comm)
    return made


@functools.cache
def mesh_file(comm):
    """A mesh in a file that is removed at the end."""
    made = weft.broadcast(comm, tempfile.mkstemp(suffix=".vtu")[1] if comm.rank == 0 else None)
    weft.threshold(GRID, -1, comm=comm).write(made)
    if comm.rank == 0:
        atexit.register(Path(made).unlink)
    weft.barrier(comm)
    return made


@functools.cache
def particle_file(comm):
    """Places of particles in a file that is removed at the end."""
    made = weft.broadcast(comm, tempfile.mkstemp(suffix=".npy")[1] if comm.rank == 0 else None)
    if comm.rank == 0:
        np.save(made, np.eye(3))
        atexit.register(Path(made).unlink)
    weft.barrier(comm)
    return made


FOLDERS = itertools.count()


@functools.cache
def parquet_folder(comm):
    """A folder with a Parquet file, which is removed at the end."""
    pytest.importorskip("pyarrow")
    made = weft.broadcast(comm, tempfile.mkdtemp() if comm.rank == 0 else None)
    if comm.rank == 0:
        atexit.register(shutil.rmtree, made)
    weft.write_parquet({"v": [comm.rank]}, made, comm=comm)
    return made


def _groups(comm):
    return weft.group_by({"k": [1], "v": [2]}, "k", comm=comm)


@functools.cache
def _mesh(comm):
    if not reads_meshes():
        pytest.skip("this package reads no meshes")
    return weft.read_mesh(mesh_file(comm), comm=comm)


# How each collective function is called well: a function of the communicator that returns (callable, arguments by name).
GOOD = {
    "Array": lambda c: (weft.Array, dict(comm=c, size=4, dtype="i8")),
    "BlockSet": lambda c: (weft.BlockSet, dict(comm=c, decomposition=4, make=lambda id: id, assignment="contiguous", termination="four_counters")),
    "BlockToPart": lambda c: (weft.BlockToPart, dict(comm=c, blocks=8, ids=[0, 3], block_ids=None, missing_allowed=False)),
    "CountingSet": lambda c: (weft.CountingSet, dict(comm=c, key="i8")),
    "DisjointSet": lambda c: (weft.DisjointSet, dict(comm=c, key="i8")),
    "Directory": lambda c: (weft.Directory, dict(comm=c, ids=[1, 2])),
    "ExchangePlan": lambda c: (weft.ExchangePlan, dict(comm=c, destinations=[0], counts=[1])),
    "Halo": lambda c: (weft.Halo, dict(comm=c, grid=weft.RegularGrid((8,), 2, ghosts=1), ranks=None)),
    "KdTree": lambda c: (weft.KdTree, dict(comm=c, points=np.eye(3), blocks=2, split="widest", domain=None)),
    "Mailbox": lambda c: (weft.Mailbox, dict(comm=c, route="direct", buffer_bytes=65536, nested_handlers=True, termination="barrier_consensus")),
    "Map": lambda c: (weft.Map, dict(comm=c, key="i8", value="f8", combine="sum")),
    "PartToBlock": lambda c: (weft.PartToBlock, dict(comm=c, blocks=8, ids=[0, 3])),
    "Route": lambda c: (weft.Route, dict(comm=c, destinations=[0])),
    "SparseMatrix": lambda c: (weft.SparseMatrix, dict(matrix=([0], [1], [1.0]), shape=(3, 3), held=None, comm=c)),
    "all_gather": lambda c: (weft.all_gather, dict(comm=c, value=1)),
    "all_reduce": lambda c: (weft.all_reduce, dict(comm=c, values=1.0, op="sum")),
    "argmax": lambda c: (weft.argmax, dict(comm=c, values=[1.0])),
    "argmin": lambda c: (weft.argmin, dict(comm=c, values=[1.0])),
    "bfs": lambda c: (weft.bfs, dict(edges=edges(c), source=0, vertices=3, directed=False, held=None, progress=None, comm=c)),
    "barrier": lambda c: (weft.barrier, dict(comm=c)),
    "betweenness": lambda c: (weft.betweenness, dict(edges=edges(c), vertices=3, directed=False, sources=2, normalized=True, seed=1, held=None, progress=None, comm=c)),
    "clustering": lambda c: (weft.clustering, dict(edges=edges(c), vertices=3, directed=False, held=None, comm=c)),
    "communities": lambda c: (weft.communities, dict(edges=edges(c), vertices=3, directed=False, max_iterations=2, held=None, progress=None, comm=c)),
    "cores": lambda c: (weft.cores, dict(edges=edges(c), vertices=3, held=None, progress=None, comm=c)),
    "forest": lambda c: (weft.forest, dict(edges=edges(c), weights=[1.0] * len(edges(c)), vertices=3, held=None, progress=None, comm=c)),
    "scc": lambda c: (weft.scc, dict(edges=edges(c), vertices=3, directed=True, held=None, progress=None, comm=c)),
    "sssp": lambda c: (weft.sssp, dict(edges=edges(c), source=0, weights=[1.0] * len(edges(c)), vertices=3, directed=False, delta=1.0,
                                       parents=True, held=None, progress=None, comm=c)),
    "Graph": lambda c: (weft.Graph, dict(edges=edges(c), weights=[1.0] * len(edges(c)), vertices=3, directed=False, seed=1, held=None, comm=c)),
    "Graph.betweenness": lambda c: (_graph(c).betweenness, dict(sources=2, normalized=True, seed=1, progress=None)),
    "Graph.bfs": lambda c: (_graph(c).bfs, dict(source=0, parents=True, progress=None)),
    "Graph.communities": lambda c: (_graph(c).communities, dict(max_iterations=2, progress=None)),
    "Graph.pagerank": lambda c: (_graph(c).pagerank, dict(weighted=True, damping=0.5, tolerance=1e-3, max_iterations=9,
                                                                   personalization={0: 1.0}, progress=None)),
    "Graph.cores": lambda c: (_graph(c).cores, dict(progress=None)),
    "Graph.forest": lambda c: (_graph(c).forest, dict(progress=None)),
    "Graph.scc": lambda c: (_graph(c).scc, dict(progress=None)),
    "Graph.path": lambda c: (_graph(c).path, dict(source=0, target=2, weighted=True)),
    "Graph.sssp": lambda c: (_graph(c).sssp, dict(source=0, delta=1.0, parents=True, progress=None)),
    "broadcast": lambda c: (weft.broadcast, dict(comm=c, value=1, root=0)),
    "components": lambda c: (weft.components, dict(edges=edges(c), vertices=3, held=None, comm=c)),
    "contour": lambda c: (weft.contour, dict(volume=GRID, values=0.5, spacing=1.0, missing=None, held=None, grid=None, progress=None, comm=c)),
    "slice": lambda c: (weft.slice, dict(volume=GRID, plane="z=1.5", name="a", spacing=1.0, missing=None, held=None, grid=None, progress=None, comm=c)),
    "threshold": lambda c: (weft.threshold, dict(volume=GRID, least=0.2, most=0.9, corners="any", name="a", spacing=1.0, missing=None,
                                                 held=None, grid=None, progress=None, comm=c)),
    "Snapshot.write": lambda c: (_snapshot().write, dict(path=shared_path(c, "particles.csv"))),
    "Surface.write": lambda c: (weft.contour(GRID, 0.5, comm=c).write, dict(path=shared_path(c, "surface.vtp"))),
    "Cells.write": lambda c: (weft.threshold(GRID, 0.5, comm=c).write, dict(path=shared_path(c, "cells.vtu"))),
    "Labels.write": lambda c: (weft.label(GRID, 0.5, comm=c).write, dict(path=shared_path(c, "labels.npy"))),
    "open_volume": lambda c: (weft.open_volume, dict(path=raw_file(c), dims=(2, 3, 4), dtype="i2", header_bytes=0, components=1,
                                                     variable="", step=None, channel="", byte_order="big", comm=c)),
    "degrees": lambda c: (weft.degrees, dict(edges=edges(c), vertices=3, held=None, comm=c)),
    "exchange": lambda c: (weft.exchange, dict(comm=c, destinations=[0], array=[1], dtype=np.int64, protocol=None)),
    "TableInbox.reply": lambda c: (weft.exchange(c, [0], {"id": [1]}).reply, dict(values=[1] * (c.size if c.rank == 0 else 0))),
    "exchange_objects": lambda c: (weft.exchange_objects, dict(comm=c, objects={0: 1}, protocol=None)),
    "exscan": lambda c: (weft.exscan, dict(comm=c, values=1.0, op="sum", initial=None)),
    "gather": lambda c: (weft.gather, dict(comm=c, value=1, root=0)),
    "halo": lambda c: (weft.halo, dict(arrays=np.zeros(weft.RegularGrid((2 * c.size,), c.size, ghosts=1).shape(c.rank, ghosts=True)),
                                       grid=weft.RegularGrid((2 * c.size,), c.size, ghosts=1), comm=c, ranks=None)),
    "histogram": lambda c: (weft.histogram, dict(volume=GRID, bins=4, range=(0, 1), quantiles=(0.5,), missing=None, held=None, grid=None, progress=None, comm=c)),
    "label": lambda c: (weft.label, dict(volume=GRID, threshold=0.5, below=0.9, neighbors=6, missing=None, held=None, grid=None, comm=c)),
    "nbody": lambda c: (weft.nbody, dict(positions=np.eye(3) + c.rank, velocities=np.zeros((3, 3)), masses=1.0, steps=1, time_step=0.1,
                                         softening=0.1, theta=0.5, gravitational_constant=1.0, progress=None, comm=c)),
    "GroupBy.agg": lambda c: (_groups(c).agg, dict(columns={"v": "sum"})),
    "GroupBy.count": lambda c: (_groups(c).count, dict(values="v")),
    "GroupBy.max": lambda c: (_groups(c).max, dict(values=["v"])),
    "GroupBy.mean": lambda c: (_groups(c).mean, dict(values="v")),
    "GroupBy.min": lambda c: (_groups(c).min, dict(values="v")),
    "GroupBy.sum": lambda c: (_groups(c).sum, dict(values="v")),
    "group_by": lambda c: (weft.group_by, dict(table={"k": [1], "v": [2]}, by="k", dropna=True, comm=c)),
    "number_ids": lambda c: (weft.number_ids, dict(comm=c, ids=[3, 1])),
    "pagerank": lambda c: (weft.pagerank, dict(edges=edges(c), weights=[1.0] * len(edges(c)), weighted=True, vertices=3, directed=True,
                                               damping=0.85, tolerance=1e-9, max_iterations=9, personalization={0: 1.0}, held=None,
                                               progress=None, comm=c)),
    "reduce": lambda c: (weft.reduce, dict(comm=c, values=1.0, op="sum", root=0)),
    "render": lambda c: (weft.render, dict(volume=GRID, view="30,20", preset="grey", opacity=1.0, maximum=False, shaded=False,
                                           perspective=False, zoom=1.0, width=8, height=8, range=(0, 1), spacing=1.0, missing=None,
                                           held=None, grid=None, progress=None, comm=c)),
    "scatter": lambda c: (weft.scatter, dict(comm=c, values=list(range(c.size)), root=0)),
    "scan": lambda c: (weft.scan, dict(comm=c, values=1.0, op="sum")),
    "spmv": lambda c: (weft.spmv, dict(matrix=([], [], []), x=[1.0], shape=(c.size, c.size), held=None, comm=c)),
    "start_exchange": lambda c: (lambda **given: weft.start_exchange(**given).get(),
                                 dict(comm=c, destinations=[0], array=[1], dtype=np.int64, protocol=None)),
    "timeline": lambda c: (_recorded, dict(file=shared_path(c, "run.txt"), title="a", comm=c)),
    "trace": lambda c: (weft.trace, dict(field=np.ones((3, 3, 3, 3)), seeds=[[1.0, 1, 1]], spacing=1.0, origin=(0, 0, 0), times=(0.0,),
                                         adaptive=False, step=0.1, max_steps=3, duration=1.0, tolerance=1e-6, backward=False, lines=True,
                                         blocks=1, progress=None, comm=c)),
    "track": lambda c: (weft.track, dict(volume=GRID, threshold=0.5, below=0.9, neighbors=4, missing=None, comm=c)),
    "read_mesh": lambda c: (weft.read_mesh, dict(path=mesh_file(c), solution=None, comm=c)),
    "read_parquet": lambda c: (weft.read_parquet, dict(path=parquet_folder(c), columns=["v"], comm=c)),
    "write_parquet": lambda c: (weft.write_parquet, dict(table={"v": [1]}, path=str(Path(parquet_folder(c)) / str(next(FOLDERS))), comm=c)),
    "read_particles": lambda c: (weft.read_particles, dict(path=particle_file(c), softening=0.1, total_mass=2.0, comm=c)),
    "Mesh.contour": lambda c: (_mesh(c).contour, dict(values=0.5, field="value")),
    "Mesh.slice": lambda c: (_mesh(c).slice, dict(plane="z=1.5")),
    "Mesh.threshold": lambda c: (_mesh(c).threshold, dict(least=0.2, most=0.9, field="value", corners="any")),
    "Mesh.write": lambda c: (_mesh(c).write, dict(path=shared_path(c, "mesh.vtu"))),
    "triangles": lambda c: (weft.triangles, dict(edges=edges(c), vertices=3, held=None, comm=c)),
    "BlockSet.all_reduce": lambda c: (_set(c).all_reduce, dict(value=lambda b, i: b, op="sum")),
    "BlockSet.all_reduce_arrays": lambda c: (_set(c).all_reduce_arrays, dict(array=lambda b, i: np.ones(2), op="sum")),
    "BlockSet.balance": lambda c: (_set(c).balance, dict(cost=lambda b, i: 1.0, tolerance=0.5)),
    "BlockSet.broadcast": lambda c: (_set(c).broadcast, dict(root=1, value=lambda b, i: b)),
    "BlockSet.exchange": lambda c: (_set(c).exchange, dict(callback=lambda b, p: None, dtype=float)),
    "BlockSet.exchange_neighbors": lambda c: (_neighbors(c), dict(callback=lambda b, p: None, dtype=float, fraction=1)),
    "BlockSet.for_each": lambda c: (_set(c).for_each, dict(function=lambda b, i: None)),
    "BlockSet.for_each_port": lambda c: (_set(c).for_each_port, dict(callback=lambda b, p: None, dtype=float)),
    "Array.get": lambda c: (weft.Array(c, 4).get, dict(index=[1])),
    "BlockSet.iexchange": lambda c: (_set(c).iexchange, dict(callback=lambda b, p: None, dtype=float)),
    "BlockSet.load": lambda c: (weft.BlockSet.load, dict(comm=c, path=shared_path(c, "set"), termination="four_counters")),
    "BlockSet.merge_reduce": lambda c: (_set(c).merge_reduce, dict(value=lambda b, i: b, op="sum", k=2, root=0)),
    "BlockSet.move": lambda c: (_set(c).move, dict(moves={})),
    "BlockSet.save": lambda c: (_set(c).save, dict(path=shared_path(c, "folder/set"))),
    "BlockSet.scan": lambda c: (_set(c).scan, dict(value=lambda b, i: b, op="sum")),
    "BlockSet.swap_reduce": lambda c: (_set(c).swap_reduce, dict(array=lambda b, i: np.ones(4), op="sum", k=2)),
    "BlockToPart.exchange": lambda c: (weft.BlockToPart(c, c.size, [0]).exchange, dict(values=[1.0], missing=0)),
    "Communicator.split": lambda c: (c.split, dict(color=0, key=0)),
    "CountingSet.count": lambda c: (weft.CountingSet(c).count, dict(items=[1])),
    "CountingSet.top": lambda c: (weft.CountingSet(c).top, dict(k=3)),
    "DisjointSet.find": lambda c: (weft.DisjointSet(c).find, dict(keys=[1])),
    "Directory.find": lambda c: (weft.Directory(c, [1]).find, dict(ids=[1])),
    "Halo.fill": lambda c: (_halo(c).fill, dict(arrays=np.zeros(_halo_grid(c).shape(c.rank, ghosts=True)))),
    "Inbox.reply": lambda c: (weft.exchange(c, [0], [1]).reply, dict(values=np.zeros(c.size if c.rank == 0 else 0))),
    "Map.get": lambda c: (weft.Map(c).get, dict(keys=[1])),
    "Mailbox.channel": lambda c: (weft.Mailbox(c).channel, dict(dtype=PAIR, handler=lambda b: None, combine="sum", key="key")),
    "Mailbox.service": lambda c: (weft.Mailbox(c).service, dict(query="i8", answer="i8", handler=lambda q: q)),
    "PartToBlock.keep": lambda c: (weft.PartToBlock(c, 8, [0]).keep, dict(values=[1.0])),
    "PartToBlock.lowest": lambda c: (weft.PartToBlock(c, 8, [0]).lowest, dict(values=[1.0])),
    "PartToBlock.merge": lambda c: (weft.PartToBlock(c, 8, [0]).merge, dict(values=[1.0])),
    "PartToBlock.reduce": lambda c: (weft.PartToBlock(c, 8, [0]).reduce, dict(values=[1.0], op="sum")),
    "PartToBlock.reverse": lambda c: (weft.PartToBlock(c, 8, [c.rank % 8]).reverse, dict(values=np.ones(_own_ids(c)))),
    "PartToBlock.reverse_kept": lambda c: (_kept(c).reverse_kept, dict(values=np.ones(len(_kept(c).arrival_ids)))),
    "SparseMatrix.multiply": lambda c: (weft.SparseMatrix(([], [], []), shape=(c.size, c.size), comm=c).multiply, dict(x=[1.0])),
}
# These are over neighbours alone; test_exchange.py and test_route.py have their errors.
PAIR = np.dtype([("key", np.int64), ("value", np.float64)])
OVER_NEIGHBORS = {"ExchangePlan.exchange", "Route.reply", "Route.send"}
# These are of one rank, or take nothing; a bad argument there is an exception where it is.
LOCAL = {"BlockPort", "BlockPort.flush", "BlockPort.messages", "BlockPort.received", "BlockPort.send", "BlockSet.close",
         "Channel", "Channel.broadcast", "Channel.send", "Communicator", "ExchangePlan.inverse", "Inbox", "Mailbox.close", "Mailbox.drain",
         "Mailbox.poll", "Mailbox.test_empty", "PendingExchange", "PendingExchange.close", "PendingExchange.get", "PendingExchange.test",
         "Array.argsort", "Array.drain", "Array.gather", "Array.sort", "Array.unique", "CountingSet.drain", "CountingSet.gather", "CountingSet.local", "CountingSet.size", "CountingSet.total", "CountingSet.update",
         "DisjointSet.drain", "DisjointSet.gather", "DisjointSet.local", "DisjointSet.num_sets", "DisjointSet.size", "DisjointSet.update", "Map.drain",
         "Map.gather", "Map.local", "Map.size", "Map.update", "TableInbox", "Graph.clustering", "Graph.components", "Graph.degrees", "Graph.largest_component", "Graph.triangles",
         "GroupBy", "GroupBy.size", "RegularGrid", "RegularGrid.block_of", "RegularGrid.bounds", "RegularGrid.halo_of", "RegularGrid.keep_halo",
         "RegularGrid.link_of", "RegularGrid.place", "RegularGrid.shape", "RegularGrid.slices", "KdTree.block_of", "KdTree.bounds",
         "KdTree.link_of", "Mesh", "Service", "Service.ask", "Volume", "span", "Decomposition", "Decomposition.link_of", "Mailbox.__enter__"}
# Parameters for which `object()` is a right value: any object is pickled, or has a meaning.
TAKES_ANYTHING = {("all_gather", "value"), ("broadcast", "value"), ("gather", "value"), ("exscan", "initial")}


def _graph(comm):
    return weft.Graph(edges(comm), weights=[1.0] * len(edges(comm)), vertices=3, comm=comm)


def _own_ids(comm):
    return len(weft.PartToBlock(comm, 8, [comm.rank % 8]).ids)


def _snapshot():
    return weft.Snapshot(positions=np.ones((2, 3)), velocities=np.zeros((2, 3)), masses=np.ones(2), softenings=np.zeros(2),
                         ids=np.arange(2), kinds=np.ones(2, int), offsets=np.zeros(0, int), time=0.0, format="")


def _kept(comm):
    return weft.PartToBlock(comm, 8, [0])


def _set(comm):
    return weft.BlockSet(comm, 4, lambda id: id)


def _neighbors(comm):
    blocks = _set(comm)

    def call(**given):
        blocks.exchange_neighbors(**given)
        blocks.exchange()

    return call


def _halo_grid(comm):
    return weft.RegularGrid((2 * comm.size,), comm.size, ghosts=1)


def _halo(comm):
    return weft.Halo(comm, _halo_grid(comm))


def _recorded(**given):
    with weft.timeline(**given):
        pass


def _of_weft(what, method):
    """Whether the package itself defines a method of a class."""
    return next(each for each in what.__mro__ if method in vars(each)).__module__.startswith("weft")


def public_callables():
    """The functions of the package, its classes, and their methods."""
    for name in weft.__all__:
        what = getattr(weft, name)
        if inspect.isclass(what):
            if issubclass(what, (weft.Error, tuple)):
                continue
            if hasattr(what, "__dataclass_fields__"):  # a result, whose methods may take something
                yield from (f"{name}.{method}" for method, each in inspect.getmembers(what, inspect.isfunction)
                            if not method.startswith("_") and len(inspect.signature(each).parameters) > 1)
                continue
            yield name
            for method, _ in inspect.getmembers(what, callable):
                if not method.startswith("_") and _of_weft(what, method):
                    yield f"{name}.{method}"
        elif callable(what):
            yield name


def test_every_public_function_is_here():
    names = set(public_callables())
    assert names - set(GOOD) - LOCAL - OVER_NEIGHBORS == set()
    assert set(GOOD) - names == set()


def parameters():
    """Each parameter of the signatures, not of the rows: a new one is tried by itself."""
    for name in GOOD:
        what = weft
        for part in name.split("."):
            what = getattr(what, part)
        for parameter in inspect.signature(what).parameters:
            if parameter != "self":
                yield name, parameter


def same_on_all(comm, name, call):
    """The exception of `call`, which is one on all ranks or on none; then all are in step."""
    error = None
    try:
        call()
    except Exception as raised:
        error = raised
    failed = weft.all_gather(comm, None if error is None else f"{type(error).__name__}: {error}")
    assert len({each is None for each in failed}) == 1, (name, failed)
    assert weft.all_gather(comm, comm.rank) == list(range(comm.size))
    return error


@pytest.mark.parametrize("name, parameter", list(parameters()))
def test_no_object_on_one_rank(comm, name, parameter):
    if comm.size > 3:
        pytest.skip("2 and 3 ranks tell as much")
    for bad_rank in {0, comm.size - 1}:
        call, given = GOOD[name](comm)
        assert parameter in given, f"the row of {name} lacks {parameter}"
        if comm.rank == bad_rank:
            given[parameter] = object()
        error = same_on_all(comm, name, lambda: call(**given))
        if (name, parameter) in TAKES_ANYTHING or (name, parameter, bad_rank > 0) == ("scatter", "values", True):
            assert error is None
        else:
            assert isinstance(error, weft.Error if comm.rank != bad_rank else Exception), (name, parameter, error)


DIFFERENT = [
    ("group_by", "by", "v", "k"), ("group_by", "dropna", False, True), ("GroupBy.sum", "values", [], ["v"]), ("GroupBy.agg", "columns", {"v": "min"}, {"v": "max"}),
    ("read_parquet", "columns", None, ["v"]), ("write_parquet", "table", {"w": [1]}, {"v": [1]}), ("write_parquet", "table", {"v": ["a"]}, {"v": [1]}),
    ("exchange", "protocol", "nbx", "pex"), ("exchange", "protocol", "nbx", None), ("exchange", "protocol", "foo", "pex"),
    ("exchange", "dtype", "f8", "i4"), ("exchange", "array", {"id": [1]}, [1]), ("start_exchange", "protocol", "nbx", "pex"), ("start_exchange", "protocol", None, "pex"),
    ("exchange_objects", "protocol", "nbx", "pex"), ("reduce", "root", 0, 1), ("reduce", "op", "sum", "max"),
    ("gather", "root", 1, 0), ("scatter", "root", 1, 0), ("exscan", "op", "max", "sum"), ("broadcast", "root", 1, 0), ("broadcast", "root", -1, 0), ("all_reduce", "values", 1.0, [1.0]),
    ("Mailbox", "nested_handlers", False, True), ("Mailbox", "route", "direct", "nlnr"), ("Mailbox", "buffer_bytes", 65536, None),
    ("pagerank", "directed", False, True), ("pagerank", "damping", 0.5, 0.85), ("pagerank", "max_iterations", 3, 9),
    ("Graph", "directed", True, False), ("Graph", "held", "whole", None), ("SparseMatrix", "held", "whole", "parts"), ("Graph.bfs", "source", 1, 0), ("Graph.sssp", "delta", 1.0, 2.0), ("Graph.path", "weighted", False, True),
    ("Graph.pagerank", "damping", 0.5, 0.85), ("Graph.pagerank", "personalization", {1: 2}, {1: 1}), ("Graph.betweenness", "seed", 1, 2), ("Graph.communities", "max_iterations", 3, 9),
    ("bfs", "directed", True, False), ("bfs", "source", 1, 0), ("components", "vertices", 4, 3), ("BlockToPart", "blocks", -4, 8),
    ("BlockToPart", "blocks", 9, 8), ("BlockToPart", "missing_allowed", True, False), ("PartToBlock", "blocks", 9, 8),
    ("Communicator.split", "color", None, 0), ("Communicator.split", "color", -1, 0), ("KdTree", "split", "cycling", "widest"),
    ("KdTree", "blocks", 3, 2), ("BlockSet", "decomposition", 5, 4), ("BlockSet", "assignment", "round_robin", "contiguous"),
    ("BlockSet.exchange", "dtype", int, float), ("BlockSet.merge_reduce", "k", [2], 2), ("BlockSet.merge_reduce", "root", 1, 0),
    ("BlockSet.broadcast", "root", 2, 1), ("BlockSet.balance", "tolerance", 0.1, 0.5), ("BlockSet.swap_reduce", "k", 3, 2),
    ("Mailbox.channel", "combine", "max", "sum"), ("Mailbox.service", "answer", "f8", "i8"), ("Halo", "ranks", [0, 0], [1, 0]),
    ("PartToBlock.reduce", "op", "max", "sum"), ("label", "threshold", 0.4, 0.5), ("label", "neighbors", 26, 6),
    ("histogram", "bins", 5, 4), ("histogram", "range", None, (0, 1)), ("render", "width", 9, 8), ("render", "maximum", True, False),
    ("read_particles", "softening", 0.2, 0.1), ("trace", "step", 0.2, 0.1), ("trace", "lines", False, True), ("trace", "origin", (0, 0, 1), (0, 0, 0)),
    ("slice", "plane", "z=1", "z=1.5"), ("threshold", "most", None, 0.9), ("threshold", "corners", "all", "any"),
    ("Mailbox", "termination", "four_counters", "counted_waves"), ("BlockSet", "termination", "barrier_consensus", "counted_waves"),
    ("open_volume", "path", b"\xff.npy", b"\xfe.npy"), ("read_particles", "path", "/tmp/\udcff.csv", "/tmp/none of these.csv"),
    ("Surface.write", "path", "/tmp/none of these, a.vtp", "/tmp/none of these, b.vtp"), ("open_volume", "dtype", "f4", "i2"),
    ("track", "threshold", 0.4, 0.5), ("track", "neighbors", 8, 4), ("Mesh.contour", "values", 0.4, 0.5), ("Mesh.slice", "plane", "z=1", "z=1.5"),
    ("Mesh.threshold", "most", 0.8, 0.9), ("Mesh.write", "path", "/tmp/none of these, a.vtu", "/tmp/none of these, b.vtu"),
    ("label", "grid", weft.RegularGrid((4, 4, 4), 1), None), ("contour", "values", 0.4, 0.5), ("contour", "spacing", 2.0, 1.0), ("nbody", "theta", 0.4, 0.5), ("nbody", "steps", 2, 1),
]


@pytest.mark.parametrize("name, parameter, of_first, of_others", DIFFERENT)
def test_arguments_that_differ(comm, name, parameter, of_first, of_others):
    if comm.size == 1:
        pytest.skip("needs 2 ranks")
    call, given = GOOD[name](comm)
    given[parameter] = of_first if comm.rank == 0 else of_others
    assert isinstance(same_on_all(comm, name, lambda: call(**given)), weft.UsageError)
