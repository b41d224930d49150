"""Keeps what passes between the supervisor and its child, byte for byte."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any

import msgspec
from airflow.sdk.coordinators import _subprocess

TO_SUPERVISOR, TO_CHILD = "child->supervisor", "supervisor->child"


class Recorder:
    """Raw bytes of every accepted child socket, in order of arrival."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._rows: list[dict[str, Any]] = []

    def add(self, channel: str, direction: str, data: bytes) -> None:
        at = round(time.monotonic() - self._started, 6)
        self._rows.append({"t": at, "chan": channel, "dir": direction, "hex": bytes(data).hex()})

    def clear(self) -> None:
        """Before the next task: what the last one said is forgotten."""
        self._started = time.monotonic()
        self._rows.clear()

    def frames(self) -> list[dict[str, Any]]:
        """The comm link since :meth:`clear`, a whole frame an entry."""
        frames = (entry for entry in self._frames() if entry["chan"] == "comm" and "hex" in entry)
        return [{"atMs": round(entry["t"] * 1000, 1), "direction": entry["dir"], "hex": entry["hex"]} for entry in frames]

    def write(self, path: Path) -> None:
        """JSON lines: comm frames put together again (hex is authoritative), log bytes as text."""
        path.write_text("".join(json.dumps(entry, default=str) + "\n" for entry in self._frames()))

    def _frames(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        pending = {TO_SUPERVISOR: bytearray(), TO_CHILD: bytearray()}
        for row in self._rows:
            if row["chan"] != "comm":
                out.append({**row, "text": bytes.fromhex(row["hex"]).decode("utf-8", "replace")})
                continue
            buffer = pending[row["dir"]]
            buffer += bytes.fromhex(row["hex"])
            while len(buffer) >= 4 and len(buffer) >= (size := 4 + int.from_bytes(buffer[:4], "big")):
                raw = bytes(buffer[:size])
                del buffer[:size]
                head = {"t": row["t"], "chan": "comm", "dir": row["dir"], "len": size - 4}
                out.append({**head, "hex": raw.hex(), "decoded": decoded(raw[4:])})
        for direction, buffer in pending.items():
            if buffer:
                out.append({"chan": "comm", "dir": direction, "incomplete": bytes(buffer).hex()})
        return out


def decoded(payload: bytes) -> Any:
    try:
        return msgspec.to_builtins(msgspec.msgpack.decode(payload), enc_hook=repr)
    except Exception as problem:
        return {"undecodable": str(problem)}


def install(recorder: Recorder, *extra_modules: Any) -> None:
    """From now on every listener that the coordinator opens (comm first, then logs) is recorded."""

    class RecordedSocket(socket.socket):
        channel = "?"

        def recv(self, *args):
            data = super().recv(*args)
            recorder.add(self.channel, TO_SUPERVISOR, data)
            return data

        def recv_into(self, buffer, *args):
            count = super().recv_into(buffer, *args)
            recorder.add(self.channel, TO_SUPERVISOR, bytes(memoryview(buffer)[:count]))
            return count

        def sendall(self, data, *args):
            recorder.add(self.channel, TO_CHILD, data)
            return super().sendall(data, *args)

    class RecordedListener(socket.socket):
        channel = "?"

        def accept(self):
            descriptor, address = self._accept()
            peer = RecordedSocket(self.family, self.type, self.proto, fileno=descriptor)
            peer.setblocking(True)
            peer.channel = self.channel
            return peer, address

    opened = 0

    def start_server():
        nonlocal opened
        listener = RecordedListener()
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        listener.channel = "logs" if opened % 2 else "comm"
        opened += 1
        return listener

    for module in (_subprocess, *extra_modules):
        module._start_server = start_server
