"""What the real Airflow 3.4 makes of serialised Dags that did not come from Python.

    PYTHON native_dags.py --golden > native-dag-cases.json     # documents good and bad, with Airflow's verdict
    PYTHON native_dags.py --stdin < questions.ndjson           # one answer a line, in order; ends with stdin

A question is {"document": serialised Dag, "model"?: the same Dag as data of dag-model.ts}. The answer says whether
Airflow takes the document, and, with a model, in what it differs, loaded, from that Dag written in Python.
4 s for the start, then 5 to 10 ms a Dag.
"""

from __future__ import annotations

import argparse
import atexit
import json
import logging
import os
import shutil
import sys
import tempfile
import warnings
from typing import Any

HOME = tempfile.mkdtemp(prefix="parlance-native-dags-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["AIRFLOW_HOME"] = HOME
# What the process runs for is on stdout, so Airflow's own lines go elsewhere.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

from native_dags.cases import cases  # noqa: E402
from native_dags.compare import differences  # noqa: E402
from native_dags.load import load  # noqa: E402
from native_dags.python_dag import python_dag  # noqa: E402


def answer(question: dict[str, Any]) -> dict[str, Any]:
    verdict, dag = load(question["document"])
    if dag is None or "model" not in question:
        return verdict
    return {**verdict, "differences": differences(python_dag(question["model"]), dag, question["document"])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--golden", action="store_true")
    mode.add_argument("--stdin", action="store_true")
    if parser.parse_args().golden:
        rows = [{"case": name, "input": document, **load(document)[0]} for name, document in cases()]
        ANSWERS.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    else:
        for line in sys.stdin:
            ANSWERS.write(json.dumps(answer(json.loads(line))) + "\n")
            ANSWERS.flush()


if __name__ == "__main__":
    main()
