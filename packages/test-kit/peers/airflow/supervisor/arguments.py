"""The command line of supervise.py: a plan file, or flags for one task by hand."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from types import SimpleNamespace


def read_arguments(argv: list[str]) -> SimpleNamespace:
    """Gives ``plan`` (raw JSON value), ``batch``, ``transcript``, ``tied_to_stdin``, ``pretty``."""
    own, child = argv, []
    if "--" in argv:
        cut = argv.index("--")
        own, child = argv[:cut], argv[cut + 1 :]
    parser = argparse.ArgumentParser(prog="supervise.py", description="one or many tasks under the real supervisor")
    parser.add_argument("plan", nargs="?", help="JSON file; then only the options of the next group count")
    parser.add_argument("--batch", type=int, default=0, metavar="N", help="repeat the plan's tasks N times, print wall times only")
    parser.add_argument("--transcript", type=Path, metavar="FILE", help="write every frame and log line here (JSON lines)")
    parser.add_argument("--tied-to-stdin", action="store_true", help="stop everything when stdin ends")
    parser.add_argument("--pretty", action="store_true")
    one = parser.add_argument_group("one task without a plan")
    one.add_argument("--bundles-root", help="ExecutableCoordinator over DIR")
    one.add_argument("--node-root", help="NodeCoordinator over DIR (3.4)")
    one.add_argument("--jars-root", help="JavaCoordinator over DIR")
    one.add_argument("--dag", default="stub_dag")
    one.add_argument("--task", default="stub_task")
    one.add_argument("--try-number", type=int, default=1)
    one.add_argument("--max-tries", type=int, default=0)
    one.add_argument("--store", type=Path, help="JSON file: variables, connections, xcoms")
    one.add_argument("--sigterm-after", type=float, metavar="S")
    args = parser.parse_args(own)

    if args.plan is not None:
        plan = read_json(parser, Path(args.plan))
    else:
        launch = {"bundlesRoot": args.bundles_root, "nodeRoot": args.node_root, "jarsRoot": args.jars_root, "argv": child or None}
        task = {"dagId": args.dag, "taskId": args.task, "tryNumber": args.try_number, "maxTries": args.max_tries}
        if args.sigterm_after is not None:
            task["sigtermAfterSeconds"] = args.sigterm_after
        plan = {
            "launch": {key: value for key, value in launch.items() if value is not None},
            "store": read_json(parser, args.store) if args.store else {},
            "tasks": [task],
        }
    return SimpleNamespace(
        plan=plan, batch=args.batch, transcript=args.transcript, tied_to_stdin=args.tied_to_stdin, pretty=args.pretty
    )


def read_json(parser: argparse.ArgumentParser, path: Path) -> object:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as problem:
        parser.error(f"{path}: {problem}")
