"""Where outputs of the command go: nothing that was there comes to harm."""
import os
import shutil
import signal
import stat
import subprocess
import threading
import time

from command_case import CommandCase, main
from command_run import run_command


class Outputs(CommandCase):
    def device(self, minor):
        """A device of our own: code that replaces its output must not meet the real one."""
        node = self.file(f"device{minor}")
        try:
            os.mknod(node, stat.S_IFCHR | 0o666, os.makedev(1, minor))
            node.open("wb").close()
        except PermissionError:
            self.skipTest("device nodes cannot be made or opened here")
        return node

    def labels_to(self, output, *more, expect=0):
        return self.run_weft("components", self.graph, "--labels", output, "-q", *more, expect=expect)

    def expected_labels(self):
        plain = self.file("plain.txt")
        self.labels_to(plain)
        return plain.read_text()

    def partial_in(self, folder):
        return [each for each in os.listdir(folder) if ".part" in each]

    def assert_nothing_partial(self):
        self.assertEqual(self.partial_in(self.folder.name), [])

    def wait_for(self, holds):
        until = time.monotonic() + 20
        while not holds() and time.monotonic() < until:
            time.sleep(0.05)
        self.assertTrue(holds())

    def test_a_device_stays_a_device(self):
        null = self.device(3)
        for option in ("--labels", "--json"):
            self.run_weft("components", self.graph, option, null, "-q")
            self.assertTrue(stat.S_ISCHR(os.stat(null).st_mode))
        self.assert_nothing_partial()

    def test_a_full_device_is_an_error_and_stays(self):
        full = self.device(7)
        for option in ("--labels", "--json"):
            done = self.run_weft("components", self.graph, option, full, "-q", expect=1)
            self.assertIn(f"weft: error: {full}: cannot write: No space left on device", done.stderr)
            self.assertTrue(stat.S_ISCHR(os.stat(full).st_mode))

    def test_a_fifo_has_the_labels_of_all_ranks_in_order(self):
        fifo = self.file("fifo")
        os.mkfifo(fifo)
        heard = []
        reader = threading.Thread(target=lambda: heard.append(fifo.read_text()), daemon=True)
        reader.start()
        self.labels_to(fifo, "-n", "2")
        reader.join(20)
        self.assertEqual(heard, [self.expected_labels()])
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))

    def test_a_symbolic_link_stays_a_link(self):
        folder = self.file("folder")
        folder.mkdir()
        link = self.file("link")
        link.symlink_to("folder/behind.txt")  # which is not there yet
        for _ in range(2):
            self.labels_to(link)
            self.assertTrue(link.is_symlink())
            self.assertEqual((folder / "behind.txt").read_text(), self.expected_labels())

    def test_the_mode_stays(self):
        private = self.file("private.txt", "old")
        for mode in (0o600, 0o664):
            private.chmod(mode)
            self.labels_to(private)
            self.assertEqual(stat.S_IMODE(private.stat().st_mode), mode)
        self.assertEqual(private.read_text(), self.expected_labels())

    def test_other_names_of_a_file_see_the_output(self):
        one = self.file("one.txt", "something longer than what comes\n" * 20)
        other = self.file("other.txt")
        os.link(one, other)
        self.labels_to(one)
        self.assertTrue(os.path.samefile(one, other))
        self.assertEqual(other.read_text(), self.expected_labels())
        self.assert_nothing_partial()

    def test_errors_name_the_output_on_every_number_of_ranks(self):
        nowhere = self.file("no/such/folder/labels.txt")
        for ranks in ([], ["-n", "2"]):
            done = self.labels_to(nowhere, *ranks, expect=1)
            self.assertEqual(done.stderr.count("weft: error:"), 1)
            self.assertIn(f"{nowhere}: cannot write", done.stderr)
            self.assertNotIn(".part", done.stderr)

    def test_a_dash_is_standard_output_and_takes_the_place_of_the_table(self):
        done = self.run_weft("components", self.graph, "--labels", "-")
        self.assertEqual(done.stdout, self.expected_labels())

    def test_two_outputs_on_standard_output_are_refused(self):
        done = self.run_weft("components", self.graph, "--labels", "-", "--json", "-", expect=2)
        self.assertEqual(done.stderr, "weft: error: expected one output on standard output, found several that are -\n")
        done = self.run_weft("components", self.graph, "--labels", "", expect=2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("--labels: expected the name of a file", done.stderr)

    def test_standard_output_that_cannot_be_written_is_one_line_and_code_1(self):
        full = self.device(7)
        for arguments in ("components {}", "components {} --json -", "info", "--version", "components --help"):
            command = " ".join([str(self.weft), arguments.format(self.graph)])
            for redirection in (f">{full}", ">&-"):
                done = run_command(["sh", "-c", f"{command} {redirection}"], 60)
                self.assertEqual(done.returncode, 1, (command, redirection, done.stderr))
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn("weft: error: standard output: cannot write", done.stderr)
            done = run_command(["sh", "-c", f"{command} >&- 2>&-"], 60)
            self.assertEqual(done.returncode, 1, command)

    def test_several_ranks_whose_output_cannot_be_written(self):
        full = self.device(7)
        for redirection, cause in ((f">{full}", "No space left on device (free some space or write elsewhere)"), (">&-", "Bad file descriptor")):
            for output in ("", "--labels -"):
                done = run_command(["sh", "-c", f"'{self.weft}' -n 2 components '{self.graph}' {output} {redirection}"], 60)
                self.assertEqual((done.returncode, done.stderr),
                                 (1, f"weft: error: standard output: cannot write: {cause}\n"))

    def test_a_reader_that_leaves_is_an_error(self):
        for ranks in ("", "-n 2"):
            command = f"'{self.weft}' {ranks} components rmat:16 --labels -"
            done = run_command([shutil.which("bash"), "-c", f"{command} | head -1; exit ${{PIPESTATUS[0]}}"], 60)
            self.assertEqual(done.stdout.count("\n"), 1)
            self.assertEqual((done.returncode, done.stderr),
                             (1, "weft: error: standard output: cannot write: Broken pipe\n"))

    def test_standard_output_of_several_ranks_is_in_order(self):
        into = self.file("into.txt")
        command = f"'{self.weft}' -n 3 components '{self.graph}' --labels -"
        run_command(["sh", "-c", f"(echo before; {command}; echo after) > '{into}'"], 60)
        self.assertEqual(into.read_text(), f"before\n{self.expected_labels()}after\n")

    def test_a_signal_leaves_no_partial_file(self):
        fifo = self.file("fifo")
        os.mkfifo(fifo)
        spools = self.file("spools")
        spools.mkdir()
        # The labels wait for a reader of the FIFO, with their bytes in a partial file.
        waiting = [self.weft, "components", self.graph, "--labels", fifo, "-q"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([*map(str, waiting)], env={**os.environ, "TMPDIR": str(spools)})
            try:
                self.wait_for(lambda: self.partial_in(spools))
                process.send_signal(number)
                self.assertEqual(process.wait(20), -number)
            finally:
                process.kill()
                process.wait()
            self.assertEqual(self.partial_in(spools), [])
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))


if __name__ == "__main__":
    main(Outputs)
