#!/usr/bin/env python3
"""The packages that cpack makes of a build: their files, and that these work where they are unpacked.
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

RPM_NAMES = {"libweft-dev": "weft-devel", "weft": "weft"}  # of the packages of a static build


def output_of(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, **options).stdout


def files_below(root):
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir())


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.debian = {output_of("dpkg-deb", "-f", path, "Package").strip(): path for path in cls.packed("DEB")}
        (cls.folder / "alone").mkdir()
        for name, path in cls.debian.items():
            output_of("dpkg-deb", "-x", path, cls.folder / "alone" / name)
            output_of("dpkg-deb", "-x", path, cls.folder / "root")

    @classmethod
    def packed(cls, kind):
        output_of(CPACK, "-G", kind, "-B", cls.folder / kind, "--config", BUILD / "CPackConfig.cmake", cwd=BUILD)
        return list((cls.folder / kind).glob(f"*.{kind.lower()}"))

    def test_packages_of_debian_work_where_they_are_unpacked(self):
        self.assertLessEqual({"libweft-dev", "weft"}, set(self.debian))
        for name, package in self.debian.items():
            documents = self.folder / "alone" / name / "usr/share/doc" / name
            self.assertIn("Redistribution", (documents / "copyright").read_text())
            self.assertIn("Henry Schreiner", (documents / "THIRD_PARTY_NOTICES.md").read_text())
            maintainer = output_of("dpkg-deb", "-f", package, "Maintainer")
            self.assertNotRegex(maintainer, r"example\.|\.invalid")
        self.check_tools(self.debian["weft"], self.folder / "root")
        self.check_development(self.debian["libweft-dev"], self.folder / "root")

    @unittest.skipUnless(shutil.which("rpmbuild") and shutil.which("cpio"), "needs the packages rpm and cpio")
    def test_rpm_packages_have_the_same_files(self):
        packages = {output_of("rpm", "-qp", "--queryformat", "%{NAME}", path): path for path in self.packed("RPM")}
        self.assertEqual({RPM_NAMES[name] for name in self.debian}, set(packages))
        for name in self.debian:
            path = packages[RPM_NAMES[name]]
            root = self.folder / "rpm" / name
            root.mkdir(parents=True)
            archive = subprocess.run(["rpm2cpio", path], check=True, stdout=subprocess.PIPE).stdout
            subprocess.run(["cpio", "-idm", "--quiet"], check=True, input=archive, cwd=root)
            self.assertEqual(files_below(root), files_below(self.folder / "alone" / name))
        self.assertIn("openmpi-devel", output_of("rpm", "-qp", "--requires", packages["weft-devel"]))
        self.assertIn("libnetcdf", output_of("rpm", "-qp", "--requires", packages["weft"]))

    def check_tools(self, package, root):
        depends = output_of("dpkg-deb", "-f", package, "Depends")
        for library in ("libnetcdf", "libpng", "libc6"):
            self.assertIn(library, depends)
        for name in ("bin/weft", "share/man/man1/weft.1", "share/man/man1/weft-components.1",
                     "share/bash-completion/completions/weft", "share/zsh/site-functions/_weft",
                     "share/fish/vendor_completions.d/weft.fish", "share/weft/report.schema.json"):
            self.assertTrue((root / "usr" / name).is_file(), name)
        self.assertEqual(len(list(root.glob("usr/lib*/**/weft/weft-volumes.so"))), 1)
        self.assertFalse((root / "usr/bin/weft-bench").exists())
        libraries = {"LD_LIBRARY_PATH": ":".join(str(path) for path in root.glob("usr/lib*"))}
        said = output_of(root / "usr/bin/weft", "components", "rmat:6", env={**os.environ, **libraries})
        self.assertIn("components", said)
        said = output_of(root / "usr/bin/weft", "trace", "--synthetic", "n=8", "--max-steps", "9", env={**os.environ, **libraries})
        self.assertIn("mean path", said)

    def check_development(self, package, root):
        self.assertIn("mpi-default-dev", output_of("dpkg-deb", "-f", package, "Depends"))
        self.assertFalse((root / "usr/include/weft/harness").exists())
        packages = next(root.glob("usr/lib*/**/pkgconfig"))
        flags = output_of("pkg-config", "--cflags", "--libs", "weft",
                          env={**os.environ, "PKG_CONFIG_PATH": str(packages)}).split()
        self.assertIn("-std=c++20", flags)
        self.assertFalse([flag for flag in flags if "mpi_cxx" in flag])  # bindings that nobody needs
        source = ROOT / "tests/consumers/hello.cpp"
        output_of(os.environ.get("CXX", "c++"), source, "-o", root / "hello", *flags)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
