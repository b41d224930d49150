"""The processes of the deployment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

STOP_GRACE_S = 10.0


class ServiceEnded(Exception):
    """A service ended by itself; the message has the end of its output."""


class Services:
    """Each service is the head of a session of its own, so a signal reaches it whole and nobody else."""

    def __init__(self, home: Path, env: dict[str, str]):
        self._home, self._env = home, env
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def run(self, *command: str) -> None:
        """An Airflow command that ends; raises with the end of its output if it fails."""
        done = subprocess.run(airflow(command), env=self._env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ServiceEnded(f"airflow {' '.join(command)} ended with {done.returncode}: {done.stderr[-1500:]}")

    def start(self, name: str, *command: str) -> None:
        with open(self.output_file(name), "wb") as output:
            self._running[name] = subprocess.Popen(
                airflow((name, *command)), env=self._env, stdout=output, stderr=output, start_new_session=True
            )

    def check(self) -> None:
        """Raises ServiceEnded if one of them is gone."""
        for name, process in self._running.items():
            if process.poll() is not None:
                raise ServiceEnded(f"{name} ended with {process.returncode}: {self.output(name)[-1500:]}")

    def output(self, name: str) -> str:
        file = self.output_file(name)
        return file.read_text(errors="replace") if file.exists() else ""

    def outputs(self) -> dict[str, str]:
        return {name: self.output(name)[-1500:] for name in self._running}

    def output_file(self, name: str) -> Path:
        return self._home / f"{name}.out"

    def stop(self) -> None:
        for process in self._running.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self._running.values():
            try:
                process.wait(STOP_GRACE_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def airflow(command: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "airflow", *command]
