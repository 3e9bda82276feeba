/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.NodeFiles;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.WorkerHandle;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent receives of a worker that a test lets start, report and end. */
@Tag("once")
final class WorkerWatchIT {
    private final List<AgentEvent> posted = new CopyOnWriteArrayList<>();
    private final FakeWorkerProcess process = new FakeWorkerProcess(Integer.MAX_VALUE);
    private final CompletableFuture<WorkerProcess> starting = new CompletableFuture<>();

    @TempDir
    private Path directory;

    private NodeFiles files;
    private ChannelLayout layout;
    private WorkerLogs logs;
    private WorkerWatch watch;
    private WorkerHandle worker;

    @BeforeEach
    void follow() throws IOException {
        AgentContext context = AgentContext.of(
                LaunchConfig.builder("true")
                        .standalone(true)
                        .logDir(directory)
                        .console(false)
                        .build(),
                System.nanoTime());
        files = context.files();
        Files.createDirectories(files.stderr(0, 0).getParent());
        layout = ChannelLayout.of(directory.resolve("node"), 0, 0);
        Files.createDirectories(layout.up());
        logs = WorkerLogs.start(context);
        watch = new WorkerWatch(context, logs, event -> posted.add(withoutTime(event)), ResultKeeper.NONE);
        worker = FakeWorkerProcess.worker(directory.resolve("node"), 0, starting);
        watch.expect(0, 0, layout);
        watch.follow(worker, layout);
    }

    @AfterEach
    void close() {
        worker.writer().close();
        watch.close();
        logs.close();
    }

    @Test
    void worker_endsWell_isStartedEndedAndGone() {
        starting.complete(process);
        process.ends(0);

        assertThat(posted)
                .containsExactly(
                        new AgentEvent.WorkerStarted(0, 0, process.pid()),
                        ended(0, "exit code 0", List.of()),
                        new AgentEvent.WorkerGone(0, 0));
        assertThat(worker.endReported()).isCompleted();
    }

    @Test
    void worker_endsBadly_isReportedAfterItsMessagesAndWithItsLastWords() throws Exception {
        starting.complete(process);
        Files.writeString(files.stderr(0, 0), "first\nlast\n");
        UpMessage stated = new UpMessage.Failure("disk full", "at X");
        Path whole = Files.write(directory.resolve("message"), MessageCodec.encode(stated));
        Files.move(whole, layout.up().resolve("1.json"), StandardCopyOption.ATOMIC_MOVE);

        process.ends(3);

        assertThat(posted)
                .containsExactly(
                        new AgentEvent.WorkerStarted(0, 0, process.pid()),
                        new AgentEvent.WorkerReported(0, 0, stated),
                        ended(3, "exit code 3", List.of("first", "last")),
                        new AgentEvent.WorkerGone(0, 0));
    }

    @Test
    void worker_neverStarts_isEndedWithTheReasonAndGone() {
        starting.completeExceptionally(new IOException("cannot run x: not found"));

        assertThat(posted)
                .containsExactly(ended(-1, "cannot run x: not found", List.of()), new AgentEvent.WorkerGone(0, 0));
        assertThat(worker.endReported()).isCompleted();
    }

    @Test
    void worker_leavesAChildThatNeverEnds_isStuck() {
        starting.complete(process);
        process.leavesAStuckChild(0);

        assertThat(posted)
                .last()
                .isEqualTo(new AgentEvent.WorkersStuck(Map.of(0, 0), "worker 0: it waits in the kernel"));
    }

    @Test
    void worker_endsByASignalOfTheScheduler_isReportedAtOnceIfTheAgentLeavesToo() {
        starting.complete(process);
        process.ends(143);

        watch.leaving();

        assertThat(worker.endReported()).isCompleted();
        assertThat(posted).last().isEqualTo(new AgentEvent.WorkerGone(0, 0));
    }

    private AgentEvent ended(int code, String message, List<String> lastStderr) {
        return new AgentEvent.WorkerEnded(
                0,
                0,
                code,
                new Failure.Evidence(
                        FailureKind.ofExit(code),
                        message,
                        "",
                        lastStderr,
                        files.stderr(0, 0).toString(),
                        ""),
                0);
    }

    private static AgentEvent withoutTime(AgentEvent event) {
        return event instanceof AgentEvent.WorkerEnded end
                ? new AgentEvent.WorkerEnded(end.attempt(), end.slot(), end.exitCode(), end.evidence(), 0)
                : event;
    }
}
