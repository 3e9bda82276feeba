/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.cli.view.FailureReport;
import dev.elasticrun.cli.view.RootCause;
import dev.elasticrun.cli.view.RootCause.Kind;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a run's report has of thirty faults, from what runs with these faults handed to their agents. */
final class FaultTableTest {

    /** What the run knew of a failed worker in the end. */
    private record Reported(
            int rank, String node, long pid, int exitCode, String message, String stack, boolean collateral) {

        Failure failure(FailureKind kind) {
            return new Failure(
                    new Failure.Worker(node, "host-" + node, Math.max(0, rank), 1, rank, pid),
                    4,
                    exitCode,
                    new Failure.Evidence(
                            kind,
                            message,
                            stack,
                            List.of("last words of " + rank),
                            "/logs/" + node + "/stderr.log",
                            ""),
                    collateral,
                    0);
        }
    }

    /**
     * @param rank of the culprit; -1 = none
     * @param node of the culprit; empty = no worker is one
     */
    private record Fault(String name, int exitCode, Kind kind, int rank, String node, Reported... printed) {

        LaunchResult result() {
            return new LaunchResult(
                    exitCode,
                    "reason of " + name,
                    "a-1",
                    List.of(),
                    List.of(),
                    Stream.of(printed)
                            .map(one -> one.failure(one.collateral() ? FailureKind.EXCEPTION : culprit()))
                            .toList());
        }

        private FailureKind culprit() {
            return FailureKind.valueOf(kind.name());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Fault> faults() {
        return Stream.of(
                new Fault(
                        "uncaught exception",
                        1,
                        Kind.EXCEPTION,
                        1,
                        "b-2",
                        new Reported(1, "b-2", 101, 1, "java.io.IOException: disk full", "at A", false)),
                new Fault(
                        "exception, then peers that lost it",
                        4,
                        Kind.EXCEPTION,
                        2,
                        "c-3",
                        new Reported(2, "c-3", 103, 1, "IllegalStateException: nan", "at A", false),
                        new Reported(0, "a-1", 100, 1, "lost peer 2", "at B", true),
                        new Reported(1, "b-2", 101, 1, "lost peer 2", "at B", true)),
                new Fault(
                        "exit code 1 without a word",
                        1,
                        Kind.EXIT_CODE,
                        0,
                        "a-1",
                        new Reported(0, "a-1", 100, 1, "exit code 1", "", false)),
                new Fault(
                        "exit code 7 and last words",
                        4,
                        Kind.EXIT_CODE,
                        3,
                        "b-2",
                        new Reported(3, "b-2", 107, 7, "exit code 7", "", false)),
                new Fault(
                        "exit code 255",
                        1,
                        Kind.EXIT_CODE,
                        0,
                        "a-1",
                        new Reported(0, "a-1", 100, 255, "exit code 255", "", false)),
                new Fault(
                        "error file of a script",
                        1,
                        Kind.EXCEPTION,
                        0,
                        "a-1",
                        new Reported(0, "a-1", 100, 1, "ValueError: row 3", "Traceback", false)),
                new Fault(
                        "damaged error file",
                        1,
                        Kind.EXIT_CODE,
                        0,
                        "a-1",
                        new Reported(
                                0, "a-1", 100, 1, "exit code 1; error.json cannot be read: json: the end", "", false)),
                new Fault(
                        "SIGKILL",
                        4,
                        Kind.SIGNAL,
                        5,
                        "c-3",
                        new Reported(5, "c-3", 105, 137, "killed by SIGKILL (9)", "", false)),
                new Fault(
                        "SIGSEGV",
                        4,
                        Kind.SIGNAL,
                        5,
                        "c-3",
                        new Reported(5, "c-3", 105, 139, "killed by SIGSEGV (11)", "", false)),
                new Fault(
                        "SIGABRT",
                        4,
                        Kind.SIGNAL,
                        1,
                        "b-2",
                        new Reported(1, "b-2", 105, 134, "killed by SIGABRT (6)", "", false)),
                new Fault(
                        "SIGBUS, shared memory is full",
                        4,
                        Kind.SIGNAL,
                        1,
                        "b-2",
                        new Reported(1, "b-2", 105, 135, "killed by SIGBUS (7)", "", false)),
                new Fault(
                        "SIGTERM from somebody else",
                        4,
                        Kind.SIGNAL,
                        1,
                        "b-2",
                        new Reported(1, "b-2", 105, 143, "killed by SIGTERM (15)", "", false)),
                new Fault(
                        "SIGXCPU, the limit of the shell",
                        4,
                        Kind.SIGNAL,
                        1,
                        "b-2",
                        new Reported(1, "b-2", 105, 152, "killed by SIGXCPU (24)", "", false)),
                new Fault(
                        "out of memory, the kernel's",
                        4,
                        Kind.OUT_OF_MEMORY,
                        1,
                        "b-2",
                        new Reported(
                                1,
                                "b-2",
                                105,
                                137,
                                "killed by SIGKILL (9), out of memory: the kernel killed it",
                                "",
                                false)),
                new Fault(
                        "OutOfMemoryError",
                        4,
                        Kind.EXCEPTION,
                        1,
                        "b-2",
                        new Reported(1, "b-2", 105, 1, "java.lang.OutOfMemoryError: Java heap space", "at A", false)),
                new Fault(
                        "SIGSTOP",
                        4,
                        Kind.HANG,
                        1,
                        "b-2",
                        new Reported(
                                1,
                                "b-2",
                                105,
                                137,
                                "hang: no progress for 12.0 s; the process is stopped (SIGSTOP)",
                                "",
                                false)),
                new Fault(
                        "endless loop",
                        4,
                        Kind.HANG,
                        1,
                        "b-2",
                        new Reported(
                                1,
                                "b-2",
                                105,
                                137,
                                "hang: no progress for 12.0 s; in app.Loop.spin",
                                "at app.Loop.spin",
                                false),
                        new Reported(0, "a-1", 100, 1, "lost peer 1", "at B", true)),
                new Fault(
                        "deadlock",
                        4,
                        Kind.HANG,
                        4,
                        "c-3",
                        new Reported(
                                4,
                                "c-3",
                                105,
                                137,
                                "hang: no progress for 12.0 s; deadlock of main and other",
                                "at app.Lock",
                                false)),
                new Fault(
                        "fifty times slower",
                        4,
                        Kind.HANG,
                        4,
                        "c-3",
                        new Reported(
                                4,
                                "c-3",
                                105,
                                137,
                                "hang: no progress for 12.0 s, longest before 0.2 s",
                                "at app.Slow",
                                false)),
                new Fault(
                        "section over its time-out",
                        4,
                        Kind.HANG,
                        4,
                        "c-3",
                        new Reported(4, "c-3", 105, 137, "hang: section load for 12.0 s", "at app.Load", false)),
                new Fault(
                        "PAUSE not acknowledged",
                        4,
                        Kind.NO_ANSWER,
                        2,
                        "b-2",
                        new Reported(2, "b-2", 105, -1, "no acknowledgement of PAUSE within 10 s", "", false)),
                new Fault(
                        "a peer that never called",
                        1,
                        Kind.EXCEPTION,
                        0,
                        "a-1",
                        new Reported(
                                0,
                                "a-1",
                                100,
                                1,
                                "CollectiveTimeoutException: allReduce waited 30000 ms for ranks [1]",
                                "at A",
                                false)),
                new Fault(
                        "program is missing",
                        1,
                        Kind.NOT_STARTED,
                        -1,
                        "b-2",
                        new Reported(-1, "b-2", 0, -1, "/opt/app: no such file", "", false)),
                new Fault(
                        "stop asked for by a worker",
                        1,
                        Kind.STOPPED_THE_RUN,
                        3,
                        "b-2",
                        new Reported(3, "b-2", 107, -1, "data file x.csv: not found", "", false)),
                new Fault("node killed, below the minimum", 3, Kind.LOST_NODES, -1, ""),
                new Fault(
                        "node killed, peers fail of it",
                        3,
                        Kind.LOST_NODES,
                        -1,
                        "",
                        new Reported(0, "a-1", 100, 1, "lost peer 1", "at B", true)),
                new Fault(
                        "link cut, workers lose each other",
                        4,
                        Kind.LOST_PEERS,
                        -1,
                        "",
                        new Reported(0, "a-1", 100, 1, "lost peer 1", "at B", true),
                        new Reported(1, "a-1", 101, 1, "lost peer 2", "at B", true)),
                new Fault("store gone", 5, Kind.STORE, -1, ""),
                new Fault("agent asked to leave", 143, Kind.LEFT, -1, ""),
                new Fault("agent of another version", 2, Kind.USAGE, -1, ""));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void report_fault_hasTheRightKindRankAndNode(Fault fault) {
        RootCause cause = RootCause.of(fault.result());

        assertThat(cause.kind()).isEqualTo(fault.kind());
        assertThat(cause.worker().map(Failure::nodeId).orElse("")).isEqualTo(fault.node());
        assertThat(cause.worker().map(Failure::rank).orElse(-1)).isEqualTo(fault.rank());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void report_fault_reportsItFirstAndMarksWhatFollowed(Fault fault) {
        List<String> report =
                FailureReport.render(fault.result(), ZoneOffset.UTC).lines().toList();

        assertThat(report.get(0)).startsWith("elastic-run: ").contains("reason of " + fault.name());
        if (!fault.node().isEmpty()) {
            assertThat(report.get(1))
                    .startsWith("  root cause: " + (fault.rank() < 0 ? "local rank 0" : "rank " + fault.rank()) + " on "
                            + fault.node() + " (host host-" + fault.node())
                    .endsWith(": " + fault.kind().words());
            assertThat(report).contains("    log:     /logs/" + fault.node() + "/stderr.log");
            assertThat(report).contains("      | last words of " + fault.rank());
        }
        assertThat(report.stream().filter(line -> line.startsWith("  collateral: ")))
                .hasSize((int)
                        Stream.of(fault.printed()).filter(Reported::collateral).count());
    }
}
