"""Tests under mpirun: every rank runs the same tests in the same order, and fails those that fail anywhere."""

import faulthandler
import functools
import os
import shutil
import tempfile
from pathlib import Path

import pytest

import weft

STDERR = int(os.environ.get("WEFT_TEST_STDERR", "2"))
SECONDS = float(os.environ.get("WEFT_TEST_TIMEOUT", "120"))


@pytest.fixture(scope="session")
def comm() -> weft.Communicator:
    return weft.Communicator()


@functools.cache
def reads_meshes() -> bool:
    """False where the package was built without VTK, as for MPICH on Debian, whose VTK has Open MPI, and in the wheel."""
    try:
        weft.read_mesh("no such file.vtu")
    except weft.Error as error:
        return "was built without" not in str(error)
    return True


@pytest.fixture
def meshes_are_read(comm):
    if not reads_meshes():
        pytest.skip("this package reads no meshes")


@pytest.fixture
def shared_folder(comm):
    """A folder that all ranks use."""
    folder = weft.broadcast(comm, tempfile.mkdtemp(prefix="weft-python-") if comm.rank == 0 else None)
    yield Path(folder)
    weft.all_gather(comm, None)
    if comm.rank == 0:
        shutil.rmtree(folder)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Where a rank does not come back in time, each prints where it is, and the job ends."""
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=STDERR)
    failure = None
    result = None
    try:
        result = yield
    except pytest.skip.Exception:
        raise
    except BaseException as error:
        failure = error
    texts = weft.all_gather(None, None if failure is None else f"{type(failure).__name__}: {failure}")
    faulthandler.cancel_dump_traceback_later()
    if failure is not None:
        raise failure
    for rank, text in enumerate(texts):
        if text is not None:
            pytest.fail(f"on rank {rank}: {text}", pytrace=False)
    return result
