"""What a task leaves running, found and ended."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

import psutil


# A process that is on its way out when the supervisor has finished is no leftover.
SETTLE_S = 0.3


def end_leftovers() -> list[dict[str, Any]]:
    """Kills every descendant that is still alive, and lists it."""
    deadline = time.monotonic() + SETTLE_S
    while (alive := living_descendants()) and time.monotonic() < deadline:
        time.sleep(0.01)
    found = []
    for child in alive:
        with contextlib.suppress(psutil.Error, ChildProcessError):
            found.append({"pid": child.pid, "name": child.name()})
            child.kill()
            os.waitpid(child.pid, 0)
    return found


def living_descendants() -> list[psutil.Process]:
    """Reaps those of our own children that have ended."""
    alive = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if ended(child.pid) is None and child.status() != psutil.STATUS_ZOMBIE:
                alive.append(child)
    return alive


def watch_orphans(wait_s: float) -> list[dict[str, Any]]:
    """Children of a supervisor that died are ours now: wait for each to end by itself, then kill it.

    ``exitCode`` is negative for a signal, None where it had to be killed or was no direct child.
    """
    started = time.monotonic()
    orphans = {child.pid: {"pid": child.pid, "name": name_of(child)} for child in psutil.Process().children(recursive=True)}
    waiting = set(orphans)
    while waiting and time.monotonic() - started < wait_s:
        for pid in sorted(waiting):
            code = ended(pid)
            if code is not None:
                after = round((time.monotonic() - started) * 1000)
                orphans[pid].update(endedAfterMs=after, exitCode=None if code == "unknown" else code)
                waiting.discard(pid)
        time.sleep(0.02)
    for pid in waiting:
        orphans[pid].update(endedAfterMs=None, exitCode=None)
    end_leftovers()
    return list(orphans.values())


def name_of(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return process.name()
    return "?"


def ended(pid: int) -> int | str | None:
    with contextlib.suppress(ChildProcessError):
        got, status = os.waitpid(pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if got == pid else None
    return None if psutil.pid_exists(pid) else "unknown"
