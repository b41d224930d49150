"""Several tasks at a time: forks of the process that has imported Airflow already."""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any

from guarded import adopt_orphans

if TYPE_CHECKING:
    from .run_plan import Runner


def run_side_by_side(runner: Runner, workers: int) -> list[dict[str, Any]]:
    """The results in the order of the plan; each worker takes the next task that nobody has.

    The first task is run before there are workers: Airflow imports much at the first message of a child,
    and the forks have it then.
    """
    tasks = runner.plan.tasks
    run_one(runner, 0)
    reader, writer = os.pipe()  # the numbers of the tasks that are left, two bytes each
    pids = [start_worker(runner, number, reader, writer) for number in range(min(workers, len(tasks)))]
    os.close(reader)
    for number in range(1, len(tasks)):
        os.write(writer, number.to_bytes(2, "big"))
    os.close(writer)
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    if any(codes):
        raise RuntimeError(f"workers ended with {codes}")
    return [json.loads((runner.work / f"result{number}.json").read_text()) for number in range(len(tasks))]


def run_one(runner: Runner, place: int) -> None:
    case = runner.plan.tasks[place]
    result = runner.run(case, runner.data_of(case))
    (runner.work / f"result{place}.json").write_text(json.dumps(result, default=str))


def start_worker(runner: Runner, number: int, reader: int, writer: int) -> int:
    pid = os.fork()
    if pid != 0:
        return pid
    try:
        os.close(writer)
        adopt_orphans()  # is not inherited
        runner.move_to(f"worker{number}")
        while taken := os.read(reader, 2):
            run_one(runner, int.from_bytes(taken, "big"))
        os._exit(0)
    except BaseException:
        traceback.print_exc(file=sys.stderr)
        os._exit(70)
