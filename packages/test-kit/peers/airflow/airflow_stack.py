#!/usr/bin/env python
"""Boot a complete, stock Airflow, run Dags on it, print what came of it, and stop everything again.

API server, scheduler with LocalExecutor, Dag processor, SQLite; everything on 127.0.0.1 with a free
port, in a throw-away AIRFLOW_HOME, with random keys and a random password.

    PYTHON airflow_stack.py PLAN.json             the plan is described in stack/plan.py

stdout: one JSON document (see StackDocument in the test-kit's types). Exit code 0 also when a Dag
run failed; 1 when the deployment did not come up ("error" says why); 2 for a plan that can't be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from guarded import run_guarded  # noqa: E402
from stack.deployment import run_stack  # noqa: E402
from stack.plan import StackPlanError, read_stack_plan  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="airflow_stack.py", description="run Dags on a whole throw-away Airflow")
    parser.add_argument("plan", type=Path)
    parser.add_argument("--tied-to-stdin", action="store_true", help="stop everything when stdin ends")
    parser.add_argument("--pretty", action="store_true")
    arguments = parser.parse_args()
    try:
        plan = read_stack_plan(json.loads(arguments.plan.read_text()))
    except (OSError, ValueError, StackPlanError) as problem:
        print(f"airflow_stack.py: {arguments.plan}: {problem}", file=sys.stderr)
        return 2

    def work(folder: Path) -> int:
        document = run_stack(plan, folder)
        text = json.dumps(document, default=str, indent=1 if arguments.pretty else None)
        print(text.replace(json.dumps(str(folder))[1:-1], "$AIRFLOW_HOME"), flush=True)
        return 1 if "error" in document else 0

    return run_guarded(work, name="stack", tied_to_stdin=arguments.tied_to_stdin)


if __name__ == "__main__":
    sys.exit(main())
