#!/usr/bin/env python3
"""Tests of the ledger of ratios: a stand-in for weft-bench prints tables whose ratios are known."""

import contextlib
import io
import json
import stat
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import ratios

TABLE = """bench,case,subject,ranks,bytes,degree,median_s,min_s,rate,unit
plan,halo,by hand,2,8,6,1.0,1.0,1,M/s
plan,halo,plan,2,8,6,{plan},1.0,1,M/s
plan,"halo, long",by hand,2,64,0,2.0,1.0,1,M/s
plan,"halo, long",plan,2,64,0,3.0,1.0,1,M/s
"""
HALO = "plan: halo, 8 B, degree 6: plan"
LONG = "plan: halo, long, 64 B: plan"


class Ratios(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bench = Path(folder.name) / "weft-bench"
        self.ledger = Path(folder.name) / "ratios.json"
        self.suite = next(suite for suite in ratios.SUITES if " plan " in suite)

    def measure(self, what, plan, more=()):
        """Runs the tool; its status and output."""
        self.bench.write_text("#!/bin/sh\ncat << 'END'\n" + TABLE.format(plan=plan) + "END\n")
        self.bench.chmod(self.bench.stat().st_mode | stat.S_IXUSR)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = ratios.main([what, "--bench", str(self.bench), "--ledger", str(self.ledger),
                                  "--runs", "2", "--only", self.suite, *more])
        return status, out.getvalue()

    def test_ratios_are_to_the_first_subject_of_a_case(self):
        self.assertEqual(ratios.ratios_of(TABLE.format(plan=1.5)), {HALO: 1.5, LONG: 1.5})

    def test_exchanges_are_compared_with_raw_mpi(self):
        table = "bench,case,subject,ranks,bytes,degree,median_s,min_s,rate,unit\n" \
                "exchange,k=1,nbx,2,8,1,3.0,1,1,M/s\nexchange,k=1,raw-nbx,2,8,1,2.0,1,1,M/s\n"
        self.assertEqual(ratios.ratios_of(table), {"exchange: k=1, 8 B, degree 1: nbx": 1.5})

    def test_an_update_is_what_a_check_compares_with(self):
        self.assertEqual(self.measure("update", 1.5)[0], 0)
        self.assertEqual(json.loads(self.ledger.read_text())[self.suite][HALO],
                         {"ratio": 1.5, "least": 1.5, "largest": 1.5})
        status, text = self.measure("check", 1.52)
        self.assertEqual(status, 0)
        self.assertIn("as in the ledger", text)

    def test_worse_better_new_and_missing(self):
        self.measure("update", 1.5)
        status, text = self.measure("check", 2.0)
        self.assertEqual(status, 1)
        self.assertIn(f"WORSE: {HALO}: 2.00", text)
        self.assertNotIn(LONG, text)
        status, text = self.measure("check", 1.0)
        self.assertEqual(status, 0)
        self.assertIn(f"better: {HALO}", text)
        ledger = json.loads(self.ledger.read_text())
        ledger[self.suite]["gone"] = ledger[self.suite].pop(HALO)
        self.ledger.write_text(json.dumps(ledger))
        status, text = self.measure("check", 1.5)
        self.assertEqual(status, 1)
        self.assertIn("MISSING: gone", text)
        self.assertIn(f"new: {HALO}", text)

    def test_one_run_within_the_spread_is_enough(self):
        ledger = {HALO: {"ratio": 1.5, "least": 1.4, "largest": 1.6}}
        self.assertEqual(ratios.compare(ledger, {HALO: [1.6, 3.0]}), ([], False))
        self.assertTrue(ratios.compare(ledger, {HALO: [1.7, 3.0]})[1])

    def test_a_benchmark_that_fails_is_no_measurement(self):
        self.bench.write_text("#!/bin/sh\nexit 3\n")
        self.bench.chmod(0o755)
        with self.assertRaisesRegex(SystemExit, "status 3"):
            ratios.run_suite(str(self.bench), self.suite, 1)


if __name__ == "__main__":
    unittest.main()
