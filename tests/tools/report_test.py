#!/usr/bin/env python3
"""Reports are as docs/reference/report.schema.json says. Exit code 77, which ctest shows as skipped, without jsonschema.

report_test.py WEFT ROOT
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    import jsonschema
except ImportError:
    sys.exit(77)

import small_inputs

WEFT, ROOT = map(Path, sys.argv[1:3])
COMMANDS = """components my_graph.txt --engine mailbox
sssp roads.gr.xz --source 1 --directed
spmv matrix.mtx --analyze-ranks 4
describe wind.nc
describe part.vtk
describe roads.gr.xz
describe galaxy.dat
label frames/ --channel green --threshold 69 --tracks t.csv
trace wind.nc --variable U,V, --seeds plane:z=0,3,3
render brain.nii.gz --image x.png
histogram brain.nii.gz --bins 5
contour brain.nii.gz --iso 89.5
slice brain.nii.gz --plane z=3.5
threshold brain.nii.gz --least 89.5
nbody galaxy.dat --eps 0.5 --steps 1 --dt 0.01
generate rmat --scale 8 --out g.txt
convert roads.gr.xz roads.wgraph
graph roads.gr.xz sssp:1,directed cores,top=3 components
graph500 --scale 8 --searches 4
count people.csv --field city --histogram
count book.txt --words
distinct events.ndjson --json-path tags[]
join people.csv cities.csv --on city=name
join events.ndjson users.ndjson --ndjson --on user.name=name
info
tune --seconds 0.1 --dry-run
top --interval 0.05 --once""".splitlines()


def commands():
    """Those above, and the first example of each question about graphs."""
    firsts = [question["examples"][0] for question in small_inputs.graph_questions(WEFT)]
    return COMMANDS + [re.sub(r"^weft (-n \d+ )?| --json \S+", "", line) for line in firsts]


class Reports(unittest.TestCase):
    def test_reports_are_as_the_schema_says(self):
        schema = json.loads((ROOT / "docs/reference/report.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        lines = commands()
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(3) as pool:
            small_inputs.write(WEFT, Path(folder))

            def wrong_in(line):
                done = subprocess.run([WEFT, "-n", "2", *line.split(), "--json", "-"], cwd=folder, capture_output=True,
                                      text=True, timeout=120)
                if done.returncode != 0:
                    return [f"{line}: {done.stderr}"]
                return [f"{line}: {error.json_path}: {error.message}"
                        for error in validator.iter_errors(json.loads(done.stdout))]
            wrong = [said for found in pool.map(wrong_in, lines) for said in found]
        self.assertFalse(wrong, "\n".join(wrong))
        named = {line.split()[0] for line in lines}
        self.assertEqual(set(schema["$defs"]), named, "the schema and this test know other commands")

    def test_another_shape_is_refused(self):
        schema = json.loads((ROOT / "docs/reference/report.schema.json").read_text(encoding="utf-8"))
        bad = {"command": "triangles", "version": "0.2.0", "ranks": 1, "nodes": 1, "input": {}, "options": {},
               "result": {"vertices": 1, "edges": -1, "loops": 0, "triangles": 0}, "seconds": {}, "traffic": {}}
        self.assertTrue(list(jsonschema.Draft202012Validator(schema).iter_errors(bad)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
