#!/usr/bin/env python
"""Drive language-SDK children through the genuine Airflow task supervisor.

No database, no scheduler, no API server: ``supervise_task`` of the installed Airflow (3.3 or 3.4,
detected) is called for real, with its Execution API client pointed at an in-memory fake. Many tasks
run one after another in one process, because importing Airflow costs seconds and a task 0.1 s.

    PYTHON supervise.py PLAN.json                 the plan is described in supervisor/plan.py
    PYTHON supervise.py --bundles-root DIR --dag D --task T [--store FILE] [--batch N]
    PYTHON supervise.py --dag D --task T -- ARGV...

stdout: one JSON document {"taskSdk", "results": [one a task], "parses": [one a file], "timing"},
with --batch N instead of results the count, wall times and final states of N rounds.
Exit code 0 also when tasks failed; 2 for a plan that can't be read; 70 when the harness itself fell.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
os.environ.setdefault("PYTHONUNBUFFERED", "1")

from guarded import run_guarded  # noqa: E402
from supervisor.arguments import read_arguments  # noqa: E402
from supervisor.plan import PlanError, read_plan  # noqa: E402


def main() -> int:
    arguments = read_arguments(sys.argv[1:])
    try:
        plan = read_plan(arguments.plan)
    except PlanError as problem:
        print(f"supervise.py: {problem}", file=sys.stderr)
        return 2

    def work(folder: Path) -> int:
        real_stdout = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)  # stray prints of Airflow must not end up in our JSON
        from supervisor.run_plan import run_plan  # imports Airflow: only in the worker

        document = run_plan(plan, folder, batch=arguments.batch, transcript=arguments.transcript)
        json.dump(document, real_stdout, default=str, indent=1 if arguments.pretty else None)
        real_stdout.write("\n")
        real_stdout.flush()
        return 0

    return run_guarded(work, name="supervise", tied_to_stdin=arguments.tied_to_stdin)


if __name__ == "__main__":
    sys.exit(main())
