"""Keeps an Airflow imported, and forks a process for each task that warm_launcher.py brings.

    python warm_runner.py --launcher launcher.py --socket PATH

A fresh Python imports Airflow for 1.5 s before every task; a fork has it at once, as in Airflow's
own workers. What runs in the fork is the launcher of examples/runtimes/airflow-python. PATH is there
when the first task may come.
"""

import argparse
import importlib.util
import json
import os
import selectors
import signal
import socket
import sys
import traceback

# What the Dags of the tests use; to import it later costs every task the same again.
WARM = (
    "airflow.sdk.log",
    "airflow.sdk.execution_time.supervisor",
    "airflow.sdk.execution_time.task_runner",
    "airflow.dag_processing.bundles.local",
    "airflow.dag_processing.bundles.manager",
    "airflow.dag_processing.dagbag",
    "airflow.providers.standard.decorators.python",
    "airflow.providers.standard.operators.bash",
    "airflow.providers.standard.operators.hitl",
    "airflow.providers.standard.operators.python",
    "airflow.providers.standard.operators.trigger_dagrun",
    "airflow.providers.standard.sensors.python",
    "airflow.providers.standard.sensors.time_delta",
)
MAX_REQUEST = 1 << 20


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Tasks:
    """Single-threaded, since it forks."""

    def __init__(self, launcher, listener):
        self.launcher = launcher
        self.listener = listener
        self.events = selectors.DefaultSelector()
        self.events.register(listener, selectors.EVENT_READ, self.accept)

    def serve(self):
        while True:
            for key, _ in self.events.select():
                key.data()

    def accept(self):
        client, _ = self.listener.accept()
        size, files, _, _ = socket.recv_fds(client, 4, 4)
        if len(size) < 4:
            return client.close()
        request = b""
        while len(request) < min(int.from_bytes(size, "big"), MAX_REQUEST):
            piece = client.recv(65536)
            if not piece:  # it was killed
                for file in files:
                    os.close(file)
                return client.close()
            request += piece
        pid = os.fork()
        if pid == 0:
            self.become_task(json.loads(request), files)
        for file in files:
            os.close(file)
        self.watch(client, pid)

    def watch(self, client, pid):
        ended = os.pidfd_open(pid)

        def on_end():
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            self.events.unregister(ended)
            os.close(ended)
            if client.fileno() in self.events.get_map():
                self.events.unregister(client)
            try:
                client.sendall(status.to_bytes(4, "big", signed=True))
            except OSError:
                pass  # it was killed
            client.close()

        def on_signal():
            if client.fileno() < 0:
                return  # it ended in the same round of events
            numbers = client.recv(16)
            for number in numbers or [signal.SIGKILL]:
                os.kill(pid, number)
            if not numbers:
                self.events.unregister(client)

        self.events.register(ended, selectors.EVENT_READ, on_end)
        self.events.register(client, selectors.EVENT_READ, on_signal)

    def become_task(self, request, files):
        try:
            for key in list(self.events.get_map().values()):
                os.close(key.fd)
            self.events.close()
            comm, logs, out, err = files
            for file, standard in ((out, 1), (err, 2)):
                os.dup2(file, standard)
                os.close(file)
            os.environ.clear()
            os.environ.update(request["environ"])
            arguments = self.launcher.parse_arguments(request["argv"])
            self.launcher.run_and_leave(
                arguments, socket.socket(fileno=comm), socket.socket(fileno=logs)
            )
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(70)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--socket", required=True)
    arguments = parser.parse_args()
    launcher = load("launcher", arguments.launcher)
    for name in WARM:
        importlib.import_module(name)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"{arguments.socket}.new")
    listener.listen(64)
    os.rename(f"{arguments.socket}.new", arguments.socket)
    Tasks(launcher, listener).serve()


if __name__ == "__main__":
    main()
