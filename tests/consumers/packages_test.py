#!/usr/bin/env python3
"""The Debian packages that cpack makes of a build: what is in them, and whether it works where they are unpacked.
Exit code 77, which ctest shows as skipped, without dpkg-deb.

packages_test.py CPACK BUILD ROOT
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CPACK, BUILD, ROOT = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
if not shutil.which("dpkg-deb") or not shutil.which("dpkg-shlibdeps"):
    sys.exit(77)


def output_of(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


class Packages(unittest.TestCase):
    def test_what_is_packed_works(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            output_of(CPACK, "-G", "DEB", "-B", folder / "packed", "--config", BUILD / "CPackConfig.cmake", cwd=BUILD)
            packages = {output_of("dpkg-deb", "-f", path, "Package").strip(): path
                        for path in (folder / "packed").glob("*.deb")}
            self.assertLessEqual({"weft-development", "weft-tools"}, set(packages))
            root = folder / "root"
            for path in packages.values():
                output_of("dpkg-deb", "-x", path, root)
            self.check_tools(packages["weft-tools"], root)
            self.check_development(packages["weft-development"], root)

    def check_tools(self, package, root):
        depends = output_of("dpkg-deb", "-f", package, "Depends")
        for library in ("libnetcdf", "libpng", "libc6"):
            self.assertIn(library, depends)
        for name in ("bin/weft", "share/man/man1/weft.1", "share/man/man1/weft-components.1",
                     "share/bash-completion/completions/weft", "share/zsh/site-functions/_weft",
                     "share/fish/vendor_completions.d/weft.fish", "share/weft/report.schema.json"):
            self.assertTrue((root / "usr" / name).is_file(), name)
        libraries = {"LD_LIBRARY_PATH": ":".join(str(path) for path in root.glob("usr/lib*"))}
        said = output_of(root / "usr/bin/weft", "components", "rmat:6", env={**os.environ, **libraries})
        self.assertIn("components", said)

    def check_development(self, package, root):
        self.assertIn("mpi-default-dev", output_of("dpkg-deb", "-f", package, "Depends"))
        self.assertFalse((root / "usr/include/weft/harness").exists())
        packages = next(root.glob("usr/lib*/**/pkgconfig"))
        flags = output_of("pkg-config", "--cflags", "--libs", "weft",
                          env={**os.environ, "PKG_CONFIG_PATH": str(packages)}).split()
        self.assertIn("-std=c++20", flags)
        source = ROOT / "tests/consumers/hello.cpp"
        output_of(os.environ.get("CXX", "c++"), source, "-o", root / "hello", *flags)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
