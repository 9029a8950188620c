#!/usr/bin/env python3
"""Installs Weft, or builds and runs the consumer programs of this folder against it.

consume.py <options> -D<cmake variable>... install <static|shared>
consume.py <options> -D<cmake variable>... find_package <static|shared>
consume.py <options> -D<cmake variable>... pkg_config <static|shared>
consume.py <options> -D<cmake variable>... subdirectory
consume.py <options> -D<cmake variable>... plain
consume.py <options> -D<cmake variable>... switches
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# Programs, and whether each is of a component that links what readers of files link.
PROGRAMS = {"hello": False, "with_mpi": False, "with_nbody": False, "with_contouring": False, "with_labelling": False,
            "with_tracing": False, "with_io": True, "with_grids": True,
            "with_snapshots": None}  # None: as the linker likes
OF_VOLUMES = ("libweft_grids.", "libnetcdf", "libhdf5", "libvtk", "libtiff", "libpng", "libteem")
OF_READERS = ("libz.", "libbz2.", "liblzma.", "libzstd.", "libexpat.", "libweft_io.", *OF_VOLUMES)
OF_OTHERS = ("libweft_graph.", "libweft_nbody.", "libweft_contouring.", "libweft_labelling.",
             "libweft_tracing.", "libweft_snapshots.", "libcairo", *OF_READERS)


def run(*command, folder=None, **environment):
    print("$", *command, flush=True)
    subprocess.run([str(part) for part in command], check=True, cwd=folder, env={**os.environ, **environment})


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def cmake_build(options, source: Path, build: Path, *settings, targets=()):
    if options.ccache:  # as in cmake/WeftToolchain.cmake
        settings += (f"-DCMAKE_CXX_COMPILER_LAUNCHER=env;CCACHE_BASEDIR={build};{options.ccache}",)
    run(options.cmake, "-S", source, "-B", fresh(build), "-G", "Ninja", *options.settings, *settings)
    run(options.cmake, "--build", build, *(["--target", *targets] if targets else []))


def prefix_of(options) -> Path:
    return options.area / f"prefix-{options.kind}"


def install(options):
    """Installs Weft, where the build with these tests is not of that kind after building it, and moves the tree to
    where the consumers look."""
    first = fresh(options.area / f"first-{options.kind}")
    if options.kind == options.built_kind:
        run(options.cmake, "--install", options.built, "--prefix", first)
    else:
        build = options.area / f"weft-{options.kind}"
        cmake_build(options, options.root, build, f"-DBUILD_SHARED_LIBS={'ON' if options.kind == 'shared' else 'OFF'}",
                    "-DWEFT_BUILD_TESTS=OFF", "-DCMAKE_UNITY_BUILD=ON", "-DWEFT_JOIN_RUNTIME=OFF", "-DCMAKE_INSTALL_LIBDIR=lib", f"-DCMAKE_INSTALL_PREFIX={first}")
        run(options.cmake, "--install", build)
        shutil.rmtree(build)  # nothing may lean on it
    first.rename(fresh(prefix_of(options)))
    run(prefix_of(options) / "bin" / "weft", "--version")


def needed(options, file: Path) -> set[str]:
    """The shared libraries that a file names, and those that libraries of Weft among them name."""
    said = subprocess.run(["readelf", "-d", file], check=True, stdout=subprocess.PIPE, text=True).stdout
    names = set(re.findall(r"NEEDED.*\[(.+)\]", said))
    own = [prefix_of(options) / "lib" / name for name in names if name.startswith("libweft")]
    return names.union(*(needed(options, library) for library in own))


def symbols(options):
    """Shared libraries show names of Weft alone, all under the version of its interface."""
    version = re.search(r"project\(weft VERSION (\d+\.\d+)", (options.root / "CMakeLists.txt").read_text())[1]
    libraries = sorted((prefix_of(options) / "lib").glob("libweft*.so"))
    if len(libraries) < 10:
        raise SystemExit(f"consumers: expected the runtime and its components, found {libraries}")
    for library in libraries:
        if library.name == "libweft_fortran.so":  # names of the compiler's
            continue
        said = subprocess.run(["nm", "--dynamic", "--defined-only", "--demangle", "--with-symbol-versions", library],
                              check=True, stdout=subprocess.PIPE, text=True).stdout
        names = [line.split(maxsplit=2)[2] for line in said.splitlines()]
        of_c = library.name == "libweft_c.so"
        version_of = f"WEFT_C_{version}" if of_c else f"WEFT_{version}"
        shown = [name for name in names if name != version_of]  # the version is a symbol itself
        right = re.compile(rf"weft_\w+@@{version_of}" if of_c else rf".*weft::.*@@{version_of}")
        strange = [name for name in shown if not right.fullmatch(name)]
        if strange or not shown:
            raise SystemExit(f"consumers: {library.name} shows {strange[:5] or 'nothing'}")
        print(f"{library.name}: {len(shown)} names, all under {version_of}", flush=True)


def run_programs(options, folder: Path, **environment):
    for program, reads in PROGRAMS.items():
        run(options.launcher, options.ranks_option, 2, folder / program, folder=folder, **environment)
        names = needed(options, folder / program)
        others = OF_OTHERS if program == "hello" else OF_READERS
        found = sorted(name for name in names if name.startswith(others))
        print(f"{program} links {found or 'no library beyond its component'}", flush=True)
        if reads is not None and bool(found) != reads:
            raise SystemExit(f"consumers: {program} links {found or 'no reader, yet it reads'}")
        if any(name.startswith(OF_VOLUMES) for name in names) != (program == "with_grids"):
            raise SystemExit(f"consumers: {program} links {found}; readers of volumes are for with_grids, and for it alone")


def find_package(options):
    build = options.area / f"find_package-{options.kind}"
    cmake_build(options, Path(__file__).parent / "find_package", build, f"-DCMAKE_PREFIX_PATH={prefix_of(options)}")
    run_programs(options, build)
    refuse_unknown_component(options, build)
    programs_in_c(options)


def programs_in_c(options):
    """Projects in C alone and, where the module was built, in Fortran alone, without a compiler for C++."""
    prefix = prefix_of(options)
    languages = ["c"] + ["fortran"] * (prefix / "lib" / "weft" / "fortran" / "weft.mod").is_file()
    for language in languages:
        build = options.area / f"{language}_alone-{options.kind}"
        cmake_build(options, Path(__file__).parent / f"{language}_alone", build, f"-DCMAKE_PREFIX_PATH={prefix}")
        run(options.launcher, options.ranks_option, 2, build / f"with_{language}")


def refuse_unknown_component(options, folder: Path):
    """A component that does not exist is an error that names those that do."""
    source = folder / "unknown"
    source.mkdir()
    (source / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(unknown LANGUAGES CXX)\n"
                                           "find_package(weft REQUIRED COMPONENTS graph meshing)\n")
    done = subprocess.run([options.cmake, "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={prefix_of(options)}"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = " ".join(done.stdout.split())
    if done.returncode == 0 or "Weft has no component meshing; its components are c, fortran, graph, io, nbody," not in said:
        raise SystemExit(f"consumers: a component that does not exist gives\n{done.stdout}")


def pkg_config(options):
    prefix = prefix_of(options)
    build = options.area / f"pkg_config-{options.kind}" / "pkg_config"
    shutil.copytree(Path(__file__).parent, fresh(build.parent))
    compiler = next(value for name, _, value in (setting[2:].partition("=") for setting in options.settings)
                    if name == "CMAKE_CXX_COMPILER")
    run("make", "-C", build, f"CXX={compiler}", PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"))
    run_programs(options, build, LD_LIBRARY_PATH=str(prefix / "lib"))
    run(options.launcher, options.ranks_option, 2, build / "with_c", LD_LIBRARY_PATH=str(prefix / "lib"))


def subdirectory(options):
    """For debugging, components one unit a source, as builds without a preset: an include that a unity build hides is
    missed here."""
    build = options.area / "subdirectory"
    cmake_build(options, Path(__file__).parent / "subdirectory", build, "-DCMAKE_BUILD_TYPE=Debug")
    run_programs(options, build)


def plain(options):
    """`cmake -B build` without a preset: no joined sources, no tests. The libraries are built so in `subdirectory`; the sources of the
    command are compiled here."""
    build = options.area / "plain"
    cmake_build(options, options.root, build, "-DCMAKE_BUILD_TYPE=Debug",
                targets=["weft_shell", "weft_volume_commands"])
    if (build / "tests").exists():
        raise SystemExit("consumers: a build that asks for no tests has some")


LEFT_OUT = {"HDF5": "none.h5", "NRRD": "none.nrrd", "NIFTI": "none.nii", "VTK": "none.vti"}


def switches(options):
    """All that has a switch is left out, and the command says by which one. Otherwise as the release preset, whose objects the
    compiler's cache has."""
    build = options.area / "switches"
    off = [f"-DWEFT_{name}=OFF" for name in (*LEFT_OUT, "PICTURES", "SHAPELIB")]
    cmake_build(options, options.root, build, "-DWEFT_BUILD_EXAMPLES=OFF", "-DCMAKE_UNITY_BUILD=ON", "-DWEFT_JOIN_RUNTIME=OFF",
                "-DWEFT_QUICK_BUILD=ON", *off, targets=["weft_command"])
    weft = build / "tools" / "weft"
    asked = [(name, ["label", file, "--threshold", "1"]) for name, file in LEFT_OUT.items()]
    asked += [("HDF5", ["components", "none.h5:/edges"]), ("VTK", ["slice", "none.vtu", "--plane", "x=1", "--out", "a.vtp"]),
              ("PICTURES", ["render", "none.raw", "--image", "a.png"]),
              ("SHAPELIB", ["trace", "none.raw", "--image", "a.png", "--coastlines", "a.shp"])]
    for name, arguments in asked:
        done = subprocess.run([weft, *arguments], cwd=build, stderr=subprocess.PIPE, text=True, timeout=60)
        print(done.stderr, end="", flush=True)
        named = f"-DWEFT_{name}=ON" in done.stderr or (name == "SHAPELIB" and "WEFT_PICTURES" in done.stderr)
        if done.returncode == 0 or "built without" not in done.stderr or not named:
            raise SystemExit(f"consumers: weft {' '.join(arguments)}: expected an error that names WEFT_{name}")
    said = subprocess.run([weft, "label", "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    if "NetCDF (.nc" not in said or "NIfTI (" in said:
        raise SystemExit("consumers: the help of weft label lists formats that this build does not read")
    run(weft, "components", "rmat:8")


def main() -> int:
    ways = {way.__name__: way for way in (install, symbols, find_package, pkg_config, subdirectory, plain, switches)}
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--area", type=Path, required=True)
    parser.add_argument("--built", type=Path)
    parser.add_argument("--built-kind", choices=["static", "shared"])
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ccache", default="")
    parser.add_argument("--ranks-option", required=True)
    parser.add_argument("way", choices=ways)
    parser.add_argument("kind", nargs="?", choices=["static", "shared"])
    options, rest = parser.parse_known_args()
    options.settings = [argument for argument in rest if argument.startswith("-D")]
    unknown = [argument for argument in rest if not argument.startswith("-D")]
    if unknown:
        parser.error(f"unknown: {unknown}")
    try:
        ways[options.way](options)
    except subprocess.CalledProcessError as failed:
        print(f"consumers: exit status {failed.returncode} of: {' '.join(failed.cmd)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
