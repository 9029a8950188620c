"""Irregular communication for MPI, on numpy arrays.

Ranks exchange arrays whose destinations depend on their data: no rank needs to know its senders, Weft detects the end of communication, and
an error on one rank is an exception on all.

Start a program with `mpirun`, or without it, on one rank.
"""

from ._mpi_library import load_extension

load_extension()  # before all that import it

from . import _graph, _graph_results, handlers
from ._blocks import BlockSet
from ._cells import Cells, threshold
from ._channel import Channel, Service
from ._collective import all_gather, all_reduce, barrier, broadcast, exscan, gather, reduce, scan, scatter
from ._communicator import Communicator
from ._containers import CountingSet, Map
from ._decomposition import Decomposition, KdTree, RegularGrid
from ._disjoint_set import DisjointSet
from ._errors import Error, InputError, MpiError, RemoteError, UsageError, WireError
from ._exchange import PendingExchange, exchange, exchange_objects, start_exchange
from ._exchange_plan import ExchangePlan
from ._extremes import Place, argmax, argmin
from ._frames import BlockToPart, Directory, PartToBlock, number_ids
from ._graph import *
from ._graph_object import Graph
from ._graph_results import *
from ._group_by import GroupBy, group_by
from ._halo import Halo, halo
from ._histogram import Histogram, histogram
from ._inbox import Inbox
from ._labels import Labels, label
from ._mailbox import Mailbox
from ._matrix import SparseMatrix, spmv
from ._meshes import Mesh, read_mesh
from ._nbody import Particles, Totals, nbody
from ._parquet import read_parquet, write_parquet
from ._ports import BlockPort
from ._render import render
from ._route import Route
from ._shared_array import Array
from ._snapshots import Snapshot, read_particles
from ._surfaces import Surface, contour, slice
from ._tables import TableInbox
from ._timeline import span, timeline
from ._trace import Traces, trace
from ._tracks import Tracks, track
from ._volume_files import Volume, open_volume

__version__ = "0.2.0"

__all__ = [
    "Array",
    "BlockPort",
    "BlockSet",
    "BlockToPart",
    "Cells",
    "Channel",
    "Communicator",
    "CountingSet",
    "Decomposition",
    "Directory",
    "DisjointSet",
    "Error",
    "ExchangePlan",
    "Graph",
    "GroupBy",
    "Halo",
    "Histogram",
    "Inbox",
    "InputError",
    "KdTree",
    "Labels",
    "Mailbox",
    "Map",
    "Mesh",
    "MpiError",
    "PartToBlock",
    "Particles",
    "PendingExchange",
    "Place",
    "RegularGrid",
    "RemoteError",
    "Route",
    "Service",
    "Snapshot",
    "SparseMatrix",
    "Surface",
    "TableInbox",
    "Totals",
    "Traces",
    "Tracks",
    "UsageError",
    "Volume",
    "WireError",
    "all_gather",
    "all_reduce",
    "argmax",
    "argmin",
    "barrier",
    "broadcast",
    "contour",
    "exchange",
    "exchange_objects",
    "exscan",
    "gather",
    "group_by",
    "halo",
    "handlers",
    "histogram",
    "label",
    "nbody",
    "number_ids",
    "open_volume",
    "read_mesh",
    "read_parquet",
    "read_particles",
    "reduce",
    "render",
    "scan",
    "scatter",
    "slice",
    "span",
    "spmv",
    "start_exchange",
    "threshold",
    "timeline",
    "trace",
    "track",
    "write_parquet",
]
__all__ += _graph.__all__ + _graph_results.__all__

for _name in __all__:  # where users find them
    if callable(globals()[_name]):
        globals()[_name].__module__ = __name__
del _name
