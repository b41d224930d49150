"""The two connections of a task: frames on comm, lines on logs."""

import json
import math
import os
import re
import socket
import struct
import sys
import threading
from datetime import datetime, timezone

import msgpack

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}


def connect(name):
    """Opens the socket that `--comm=host:port` or `--logs host:port` names; the host may be in brackets."""
    match = re.search(rf"--{name}[= ]\[?(\S+?)\]?:(\d+)( |$)", " ".join(sys.argv[1:]))
    if match:
        return socket.create_connection((match[1], int(match[2])))
    sys.exit(f"there is no --{name}=HOST:PORT: a coordinator starts this program")


# Names of fields that Airflow's supervisor breaks on.
BROKEN_BY = {"msg": "msg_", "target": "target_", "self": "self_"}


def plain(value, depth=0):
    """JSON of what has no place in it."""
    if depth > 20:
        return "…"
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, BaseException):
        return {"text": str(value), "cause": plain(value.__cause__, depth + 1)}
    finite = not isinstance(value, float) or math.isfinite(value)
    return value if finite and isinstance(value, (str, int, float, type(None))) else repr(value)


class Logs:
    """Records, from the first moment on: until there is a connection they wait here, in order."""

    def __init__(self):
        self._early = []
        self._socket = None
        self._lock = threading.Lock()
        self._level = LEVELS.get(os.environ.get("AIRFLOW__LOGGING__LOGGING_LEVEL", "INFO").lower(), 20)
        rules = re.split(r"[\s,]+", os.environ.get("AIRFLOW__LOGGING__NAMESPACE_LEVELS", ""))
        pairs = (rule.split("=", 1) for rule in rules if "=" in rule)
        self._namespaces = {name: LEVELS.get(level.lower(), self._level) for name, level in pairs}

    def _threshold(self, logger):
        """The level of the nearest name above a logger, else that of the deployment."""
        while logger:
            if logger in self._namespaces:
                return self._namespaces[logger]
            logger = logger.rpartition(".")[0]
        return self._level

    def write(self, level, event, logger="conformance", fields=None, **more):
        """Never fails a task: a log may be lost. Fields of any name go into `fields`."""
        if LEVELS[level] < self._threshold(logger):
            return
        now = datetime.now(timezone.utc).isoformat()
        named = {BROKEN_BY.get(name, name): plain(value) for name, value in {**(fields or {}), **more}.items()}
        record = {**named, "timestamp": now, "level": level, "logger": logger, "event": event}
        line = json.dumps(record).encode() + b"\n"
        with self._lock:
            if self._socket is None:
                self._early.append(line)
                return
            try:
                self._socket.sendall(line)
            except OSError:
                pass

    def connect(self):
        opened = connect("logs")
        with self._lock:
            opened.sendall(b"".join(self._early))
            self._socket = opened


class TaskError(Exception):
    """A request that was answered with an error, in whichever of the two places."""


class Comm:
    """Frames: four bytes of length, big-endian, then [id, body] out and [id, body, error] in."""

    def __init__(self):
        self._socket = connect("comm")
        self._next_id = 0
        self._last_id = None
        self._answers = {}
        self.carrier = None  # the trace that the task is part of
        self._arrived = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _read(self, count):
        parts = []
        while count:
            part = self._socket.recv(min(count, 1 << 20))
            if not part:
                raise EOFError("the supervisor closed the link")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _listen(self):
        """Takes frames as they come. Without a supervisor nothing can be reported: the process ends, not with 0."""
        try:
            while True:
                (length,) = struct.unpack(">I", self._read(4))
                frame = msgpack.unpackb(self._read(length), timestamp=3)
                request, body, error, *_ = [*frame, None, None]  # what is missing is null, what is more is ignored
                with self._arrived:
                    self._answers[request] = (body, error)
                    self._arrived.notify_all()
                if request == self._last_id:
                    return  # the end of the link behind it is no loss
        except Exception as lost:
            print(f"nothing more can be reported: {lost}", file=sys.stderr, flush=True)
            os._exit(1)

    def answer(self, request):
        """The body of the answer to a request, in whatever order answers come; 0 is the first frame."""
        with self._arrived:
            self._arrived.wait_for(lambda: request in self._answers)
            body, error = self._answers.pop(request)
        failed = error or (body if body and body.get("type") == "ErrorResponse" else None)
        if failed:
            raise TaskError(f"{failed['error']}: {failed.get('detail')}")
        return body

    def send(self, body):
        self._next_id += 1
        payload = msgpack.packb([self._next_id, body, self.carrier][: 3 if self.carrier else 2])
        self._socket.sendall(struct.pack(">I", len(payload)) + payload)
        return self._next_id

    def ask(self, type, **fields):
        return self.answer(self.send({"type": type, **fields}))

    def finish(self, type, **fields):
        """The last request of all."""
        self._last_id = self._next_id + 1
        return self.ask(type, **fields)
