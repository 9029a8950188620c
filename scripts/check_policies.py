#!/usr/bin/env python3
"""Prints how Weft meets the policies of xSDK (M1 to M17, R1 to R8), of E4S (P1 to P9) and the OpenSSF's best practices (passing level),
each with its evidence in this tree, and fails where the evidence of a policy that is claimed is gone.

check_policies.py [root of the source tree]
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from source_tree import finish


@dataclass(frozen=True)
class Evidence:
    """A file or folder, and a pattern that its text has. Without a pattern it must be there."""
    path: str
    pattern: str = ""

    def missing(self, root: Path) -> str | None:
        place = root / self.path
        if not place.exists():
            return f"{self.path} is not there"
        if self.pattern and not re.search(self.pattern, place.read_text(encoding="utf-8"), re.MULTILINE):
            return f"{self.path} has nothing like {self.pattern}"
        return None


@dataclass(frozen=True)
class Policy:
    name: str
    text: str
    evidence: tuple[Evidence, ...] = ()
    open: str = ""  # why it is not met yet, or not met by this tree alone


def has(*places: str) -> tuple[Evidence, ...]:
    """Evidence from texts `path` or `path: pattern`."""
    return tuple(Evidence(*place.split(": ", 1)) for place in places)


TESTS = has("Makefile: ^test:", "tests/CMakeLists.txt")
CONTACT = has("SUPPORT.md", "cmake/WeftInstall.cmake: WEFT_CONTACT")
LICENCE = has("LICENSE: Redistribution", "CITATION.cff: license: BSD-3-Clause", "THIRD_PARTY_NOTICES.md")
SPACK = has("packaging/spack/package.py.in: CMakePackage")
DOCUMENTS = has("README.md", "docs/index.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
ERRORS = has("docs/reference/exceptions.md", "docs/errors.md", "include/weft/core/error.hpp")
NOT_PUBLISHED = "the repository has no public address yet"

POLICIES = {
    "xSDK, required": [
        Policy("M1", "portable installation through Spack", SPACK),
        Policy("M2", "a comprehensive test suite", TESTS),
        Policy("M3", "a communicator of the user's", has("include/weft/mpi.hpp: make_communicator", "scripts/check_door.py")),
        Policy("M4", "portability to key architectures", has("CMakePresets.json: mpich", "src/wire"),
               open="tested on x86-64 only"),
        Policy("M5", "a documented way to reach the developers", CONTACT),
        Policy("M6", "settings of other packages are respected", has("docs/guides/own_communicator.md: error handler")),
        Policy("M7", "an open-source licence", LICENCE),
        Policy("M8", "a function that returns the version", has("include/weft/core/version.hpp: version\\(\\)", "include/weft/core/version.hpp: build_info\\(\\)")),
        Policy("M9", "a name space of its own", has("CMakeLists.txt: exports.map", "tests/checks/public_headers.txt")),
        Policy("M10", "a repository that the xSDK team can read", open=NOT_PUBLISHED),
        Policy("M11", "no output that cannot be turned off", has("include/weft/observe/stalls.hpp")),
        Policy("M12", "outside copies of all dependencies", has("cmake/WeftGrids.cmake", "cmake/WeftSwitch.cmake")),
        Policy("M13", "headers and libraries in include and lib of a prefix", has("cmake/WeftInstall.cmake: CMAKE_INSTALL_INCLUDEDIR")),
        Policy("M14", "64-bit pointers", has("include/weft/core/ids.hpp: int64_t")),
        Policy("M15", "changes for xSDK are kept", has("scripts/check_policies.py")),
        Policy("M16", "a build for debugging", has("CMakePresets.json: dev")),
        Policy("M17", "documentation for use and for development", DOCUMENTS),
    ],
    "xSDK, recommended": [
        Policy("R1", "a public repository", open=NOT_PUBLISHED),
        Policy("R2", "tests under a checker of memory", has("CMakePresets.json: address", "cmake/sanitizers")),
        Policy("R3", "a consistent system of errors", ERRORS),
        Policy("R4", "resources are freed as soon as they are not needed", has("docs/guides/memory.md")),
        Policy("R5", "an ordered list of library dependencies", has("cmake/weft.pc.in", "cmake/weft-config.cmake.in")),
        Policy("R6", "versions of dependencies", has("docs/start/install.md: tested versions", "packaging/spack/package.py.in: depends_on")),
        Policy("R7", "README, SUPPORT, LICENSE and CHANGELOG", has("README.md", "SUPPORT.md", "LICENSE", "CHANGELOG.md")),
        Policy("R8", "macros to compare versions", has("include/weft/core/version.hpp: define WEFT_VERSION_MAJOR")),
    ],
    "E4S": [
        Policy("P1", "Spack", SPACK),
        Policy("P2", "a small test of an installation", has("packaging/spack/package.py.in: def test_", "tests/consumers")),
        Policy("P3", "sustainability: compatibility is planned", has("packaging/README.md: Semantic versions", "GOVERNANCE.md")),
        Policy("P4", "documentation", DOCUMENTS),
        Policy("P5", "metadata", has("CITATION.cff", "pyproject.toml")),
        Policy("P6", "a public repository", open=NOT_PUBLISHED),
        Policy("P7", "no copies of other packages", has("CONTRIBUTING.md")),
        Policy("P8", "errors are handled and documented", ERRORS),
        Policy("P9", "a test suite", TESTS),
    ],
    "OpenSSF best practices, passing": [
        Policy("description", "what the software does, and for whom", has("README.md: Use it if")),
        Policy("contribution", "how to contribute, and what is required", has("CONTRIBUTING.md: must pass")),
        Policy("floss_license", "a licence at the usual place", LICENCE),
        Policy("documentation_basics", "documentation of use and interface", has("docs/start/tutorial.md", "scripts/docs/reference.py")),
        Policy("repo_public", "a public repository", open=NOT_PUBLISHED),
        Policy("version_semver", "unique, semantic versions", has("scripts/check_versions.py", "packaging/README.md: Semantic versions")),
        Policy("release_notes", "notes that people can read", has("CHANGELOG.md: ^### Added")),
        Policy("report_process", "a way to report faults", has(".github/ISSUE_TEMPLATE/fault.md")),
        Policy("vulnerability_report_process", "a private way to report vulnerabilities", has("SECURITY.md: in private")),
        Policy("build", "a build by common tools", has("CMakeLists.txt", "CMakePresets.json")),
        Policy("test_policy", "new functions come with tests", has("scripts/check_mirror.py", "CONTRIBUTING.md: test")),
        Policy("warnings", "warnings are turned on, and are errors", has("CMakePresets.json: WEFT_WARNINGS_AS_ERRORS")),
        Policy("dynamic_analysis", "sanitizers and damaged inputs", has("tests/fuzz", "cmake/sanitizers")),
        Policy("static_analysis", "at least one tool", has(".clang-tidy", "scripts/check_tidy.py")),
        Policy("code_of_conduct", "a code of conduct", has("CODE_OF_CONDUCT.md")),
        Policy("pinned_actions", "actions by their hashes, rights to read only",
               has(".github/workflows/test.yml: uses: \\S+@[0-9a-f]{40}", ".github/workflows/test.yml: contents: read")),
    ],
}


def report(root: Path) -> list[str]:
    """Prints all policies; what is wrong with the evidence."""
    wrong = []
    for group, policies in POLICIES.items():
        print(f"\n{group}")
        for policy in policies:
            gaps = [said for each in policy.evidence if (said := each.missing(root))]
            wrong += [f"{group} {policy.name}: {said}" for said in gaps]
            state = "GONE" if gaps else "open" if policy.open else "met"
            where = ", ".join(each.path for each in policy.evidence)
            print(f"  {state:<5} {policy.name}: {policy.text}; {'; '.join(filter(None, [where, policy.open]))}")
    print()
    return wrong


if __name__ == "__main__":
    sys.exit(finish("policies", report(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
