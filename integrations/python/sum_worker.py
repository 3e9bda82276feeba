# SPDX-License-Identifier: Apache-2.0
"""A worker in Python that outlives rounds: each step sums shares of all ranks at rank 0; a newcomer gets the state of the
rank that is furthest. Prints the result, which does not depend on the world, nor on what was killed.

    elastic-run --standalone --nproc-per-node 3 --restart-policy soft-elastic python3 sum_worker.py STEPS MILLIS
"""

import json
import socket
import sys
import time
from typing import Any, Dict, List

import elastic_run

ITEMS = 120


class Star:
    """Connections of one round: all ranks to rank 0."""

    def __init__(self, worker: elastic_run.Worker, listener: socket.socket, info: elastic_run.WorkerInfo) -> None:
        self._worker = worker
        self._info = info
        self._streams: Dict[int, _Lines] = {}
        self._sockets: List[socket.socket] = []
        if info.rank > 0:
            first = worker.peers(info.round)[0]
            while not self._join(first.host, first.port):
                time.sleep(0.02)
        while info.rank == 0 and len(self._streams) < info.world_size - 1:
            listener.settimeout(0.05)
            try:
                connection, _ = listener.accept()
            except socket.timeout:
                worker.check()
                continue
            self._greet(connection)

    def _join(self, host: str, port: int) -> bool:
        """False when rank 0 is not in the round yet."""
        self._worker.check()
        try:
            connection = socket.create_connection((host, port), 1)
        except OSError as gone:
            # It listened before it was ready: its process has ended.
            self._worker.peer_lost(self._info.round, 0)
            raise elastic_run.StaleRound(f"rank 0: {gone}") from gone
        connection.settimeout(0.1)
        lines = _Lines(self._worker, connection)
        try:
            lines.write([self._info.round, self._info.rank])
            lines.read()
        except elastic_run.StaleRound:
            connection.close()
            raise
        except OSError:
            connection.close()
            return False
        self._add(0, connection, lines)
        return True

    def _greet(self, connection: socket.socket) -> None:
        connection.settimeout(0.1)
        lines = _Lines(self._worker, connection)
        try:
            round_number, rank = lines.read()
        except (elastic_run.StaleRound, ConnectionError):
            # Nodes look whether the port answers, and send nothing.
            connection.close()
            return
        if round_number != self._info.round:
            connection.close()
            return
        lines.write(round_number)
        self._add(rank, connection, lines)

    def _add(self, rank: int, connection: socket.socket, lines: "_Lines") -> None:
        self._sockets.append(connection)
        self._streams[rank] = lines

    def _write(self, rank: int, value: Any) -> None:
        self._streams[rank].write(value)

    def all_gather(self, value: Any) -> List[Any]:
        self._worker.check()
        try:
            if self._info.rank > 0:
                at = 0
                self._write(0, value)
                return self._streams[0].read()
            values = [value]
            for at in range(1, self._info.world_size):
                values.append(self._streams[at].read())
            for at in range(1, self._info.world_size):
                self._write(at, values)
            return values
        except elastic_run.StaleRound:
            raise
        except OSError as lost:
            self._worker.peer_lost(self._info.round, at)
            raise elastic_run.StaleRound(f"rank {at}: {lost}") from lost

    def close(self) -> None:
        for connection in self._sockets:
            connection.close()


class _Lines:
    """JSON values, one in a line, over a connection; ends with the round."""

    def __init__(self, worker: elastic_run.Worker, connection: socket.socket) -> None:
        self._worker = worker
        self._connection = connection
        self._rest = b""

    def write(self, value: Any) -> None:
        self._connection.sendall(json.dumps(value).encode() + b"\n")

    def read(self) -> Any:
        while b"\n" not in self._rest:
            self._worker.check()
            try:
                received = self._connection.recv(65536)
            except socket.timeout:
                continue
            if not received:
                raise ConnectionResetError("closed")
            self._rest += received
        line, self._rest = self._rest.split(b"\n", 1)
        return json.loads(line)


def main(steps: int, millis: int) -> None:
    listener = socket.create_server(("", 0))
    worker = elastic_run.Worker(port=listener.getsockname()[1])
    state = {"step": 0, "sum": 0}
    while state["step"] < steps:
        info = worker.get_worker_info(checkpoint_version=state["step"])
        star = None
        try:
            star = Star(worker, listener, info)
            state = max(star.all_gather(state), key=lambda one: one["step"])
            worker.resumed(info.round, state["step"])
            while state["step"] < steps:
                share = sum(range(info.rank, ITEMS, info.world_size))
                total = sum(star.all_gather(share))
                state = {"step": state["step"] + 1, "sum": state["sum"] + total}
                worker.progress(state["step"], steps, state["step"])
                worker.metric("sum", state["sum"])
                print(f"step {state['step']} world {info.world_size} round {info.round}", flush=True)
                time.sleep(millis / 1000)
        except elastic_run.StaleRound as ended:
            print(f"round {info.round} ended: {ended}", flush=True)
        finally:
            if star is not None:
                star.close()
    worker.result(str(state["sum"]).encode())
    print(f"result {state['sum']}", flush=True)


if __name__ == "__main__":
    elastic_run.main(lambda: main(int(sys.argv[1]), int(sys.argv[2])))
