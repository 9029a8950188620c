#!/usr/bin/env python3
"""Mistakes of users' programs are found in runs that depart from the usual order; right programs are not blamed.

planted_test.py PLANTED_PROGRAM RIGHT_PROGRAM
"""
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

planted, right = "", ""
SECONDS = 300
RUNS = 1000
MOST_DEVIATIONS = 20


def run(program, name, **environment):
    return subprocess.run([program, name], text=True, timeout=SECONDS, check=False, env={**os.environ, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Planted(unittest.TestCase):
    def test_mistakes_are_found_and_can_be_repeated(self):
        names = run(planted, "").stdout.split()
        self.assertEqual(len(names), 12)
        missed = []
        for name in names:
            done = run(planted, name, WEFT_ADVERSARY=f"1:{RUNS}", WEFT_SIMULATE="3")
            print(f"{name}: {done.stderr.strip()}", file=sys.stderr)
            if done.returncode == 0:
                missed.append(name)
                continue
            self.assertEqual(done.stdout, "")
            if "without any deviation" in done.stderr:
                continue
            few, replay = (re.search(r"(\d+) of its \d+ deviations are enough: (.*)", done.stderr),
                           re.search(r"WEFT_ADVERSARY=(replay:\S+)", done.stderr))
            self.assertLessEqual(int(few[1]), MOST_DEVIATIONS, done.stderr)
            again = run(planted, name, WEFT_ADVERSARY=replay[1], WEFT_SIMULATE="3")
            self.assertEqual(again.returncode, 1, name)
            self.assertIn(few[2], again.stderr)
        self.assertEqual(missed, [])

    def test_a_flood_is_told_by_rank_amount_and_place(self):
        done = run(planted, "unbounded_flood", WEFT_ADVERSARY=f"1:{RUNS}", WEFT_SIMULATE="3")
        told = (r"sends without bound: (\d+) messages of channels and blocks so far, \d+ of them by rank [01], which is in mailbox drain"
                r"( at planted.cpp:\d+)?; not yet handled: \d+; in the usual run all ranks send (\d+)")
        found = re.search(told, done.stderr)
        self.assertIsNotNone(found, done.stderr)
        self.assertGreater(int(found[1]), 20 * int(found[3]))
        replay = re.search(r"WEFT_ADVERSARY=(replay:\S+)", done.stderr)[1]
        again = run(planted, "unbounded_flood", WEFT_ADVERSARY=replay, WEFT_SIMULATE="3")
        self.assertEqual((len(re.findall("sends without bound", again.stderr)), again.returncode), (2, 1), again.stderr)

    def test_right_programs_are_not_blamed(self):
        for name in ("exchange", "long_messages", "mailbox", "loop", "blocks", "values", "frames", "split", "census", "dropped"):
            for ranks in (2, 4):
                done = run(right, name, WEFT_ADVERSARY="5:25", WEFT_SIMULATE=str(ranks))
                self.assertEqual(done.returncode, 0, (name, ranks, done.stderr))
                self.assertIn(f"25 runs of seed 5 on {ranks} ranks are right", done.stderr)

    def test_late_messages_are_tried_one_by_one(self):
        done = run(planted, "order_of_arrival", WEFT_ADVERSARY="all", WEFT_SIMULATE="3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("of arrival: prints ", done.stderr)
        done = run(right, "values", WEFT_ADVERSARY="all:30", WEFT_SIMULATE="2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"30 runs on 2 ranks are right: the only order in .*; all with up to \d late messages? or completions?, and some with ")

    def test_a_mistake_at_one_look_at_several_messages_is_found_and_can_be_repeated(self):
        done = run(planted, "one_item_a_look", WEFT_ADVERSARY="all", WEFT_SIMULATE="3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("of arrival: ", done.stderr)
        replay = re.search(r"WEFT_ADVERSARY=(replay:\S*j\d+x\d+\S*)", done.stderr)
        again = run(planted, "one_item_a_look", WEFT_ADVERSARY=replay[1], WEFT_SIMULATE="3")
        self.assertEqual(again.returncode, 1, again.stderr)

    def test_a_mistake_after_a_late_completion_is_found_and_can_be_repeated(self):
        done = run(planted, "handler_for_single_values", WEFT_ADVERSARY="all", WEFT_SIMULATE="2")
        self.assertIn('1 of its 1 deviations are enough: prints "rank 1: heard 2" in place of "rank 1: heard 3"', done.stderr)
        replay = re.search(r"WEFT_ADVERSARY=(replay:a\d+)$", done.stderr, re.M)
        again = run(planted, "handler_for_single_values", WEFT_ADVERSARY=replay[1], WEFT_SIMULATE="2")
        self.assertEqual(again.returncode, 1, again.stderr)

    def orders_of(self, name, ranks, adversary):
        """Returns the orders in which rank 0 has heard the others, and the report."""
        with tempfile.TemporaryDirectory() as folder:
            orders = pathlib.Path(folder) / "orders"
            done = run(right, name, WEFT_ADVERSARY=adversary, WEFT_SIMULATE=str(ranks), ORDERS_FILE=str(orders))
            self.assertEqual(done.returncode, 0, done.stderr)
            return orders.read_text(encoding="utf-8").split(), done.stderr

    def test_every_order_of_arrival_is_run(self):
        for name, ranks, count in (("exchange_in_any_order", 4, 6), ("exchange_in_any_order", 5, 24), ("mail_in_any_order", 4, 6)):
            heard, report = self.orders_of(name, ranks, "all:200")
            self.assertEqual(set(heard), {"".join(order) for order in itertools.permutations("1234"[:ranks - 1])}, (name, ranks))
            self.assertIn(f"200 runs on {ranks} ranks are right: all {count} orders in which messages from any source can arrive", report)

    def test_every_look_at_several_messages_is_run(self):
        heard, report = self.orders_of("mail_in_any_looks", 4, "all")
        looks = {"".join(one + cut for one, cut in zip(order, (*cuts, "|"))) for order in itertools.permutations("123")
                 for cuts in itertools.product(("", "|"), repeat=2)}
        self.assertEqual(set(heard), looks)
        self.assertIn("all 6 orders in which messages from any source can arrive; all 24 orders with several messages at one look", report)

    def test_a_cut_is_told(self):
        _, report = self.orders_of("exchange_in_any_order", 5, "all:20")
        self.assertIn("20 runs on 5 ranks are right: 10 orders in which messages from any source can arrive, but not all (too many", report)

    def test_a_mistake_in_one_order_is_found_and_can_be_repeated(self):
        for wrong in map("".join, itertools.permutations("123")):
            broken = {"WEFT_SIMULATE": "4", "BREAKS_IN_ORDER": wrong}
            done = run(right, "mail_in_any_order", WEFT_ADVERSARY="all", **broken)
            self.assertEqual(done.returncode, 1, (wrong, done.stderr))
            self.assertIn("wrong: an order", done.stderr)
            replay = re.search(r"WEFT_ADVERSARY=(replay:o\S+)", done.stderr)
            if replay:
                again = run(right, "mail_in_any_order", WEFT_ADVERSARY=replay[1], **broken)
                self.assertEqual(again.stderr.count("wrong: an order"), 2, (wrong, again.stderr))
            else:
                self.assertIn("without any deviation", done.stderr)

    def test_a_late_message_arrives_before_others_that_are_late(self):
        found = set()
        for first, second in itertools.combinations(range(12), 2):
            in_order, _ = self.orders_of("exchange_in_any_order", 4, f"replay:h{first},h{second}")
            overtaken, _ = self.orders_of("exchange_in_any_order", 4, f"replay:h{first},h{second}x1")
            if in_order[-1] != overtaken[-1]:
                found.add(overtaken[-1])
        self.assertIn("321", found)

    def test_ranks_that_ask_until_a_late_message_is_there_are_not_blamed(self):
        done = run(right, "mailbox", WEFT_ADVERSARY="all:60", WEFT_SIMULATE="3")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_cannot_be_read_is_refused(self):
        for wrong in ("x", "7:0", "7:y", "all:z", "replay:q1", "replay:h", "replay:b1x2", "replay:h-1"):
            done = run(right, "values", WEFT_ADVERSARY=wrong)
            self.assertEqual((done.stdout, done.returncode), ("", 1), wrong)
            self.assertIn("WEFT_ADVERSARY", done.stderr)


if __name__ == "__main__":
    right = sys.argv.pop(2)
    planted = sys.argv.pop(1)
    unittest.main()
