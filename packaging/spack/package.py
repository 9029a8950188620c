"""Weft for Spack. The address of the archive is that of the release; see packaging/README.md."""

from spack.package import *


class Weft(CMakePackage):
    """Irregular communication for MPI: sparse exchange, mailboxes, blocks and frames, and the command weft."""

    homepage = "https://weft.invalid"  # where it is published
    git = "https://weft.invalid/weft.git"

    license("BSD-3-Clause")

    version("main", branch="main")
    version("0.2.0", tag="v0.2.0")

    variant("shared", default=True, description="Shared libraries")
    variant("tools", default=True, description="The command weft")
    variant("grids", default=True, description="weft::grids, the readers of volumes, which the command needs")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi@3.1:")
    depends_on("zlib-api")
    depends_on("bzip2")
    depends_on("expat@2.4:")
    depends_on("xz")
    depends_on("zstd")
    conflicts("~grids", when="+tools")
    with when("+tools"):
        depends_on("cli11@2.1:")
        depends_on("fmt@9:")
        depends_on("pango")
    with when("+grids"):
        depends_on("pkgconfig", type="build")
        depends_on("nlohmann-json@3.11:")
        depends_on("netcdf-c")
        depends_on("hdf5")
        depends_on("libtiff")
        depends_on("libpng")
        depends_on("teem")

    generator("ninja")
    conflicts("%gcc@:11", msg="Weft is written in C++20")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("WEFT_BUILD_TOOLS", "tools"),
            self.define_from_variant("WEFT_BUILD_GRIDS", "grids"),
            self.define("WEFT_BUILD_TESTS", False),
            self.define("WEFT_BUILD_EXAMPLES", False),
            self.define("MPI_CXX_COMPILER", self.spec["mpi"].mpicxx),
        ]
