/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static dev.elasticrun.rendezvous.record.FailureKind.EXCEPTION;
import static dev.elasticrun.rendezvous.record.FailureKind.EXIT_CODE;
import static dev.elasticrun.rendezvous.record.FailureKind.HANG;
import static dev.elasticrun.rendezvous.record.FailureKind.OUT_OF_MEMORY;
import static dev.elasticrun.rendezvous.record.FailureKind.SIGNAL;
import static dev.elasticrun.rendezvous.record.FailureKind.STOPPED_THE_RUN;
import static dev.elasticrun.samples.e2e.FaultRow.ANY;
import static dev.elasticrun.samples.e2e.FaultRow.PERHAPS;
import static dev.elasticrun.samples.e2e.FaultRow.asleep;
import static dev.elasticrun.samples.e2e.FaultRow.java;
import static dev.elasticrun.samples.e2e.FaultRow.script;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.incident.Culprit;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import java.util.stream.Stream;

/** The table of faults. */
final class FaultRows {
    private static final String JOIN = "--join-timeout";
    private static final String FEW = "8s";
    private static final String VERBOSE = "--verbose";
    /** Both worker and file know a process that has ended, and that its agent has received it. */
    private static final String AFTER_IT =
            "while ! [ -s \"$0\" ]; do :; done; while [ -e /proc/$(cat \"$0\") ]; do :; done; ";

    /** Of either version, for root; {@link FaultTableE2E} removes it. The agent has looked at it when it is full. */
    private static final String LITTLE_MEMORY = "set -e; g=/sys/fs/cgroup/memory; l=memory.limit_in_bytes;"
            + " if ! [ -d $g ]; then g=/sys/fs/cgroup; l=memory.max; echo +memory > $g/cgroup.subtree_control; fi;"
            + " g=$g/" + FaultTableE2E.MEMORY_GROUP + "; mkdir $g; echo 33554432 > $g/$l; echo $$ > $g/cgroup.procs;"
            + " sleep 2; exec tail /dev/zero";

    /** Without a common clock the news of two nodes cannot be distinguished by less than the time that it takes. */
    private static final String LATER = "sleep 0.15; ";

    private static final String TORCH_ERROR =
            "{\"message\": {\"message\": \"ValueError: row 3\", \"extraInfo\": {\"py_callstack\": \"Traceback: line 9\","
                    + " \"timestamp\": \"1700000000\"}}}";

    private FaultRows() {}

    /** Those whose answer is the most work for a run, for every build. */
    static Stream<FaultRow> few() {
        return Stream.of(damagedErrorFile(), heldBack(), peersLoseIt());
    }

    static Stream<FaultRow> all() {
        return Stream.of(few(), ends(), signals(), order(), programs(), hangs(), limits(), agents())
                .flatMap(rows -> rows);
    }

    private static FaultRow damagedErrorFile() {
        return script(
                "damaged error file",
                EXIT_CODE,
                "printf '{\"message' > \"$ELASTIC_ERROR_FILE\"; exit 3",
                "exit code 3",
                "error.json cannot be read");
    }

    /** TERM may be a scheduler's, so its news waits a moment; what follows from it waits with it. */
    private static FaultRow heldBack() {
        return script(
                "TERM, then a failure on the same node",
                SIGNAL,
                "echo $$ > \"$0\"; kill $$; fi; if [ $RANK = 3 ]; then " + AFTER_IT + "exit 8",
                "SIGTERM (15)",
                "also failed: rank 3");
    }

    private static FaultRow peersLoseIt() {
        return java(
                "exception, peers lose it",
                EXCEPTION,
                "exception",
                "exit code 1",
                "IllegalStateException: not a number",
                "disk full");
    }

    private static Stream<FaultRow> ends() {
        return Stream.of(
                script("exit code 1 without a word", EXIT_CODE, "exit 1", "exit code 1"),
                script(
                        "exit code 7 and last words",
                        EXIT_CODE,
                        "echo what a pity >&2; exit 7",
                        "exit code 7",
                        "| what a"),
                script("exit code 255", EXIT_CODE, "exit 255", "exit code 255"),
                script(
                        "error file as torch writes it",
                        EXCEPTION,
                        "printf '%s' '" + TORCH_ERROR + "' > \"$ELASTIC_ERROR_FILE\"; exit 1",
                        "ValueError: row 3",
                        "Traceback: line 9"),
                script(
                        "error file is a pipe",
                        EXIT_CODE,
                        "mkfifo \"$ELASTIC_ERROR_FILE\"; exit 3",
                        "exit code 3",
                        "is no regular file"),
                script("not executable", EXIT_CODE, "touch \"$0\"; exec \"$0\"", "exit code 126", "ermission denied"),
                script("program is missing", EXIT_CODE, "exec /nowhere/program", "exit code 127", "/nowhere/program"),
                script("channel is gone", EXIT_CODE, "rm -r \"$ELASTIC_CHANNEL_DIR\"; exit 9", "exit code 9"),
                script("out of memory, the kernel's", OUT_OF_MEMORY, LITTLE_MEMORY, "SIGKILL (9)", "out of memory"),
                java("missing main class", EXIT_CODE, "", "exit code 1", "nowhere.Main")
                        .second("--main-class", "nowhere.Main"),
                java("bad option of the JVM", EXIT_CODE, "", "exit code 1", "NoSuchOption")
                        .second("--java-opts", "-XX:+NoSuchOption"));
    }

    private static Stream<FaultRow> signals() {
        Stream<FaultRow> own = Stream.of("ABRT (6)", "BUS (7)", "SEGV (11)")
                .map(signal -> script(
                        "SIG" + signal,
                        SIGNAL,
                        "kill -s " + signal.substring(0, signal.indexOf(' ')) + " $$",
                        "SIG" + signal));
        Stream<FaultRow> others = Stream.of("KILL (9)", "TERM (15)", "USR1 (10)")
                .map(signal -> asleep(
                        "SIG" + signal + " from outside",
                        1,
                        SIGNAL,
                        scene -> scene.signal(2, signal.substring(0, signal.indexOf(' '))),
                        "SIG" + signal));
        FaultRow limit = script("limit of the shell", SIGNAL, "ulimit -St 1; while :; do :; done", "SIGXCPU (24)");
        return Stream.of(own, others, Stream.of(limit)).flatMap(rows -> rows);
    }

    private static Stream<FaultRow> order() {
        return Stream.of(
                script(
                        "TERM, then a failure on the other node",
                        SIGNAL,
                        "echo $$ > \"$0\"; kill $$; fi; if [ $RANK = 0 ]; then " + AFTER_IT + LATER + "exit 8",
                        "SIGTERM (15)",
                        PERHAPS + "also failed: rank 0"),
                script(
                        "two nodes fail one after the other",
                        EXIT_CODE,
                        "echo $$ > \"$0\"; exit 7; fi; if [ $RANK = 0 ]; then " + AFTER_IT + LATER + "exit 8",
                        "exit code 7",
                        PERHAPS + "also failed: rank 0"),
                script(
                                "two nodes fail the other way round",
                                EXIT_CODE,
                                AFTER_IT + LATER + "exit 8; fi; if [ $RANK = 0 ]; then echo $$ > \"$0\"; exit 7",
                                "exit code 7",
                                PERHAPS + "also failed: rank 2")
                        .of(0));
    }

    private static Stream<FaultRow> programs() {
        return Stream.of(
                java("exception outside of everything", EXIT_CODE, "outside", "exit code 1", "before the first call"),
                java("no memory in the JVM", EXCEPTION, "memory", "OutOfMemoryError")
                        .with("--java-opts", "-Xmx48m"),
                java("stack overflow", EXCEPTION, "stack", "StackOverflowError"),
                java("library is missing", EXCEPTION, "library", "UnsatisfiedLinkError", "nowhere"),
                java("port is in use", EXCEPTION, "port", "BindException"),
                java("failure in a function given to a call", EXCEPTION, "reducer", "overflow in column 2"),
                java("calls that do not match", EXCEPTION, "mismatch", "CollectiveMismatch")
                        .of(ANY),
                java("worker stops the run", STOPPED_THE_RUN, "stop the run", "data file x.csv: not found"));
    }

    private static Stream<FaultRow> hangs() {
        return Stream.of(
                        java("endless loop", HANG, "loop", "hang: ", "HangProgram.spin("),
                        java("deadlock", HANG, "deadlock", "hang: ", "(deadlock)"),
                        java("SIGSTOP", HANG, "stopped", "hang: ", "is stopped (SIGSTOP)"),
                        java("fifty times slower", HANG, "slow", "hang: ", "FaultProgram"),
                        java("exit within an exit", HANG, "exit in a hook", "hang: "))
                .map(row -> row.with("--hang-timeout", "2s"));
    }

    private static Stream<FaultRow> limits() {
        return Stream.of(
                script("budget used", EXIT_CODE, "exit 7", "exit code 7", "restarts used: 1")
                        .with("--max-restarts", "1")
                        .exits(4)
                        .explained(last ->
                                assertThat(last.answer().restarts()).isEqualTo(new IncidentReport.Restarts(1, 1, ""))),
                script("no progress", EXIT_CODE, "exit 7", "exit code 7", "also failed: rank 2")
                        .with("--max-restarts", "9", "--no-progress-limit", "2")
                        .exits(6)
                        .explained(last -> assertThat(last.result().end()).startsWith("no progress: 2 ")),
                script("not to be retried", EXIT_CODE, "exit 64", "exit code 64", "--no-retry-exit-codes")
                        .with("--max-restarts", "9", "--no-retry-exit-codes", "64")
                        .explained(last ->
                                assertThat(last.culprits().get(0).evidence()).contains("--no-retry-exit-codes")));
    }

    private static Stream<FaultRow> agents() {
        return Stream.of(
                asleep("agent killed", 3, null, FaultRows::killOther, "1 of at least 2")
                        .with(JOIN, FEW, VERBOSE)
                        .explained(last -> assertLost(last, Culprit.Source.PROVED)),
                asleep("coordinator killed", 3, null, FaultRows::killCoordinator, "1 of at least 2")
                        .with(JOIN, FEW, VERBOSE)
                        .explained(last -> assertLost(last, Culprit.Source.PROVED)),
                asleep("agent frozen", 3, null, FaultRows::freeze, "1 of at least 2")
                        .with(JOIN, FEW)
                        .explained(last -> assertLost(last, Culprit.Source.LEASE)),
                asleep("asked to leave", 143, null, FaultRows::leave, "drained").explained(FaultRows::assertLeft),
                asleep("agent with another size refused", 143, null, FaultRows::refuse, "")
                        .explained(FaultRows::assertLeft));
    }

    private static void assertLost(IncidentReport last, Culprit.Source source) {
        assertThat(last.culprits()).anySatisfy(culprit -> {
            assertThat(culprit.what()).isEqualTo(Culprit.What.NODE_LOST);
            assertThat(((Culprit.OfNode) culprit).source()).isEqualTo(source);
        });
    }

    private static void assertLeft(IncidentReport last) {
        assertThat(last.culprits()).extracting(Culprit::what).contains(Culprit.What.NODE_LEFT);
    }

    private static void killOther(FaultScene scene) {
        scene.awaitLinks();
        scene.kill(scene.other(scene.coordinator()));
    }

    private static void killCoordinator(FaultScene scene) {
        scene.awaitLinks();
        scene.kill(scene.coordinator());
    }

    private static void freeze(FaultScene scene) {
        AgentProcess frozen = scene.other(scene.coordinator());
        frozen.signal("STOP");
        scene.coordinator().exitCode(TestRun.LIMIT);
        frozen.signal("CONT");
    }

    private static void leave(FaultScene scene) {
        scene.agent(0).signal("TERM");
        scene.agent(1).signal("TERM");
    }

    private static void refuse(FaultScene scene) {
        scene.start(2, List.of("--nnodes", "3"), List.of("true"));
        scene.agent(2).exitCode(TestRun.LIMIT);
        leave(scene);
    }
}
