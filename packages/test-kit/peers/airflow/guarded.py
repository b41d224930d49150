"""Run a piece of work in a child process so that nothing it starts outlives it.

The guard is a small process above the worker. On Linux it is a "subreaper": whatever the worker
leaves behind, even after a SIGKILL or in a session of its own, becomes the guard's child and is
ended. Elsewhere only the worker's process group is ended.

The worker gets a folder of its own, which the guard removes. The guard stops the worker (SIGTERM,
after GRACE_S SIGKILL) when it gets SIGINT, SIGTERM or SIGHUP itself or, with ``tied_to_stdin``, when
stdin ends: a parent that was killed closes its end of the pipe.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

GRACE_S = 25.0
PR_SET_CHILD_SUBREAPER = 36
POLL_S = 0.1


def adopt_orphans() -> None:
    """Linux: processes left behind below us become our children. Elsewhere nothing happens."""
    with contextlib.suppress(Exception):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run_guarded(work: Callable[[Path], int], *, name: str, tied_to_stdin: bool) -> int:
    """Do ``work`` in a child; returns its exit code, or 128 + the signal that ended it.

    ``work`` gets a new folder that only this user can read; ``name`` is part of the folder's name.
    """
    adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix=f"parlance-{name}-"))
    stop_requested = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _frame: stop_requested.append(received))
    worker = os.fork()
    if worker == 0:
        _be_the_worker(work, folder)
    try:
        status = _watch(worker, stop_requested, tied_to_stdin)
        _end_what_is_left(worker)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def _be_the_worker(work: Callable[[Path], int], folder: Path) -> None:
    code = 70
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if not sys.stdin.isatty():
            # The tie belongs to the guard; a task that reads stdin must not eat from it.
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        code = work(folder)
    except SystemExit as exit_request:
        if isinstance(exit_request.code, int):
            code = exit_request.code
        else:
            print(exit_request.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(code)


def _watch(worker: int, stop_requested: list[int], tied_to_stdin: bool) -> int:
    """Wait for the worker's end; give its wait status."""
    kill_at = None
    watching_stdin = tied_to_stdin
    while True:
        pid, status = os.waitpid(worker, os.WNOHANG)
        if pid == worker:
            return status
        if watching_stdin and select.select([0], [], [], POLL_S)[0]:
            if not os.read(0, 4096):
                watching_stdin = False
                stop_requested.append(signal.SIGTERM)
        elif not watching_stdin:
            time.sleep(POLL_S)
        if stop_requested and kill_at is None:
            kill_at = time.monotonic() + GRACE_S
            os.kill(worker, signal.SIGTERM)
        if kill_at is not None and time.monotonic() > kill_at:
            os.kill(worker, signal.SIGKILL)


def _end_what_is_left(worker: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(worker, signal.SIGKILL)
    with contextlib.suppress(ImportError):
        import psutil

        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            left = psutil.Process().children(recursive=True)
            if not left:
                break
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            _reap()
    _reap()


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
        time.sleep(0.02)
