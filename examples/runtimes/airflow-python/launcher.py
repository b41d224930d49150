"""Runs one task with the task runner of an installed Airflow (3.3 or 3.4) for a supervisor that
listens on two TCP ports, as the coordinator of `parlance run` does.

    python launcher.py [--dags FOLDER] [--bundle NAME] --comm HOST:PORT --logs HOST:PORT

The supervisor adds --comm and --logs. Airflow needs no database, no API server and no set-up.
"""

import argparse
import atexit
import json
import os
import socket
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def parse_arguments(argv=None):
    parser = argparse.ArgumentParser(description="Run one Airflow task for a supervisor.")
    parser.add_argument("--dags", default=HERE / "dags", type=Path, help="the folder of the Dag files")
    parser.add_argument("--bundle", default="parlance", help="the Dag bundle's name, as the supervisor has it")
    parser.add_argument("--comm", required=True, metavar="HOST:PORT")
    parser.add_argument("--logs", required=True, metavar="HOST:PORT")
    return parser.parse_args(argv)


def dial(address):
    host, _, port = address.rpartition(":")
    link = socket.create_connection((host.strip("[]"), int(port)), timeout=10)
    link.settimeout(None)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def configure(dags, bundle):
    """Airflow's settings, as far as nobody else has made them. To be called before its import."""
    folder = {
        "name": bundle,
        "classpath": "airflow.dag_processing.bundles.local.LocalDagBundle",
        "kwargs": {"path": str(dags.resolve())},
    }
    os.environ.setdefault("AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST", json.dumps([folder]))
    # The example Dags come with a plugin that prints.
    os.environ.setdefault("AIRFLOW__CORE__LOAD_EXAMPLES", "False")
    # Without it Airflow would read, or make, a configuration in the home folder.
    os.environ.setdefault("AIRFLOW_HOME", str(HERE / ".airflow"))


def run_task(comm, logs):
    """Hands both links to the task runner, and runs it to its end."""
    # The runner finds its supervisor on file descriptor 0. Standard output and standard error stay
    # what they are: pipes to the supervisor.
    os.dup2(comm.fileno(), 0)
    comm.close()

    from airflow.sdk.log import configure_logging, reset_logging

    reset_logging()
    log_lines = os.fdopen(logs.detach(), "wb", buffering=0)
    # Nothing is masked on this side: that is for the supervisor to do, which knows more secrets.
    configure_logging(json_output=True, output=log_lines, sending_to_supervisor=True)

    from airflow.sdk.execution_time.supervisor import block_orm_access

    block_orm_access()

    # To be imported, not run with `python -m`: other modules find their supervisor in this one.
    from airflow.sdk.execution_time import task_runner

    task_runner.main()


def leave(code):
    """Ends as a worker of Airflow does: a thread that the task left running is not waited for."""
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run_and_leave(arguments, comm, logs):
    configure(arguments.dags, arguments.bundle)
    try:
        run_task(comm, logs)
    except SystemExit as end:
        leave(end.code if isinstance(end.code, int) else int(end.code is not None))
    leave(0)


def main():
    arguments = parse_arguments()
    # First of all: to import Airflow takes seconds, and a supervisor waits for its links only so long.
    comm, logs = dial(arguments.comm), dial(arguments.logs)
    run_and_leave(arguments, comm, logs)


if __name__ == "__main__":
    main()
