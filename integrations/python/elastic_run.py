# SPDX-License-Identifier: Apache-2.0
"""Workers in Python for elastic-run: the file channel to the agent, in one file without dependencies.

A worker waits for its rank, does its work, and after each PAUSE event for its rank in the next round::

    import elastic_run

    worker = elastic_run.Worker(port=listener.getsockname()[1])
    while True:
        info = worker.get_worker_info()
        try:
            train(info, worker.peers(info.round), step_of=worker.progress)
            break
        except ConnectionError as lost:
            worker.peer_lost(info.round, rank_of(lost))

How ranks send each other data is the program's choice; addresses are those of :meth:`Worker.peers`. The protocol is
docs/file-channel.md of the project. Python 3.9 or later on Linux. A :class:`Worker` may be used by several threads.
"""

import dataclasses
import datetime
import json
import mmap
import os
import re
import sys
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Type

__all__ = ["ChannelError", "Event", "Peer", "StaleRound", "Worker", "WorkerInfo", "get_worker_info", "main"]

VERSION = 1
_NO_DEADLINE = 2**63 - 1
_POLL_SECONDS = 0.02
_AGENT_GONE = 143
_MESSAGES_A_SECOND = 10
_MAX_RESULT = 65536
_EVENT_NAME = re.compile(r"[1-9][0-9]*\.json")


class ChannelError(Exception):
    """The environment or a file of the channel is not what the agent provides."""


class StaleRound(ConnectionError):
    """The round that the program works in has ended: wait for the next one by :meth:`Worker.get_worker_info`."""


@dataclasses.dataclass(frozen=True)
class WorkerInfo:
    """The place of this worker in a round. ``world`` stays the same where failed workers were replaced in place."""

    round: int
    world: int
    rank: int
    world_size: int
    local_rank: int
    local_world_size: int
    group_rank: int
    group_world_size: int
    role_rank: int
    role_world_size: int
    role_name: str
    master_addr: str
    master_port: int
    highest_version: int
    runtime: Mapping[str, str]


@dataclasses.dataclass(frozen=True)
class Event:
    """A PAUSE event (``info`` is None) or a WORK event."""

    seq: int
    round: int
    world: int
    cause: str
    change: Optional[str]
    replaces: bool
    highest_version: int
    info: Optional[WorkerInfo]

    @property
    def is_work(self) -> bool:
        return self.info is not None


class Peer(NamedTuple):
    rank: int
    node_id: str
    host: str
    port: int


class Worker:
    """This process as a worker of a run.

    :param port: a TCP port at which this process accepts connections, also where peers do not use it; under ``soft``
        policies the worker reports READY with it. None: the program makes no connections, and an own port is opened,
        whose connections are closed at once.
    :raises ChannelError: when the process was not started by elastic-run
    """

    def __init__(self, port: Optional[int] = None) -> None:
        directory = os.environ.get("ELASTIC_CHANNEL_DIR", "")
        if not directory:
            raise ChannelError("ELASTIC_CHANNEL_DIR: not set (expected: the directory that elastic-run gives its workers)")
        self._directory = Path(directory)
        self._head = _Head(self._directory / "head")
        self._lock = threading.RLock()
        self._read = 0
        self._written = 0
        self._newest: Optional[Event] = None
        self._acknowledged = 0
        self._version = 0
        self._resumed = 0
        # Newest event whose round is over for this worker before the agent ended it, and of those, the newest reported one.
        self._over = 0
        self._reported = 0
        self._progressed = 0.0
        self._restart_count = int(os.environ.get("ELASTIC_RESTART_COUNT", "0"))
        self._parent = os.getppid()
        self._heartbeat = _Heartbeat(self._directory / "heartbeat")
        self._metrics: Optional[_Metrics] = None
        _failures.report_to(self)
        threading.Thread(target=self._watch_agent, name="elastic-run-agent", daemon=True).start()
        if port is None:
            port = self._accept_and_close()
        self._send("READY", port=port)

    @property
    def restart_count(self) -> int:
        """How often this worker's group was restarted before."""
        return self._restart_count

    def get_worker_info(self, checkpoint_version: int = 0, timeout: Optional[float] = None) -> WorkerInfo:
        """Waits for a round that this worker is in, and returns its place there.

        PAUSE events that come before are acknowledged: all connections of the round before must be closed when this is
        called, and nothing newer than ``checkpoint_version`` may be committed after it.

        :param timeout: seconds; None: as long as it takes
        :raises TimeoutError: when there is no such round in time
        """
        self._version = max(self._version, checkpoint_version)
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            with self._lock:
                event = self._next()
                if event is not None and event.info is None:
                    self._acknowledge(event)
                newest = self._newest
                if event is None and newest is not None and newest.info is not None and self._may_work(newest):
                    if newest.seq > self._over:
                        return newest.info
                    self._leave(newest.info)
            if event is None:
                if until is not None and time.monotonic() >= until:
                    raise TimeoutError(f"no round after {timeout} s")
                time.sleep(_POLL_SECONDS)

    def check(self) -> None:
        """Returns at once as long as the round goes on: call it before each operation with peers.

        :raises StaleRound: when a newer event is there, or the agent's lease is in doubt
        """
        with self._lock:
            newest = self._newest
            if newest is None or newest.seq <= self._over or not self._may_work(newest):
                if newest is not None and self._head.seq() <= newest.seq:
                    self._over = newest.seq
                raise StaleRound("the round has ended")

    def is_current(self, round_number: int) -> bool:
        """Whether this round goes on for this worker."""
        with self._lock:
            newest = self._newest
            return (
                newest is not None
                and newest.round == round_number
                and newest.seq > self._over
                and self._may_work(newest)
            )

    def resumed(self, round_number: int, checkpoint_version: int = 0) -> None:
        """The first operation of the round is done, and work continues from that checkpoint."""
        self._version = max(self._version, checkpoint_version)
        if round_number > self._resumed:
            self._resumed = round_number
            self._send(
                "RESUMED",
                round=round_number,
                checkpoint_version=checkpoint_version,
                monotonic_nanos=time.monotonic_ns(),
            )

    def progress(self, step: int, total: int = 0, checkpoint_version: Optional[int] = None) -> None:
        """Reports a step of the program; cheap. ``total`` 0: not known.

        It is the sign by which the agent finds a worker that hangs. Messages go out ten times a second at most, and at the
        last step.
        """
        if step < 0 or total < 0:
            raise ValueError(f"progress: step {step} of {total} (expected: not negative)")
        version = self._version if checkpoint_version is None else checkpoint_version
        self._heartbeat.beat(step, total, version)
        now = time.monotonic()
        if now - self._progressed >= 1 / _MESSAGES_A_SECOND or step == total:
            self._progressed = now
            self._send("PROGRESS", step=step, total=total, checkpoint_version=version)

    def metric(self, name: str, value: float) -> None:
        """Publishes the newest value of a metric, as a loss: on the page, in ``status``, for Prometheus and in events.

        :raises ValueError: unless the name has at most 55 bytes, no control characters, and is one of at most 63
        """
        with self._lock:
            if self._metrics is None:
                self._metrics = _Metrics(self._directory / "metrics")
            self._metrics.put(name, value)

    def result(self, content: bytes) -> None:
        """Hands a small result over to the launcher: it counts when this worker ends with 0, and the last one does.

        :raises ValueError: if it has more than 65536 bytes
        """
        if len(content) > _MAX_RESULT:
            raise ValueError(f"result: {len(content)} bytes (expected: at most {_MAX_RESULT})")
        with self._lock:
            temporary = self._directory / "result.tmp"
            temporary.write_bytes(content)
            temporary.rename(self._directory / "result")

    def committed(self, checkpoint_version: int) -> None:
        """All ranks have completed this checkpoint; by rank 0."""
        self._version = max(self._version, checkpoint_version)
        self._send("COMMITTED", checkpoint_version=checkpoint_version)

    def peer_lost(self, round_number: int, rank: int) -> None:
        """The connection to this rank broke, or it does not answer.

        For this worker the round is over: the next call of :meth:`get_worker_info` waits for another one.
        """
        with self._lock:
            newest = self._newest
            if newest is not None and newest.round == round_number:
                self._over = self._reported = newest.seq
            self._send("PEER_LOST", round=round_number, rank=rank)

    def exclude_node(self, reason: str) -> None:
        """Asks for a run without this node."""
        self._send("EXCLUDE_NODE", reason=reason)

    def stop_run(self, message: str) -> None:
        """Ends the run as failed."""
        self._send("STOP_RUN", message=message)

    def peers(self, round_number: int) -> List[Peer]:
        """Where the workers of a round listen, by rank."""
        path = self._directory.parent.parent / "peers" / str(round_number)
        lines = path.read_text("utf-8").splitlines()
        first = lines[0].split(" ") if lines else []
        if len(first) != 4 or first[:2] != ["peers", "1"] or len(lines) != int(first[3]) + 1:
            raise ChannelError(f"{path}: {lines[:1]} (expected: peers 1 ROUND RANKS, and a line for each rank)")
        return [Peer(int(rank), node, host, int(port)) for rank, node, host, port in (line.split(" ") for line in lines[1:])]

    def run_key(self) -> bytes:
        """The secret of the run, by which workers prove to each other that they belong to it."""
        return (self._directory.parent.parent / "key").read_bytes()

    # Holding the lock.
    def _may_work(self, event: Event) -> bool:
        return event.is_work and self._head.seq() <= event.seq and self._head.is_in_time()

    # Holding the lock. The lease is renewed, but the connections of the round are closed: only a new round helps.
    def _leave(self, info: WorkerInfo) -> None:
        if self._reported < self._over:
            self._reported = self._over
            self._send("PEER_LOST", round=info.round, rank=info.rank)

    # Holding the lock. The next event, of those that are not read yet.
    def _next(self) -> Optional[Event]:
        path = self._directory / "events" / f"{self._read + 1}.json"
        if not path.exists():
            if self._head.seq() <= self._read:
                return None
            # The agent deletes old ones.
            left = [int(name[:-5]) for name in os.listdir(path.parent) if _EVENT_NAME.fullmatch(name)]
            left = [seq for seq in left if seq > self._read]
            if not left:
                return None
            path = path.with_name(f"{min(left)}.json")
        self._read = int(path.stem)
        try:
            self._newest = _event(json.loads(path.read_bytes()))
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"elastic-run: event {path} is skipped: {error!r}", file=sys.stderr)
            return self._next()
        return self._newest

    # Holding the lock.
    def _acknowledge(self, event: Event) -> None:
        if event.seq > self._acknowledged:
            self._acknowledged = event.seq
            self._send(
                "ACK", seq=event.seq, checkpoint_version=self._version, monotonic_nanos=time.monotonic_ns()
            )

    def _send(self, kind: str, **members: Any) -> None:
        with self._lock:
            number = self._written + 1
            directory = self._directory / "up"
            temporary = directory / f"{number}.tmp"
            content = json.dumps({"version": VERSION, "type": kind, **members}).encode("utf-8")
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                os.write(descriptor, content)
            finally:
                os.close(descriptor)
            os.rename(temporary, directory / f"{number}.json")
            self._written = number

    def _accept_and_close(self) -> int:
        import socket

        listener = socket.create_server((os.environ.get("ELASTIC_BIND_ADDR", ""), 0))

        def accept() -> None:
            while True:
                listener.accept()[0].close()

        threading.Thread(target=accept, name="elastic-run-port", daemon=True).start()
        return int(listener.getsockname()[1])

    def _watch_agent(self) -> None:
        while os.getppid() == self._parent:
            self._heartbeat.check()
            time.sleep(0.25)
        os._exit(_AGENT_GONE)

    def _round(self) -> int:
        newest = self._newest
        return 0 if newest is None else newest.round


class _Failures:
    """Reports an exception that ends the program: in the error file, and to the agent once there is a :class:`Worker`."""

    def __init__(self) -> None:
        self._worker: Optional[Worker] = None
        self._is_installed = False

    def report_to(self, worker: Optional[Worker]) -> None:
        self._worker = worker or self._worker
        if not self._is_installed:
            self._is_installed = True
            before = sys.excepthook

            def report(kind: Type[BaseException], error: BaseException, trace: Optional[TracebackType]) -> None:
                if not issubclass(kind, KeyboardInterrupt):
                    self._report(error)
                before(kind, error, trace)

            sys.excepthook = report

    def _report(self, error: BaseException) -> None:
        message = "".join(traceback.format_exception_only(type(error), error)).strip()
        stack = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        file = os.environ.get("ELASTIC_ERROR_FILE", "")
        try:
            if self._worker is not None:
                self._worker._send("FAILURE", message=message, stack=stack)
            if file:
                report = {
                    "version": VERSION,
                    "message": message,
                    "stack": stack,
                    "thread": threading.current_thread().name,
                    "timestamp": datetime.datetime.now(datetime.timezone.utc).isoformat().replace("+00:00", "Z"),
                    "round": 0 if self._worker is None else self._worker._round(),
                }
                Path(file + ".tmp").write_text(json.dumps(report), "utf-8")
                os.rename(file + ".tmp", file)
        except OSError as failed:
            print(f"elastic-run: the failure could not be reported: {failed}", file=sys.stderr)


_failures = _Failures()


def main(program: Callable[[], None]) -> None:
    """Runs a program so that every exception is reported, from its first line on.

    The process then ends with exit code 1, also when other threads of it still run. Without it exceptions are reported from
    the first :class:`Worker` on. Works outside of elastic-run, too.
    """
    _failures.report_to(None)
    try:
        program()
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)


def get_worker_info() -> WorkerInfo:
    """The place of this process in its first round, for programs that do not outlive rounds."""
    return Worker().get_worker_info()


class _Head:
    """64 bytes of shared memory that the agent writes."""

    _MAGIC = b"ELRHEAD1"

    def __init__(self, path: Path) -> None:
        with open(path, "rb") as file:
            self._memory = mmap.mmap(file.fileno(), 64, access=mmap.ACCESS_READ)
        if self._memory[:8] != self._MAGIC:
            raise ChannelError(f"{path}: {self._memory[:8]!r} (expected: {self._MAGIC!r})")
        # A whole field in each access.
        self._fields = memoryview(self._memory).cast("q")

    def seq(self) -> int:
        return self._fields[2]

    def is_in_time(self) -> bool:
        deadline = self._fields[4]
        return deadline == _NO_DEADLINE or time.monotonic_ns() < deadline


class _Shared:
    """4096 bytes of shared memory that the agent reads; they have their name once they are complete."""

    _BYTES = 4096

    def __init__(self, path: Path, magic: bytes) -> None:
        self._path = path
        self._temporary = path.with_name(path.name + ".tmp")
        with open(self._temporary, "w+b") as file:
            os.fchmod(file.fileno(), 0o600)
            file.truncate(self._BYTES)
            self._memory = mmap.mmap(file.fileno(), self._BYTES)
        self._memory[:8] = magic

    def _publish(self) -> None:
        os.rename(self._temporary, self._path)


class _Metrics(_Shared):
    _MOST = 63
    _MAX_NAME = 55

    def __init__(self, path: Path) -> None:
        super().__init__(path, b"ELRMETR1")
        view = memoryview(self._memory)
        self._counts = view.cast("q")
        self._values = view.cast("d")
        self._places: Dict[str, int] = {}
        self._publish()

    def put(self, name: str, value: float) -> None:
        place = self._places.get(name)
        if place is None:
            place = self._add(name)
        self._values[place] = value

    def _add(self, name: str) -> int:
        encoded = name.encode("utf-8")
        number = len(self._places)
        if not name.strip() or any(ord(one) < 32 or 127 <= ord(one) < 160 for one in name) or len(encoded) > self._MAX_NAME:
            raise ValueError(
                f"metric: {name!r} (expected: a name of at most {self._MAX_NAME} bytes, without control characters)"
            )
        if number == self._MOST:
            raise ValueError(f"metric: {name!r} (expected: one of at most {self._MOST} names, all of which are used)")
        at = 64 * (number + 1)
        self._values[at // 8] = float("nan")
        self._memory[at + 8 : at + 8 + len(encoded)] = encoded
        self._counts[1] = number + 1
        self._places[name] = at // 8
        return at // 8


class _Heartbeat(_Shared):
    def __init__(self, path: Path) -> None:
        super().__init__(path, b"ELRBEAT1")
        name = threading.main_thread().name.encode("utf-8")[:64]
        self._memory[64 : 64 + len(name)] = name
        self._fields = memoryview(self._memory).cast("q")
        self._publish()

    def beat(self, step: int, total: int, version: int) -> None:
        self._fields[2] = step
        self._fields[4040 // 8] = total
        self._fields[4032 // 8] = version
        self._fields[1] += 1

    def check(self) -> None:
        self._fields[7] += 1


def _event(json_object: Dict[str, Any]) -> Event:
    if json_object["version"] != VERSION:
        raise ValueError(f"version: {json_object['version']} (expected: {VERSION})")
    info = json_object.get("worker_info")
    place = None
    if info is not None:
        names = [field.name for field in dataclasses.fields(WorkerInfo)]
        place = WorkerInfo(
            **{name: info[name] for name in names if name not in ("highest_version", "runtime")},
            highest_version=json_object["highest_version"],
            runtime=json_object["runtime"],
        )
    return Event(
        seq=json_object["seq"],
        round=json_object["round"],
        world=json_object["world"],
        cause=json_object["cause"],
        change=json_object.get("change_event"),
        replaces=json_object.get("pause") == "replace",
        highest_version=json_object["highest_version"],
        info=place,
    )
