"""Stands in the place of launcher.py, and lets warm_runner.py run the task.

    python warm_launcher.py SOCKET [--record FILE] [arguments of launcher.py] --comm=… --logs=…

It is the process that the coordinator started: it opens both links itself, hands them over with its
standard output and error, passes signals on, and ends as the task did. With --record, which has to
be the first argument then, everything that crosses the comm link is written to FILE: for each piece
one byte (0 to the task, 1 to the supervisor), its length in four, and the piece.
"""

import json
import os
import select
import selectors
import signal
import socket
import sys
import threading


def option(argv, name):
    """In both forms that argparse takes."""
    for at, word in enumerate(argv):
        if word == name:
            return argv[at + 1]
        if word.startswith(f"{name}="):
            return word[len(name) + 1 :]
    sys.exit(f"{name} is missing")


def dial(address):
    host, _, port = address.rpartition(":")
    link = socket.create_connection((host.strip("[]"), int(port)), timeout=10)
    link.settimeout(None)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def receive(runner, size):
    data = b""
    while len(data) < size:
        select.select([runner], [], [])
        piece = runner.recv(size - len(data))
        if not piece:
            sys.exit("warm_runner.py has ended")
        data += piece
    return data


def relay(comm, inner, file):
    """Until the task's end of the link is closed: what it said last has been passed on then."""
    events = selectors.DefaultSelector()
    events.register(comm, selectors.EVENT_READ, (0, inner))
    events.register(inner, selectors.EVENT_READ, (1, comm))
    with open(file, "wb", buffering=0) as record:
        while True:
            for key, _ in events.select():
                direction, other = key.data
                try:
                    piece = key.fileobj.recv(65536)
                    if piece:
                        record.write(bytes([direction]) + len(piece).to_bytes(4, "big") + piece)
                        other.sendall(piece)
                        continue
                    other.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                events.unregister(key.fileobj)
                if direction == 1:
                    return comm.close()


def main():
    # Until there is somebody to pass it on to.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    path, *argv = sys.argv[1:]
    record = None
    if argv[0] == "--record":
        record, argv = argv[1], argv[2:]
    comm, logs = dial(option(argv, "--comm")), dial(option(argv, "--logs"))
    link, relaying = comm, None
    if record is not None:
        inner, link = socket.socketpair()
        relaying = threading.Thread(target=relay, args=(comm, inner, record))
        relaying.start()
    runner = socket.socket(socket.AF_UNIX)
    runner.connect(path)
    request = json.dumps({"argv": argv, "environ": dict(os.environ)}).encode()
    files = [link.fileno(), logs.fileno(), 1, 2]
    socket.send_fds(runner, [len(request).to_bytes(4, "big")], files)
    runner.sendall(request)
    # From here on the interpreter writes the number of a signal to the runner, whatever it is about: a
    # handler in Python is not run while recv waits, if the signal came just before that.
    runner.setblocking(False)
    signal.set_wakeup_fd(runner.fileno())
    signal.signal(signal.SIGTERM, lambda number, _: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    # The links stay open until then: the coordinator looks whose they are.
    if relaying is not None:
        link.close()
    status = int.from_bytes(receive(runner, 4), "big", signed=True)
    if relaying is not None:
        relaying.join()
    signal.set_wakeup_fd(-1)
    if status < 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    main()
