/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.process.FileChannelWriter;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.process.RunDirectory;
import dev.elasticrun.agent.process.WorkerCommand;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.process.WorkerTemporaries;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.WorkerEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Starts single workers, each with a channel, logs and a temporary directory of its own. Called by the agent's loop. */
final class WorkerStarter {
    private final LaunchConfig config;
    private final AgentSettings settings;
    private final ListenPlace place;
    private final String runId;
    private final NodeFiles files;
    private final RunDirectory runDirectory;
    private final WorkerTemporaries temporaries;
    private final ProcessLauncher launcher;
    private final WorkerChannels channels;
    private final WorkerWatch watch;

    WorkerStarter(
            AgentContext context,
            RunDirectory runDirectory,
            WorkerTemporaries temporaries,
            ProcessLauncher launcher,
            WorkerChannels channels,
            WorkerWatch watch) {
        this.config = context.config();
        this.settings = context.settings();
        this.place = context.place();
        this.runId = context.runId();
        this.files = context.files();
        this.runDirectory = runDirectory;
        this.temporaries = temporaries;
        this.launcher = launcher;
        this.channels = channels;
        this.watch = watch;
    }

    /**
     * @param first what it is told first; null = nothing before the next event
     * @param identity the run, if it was joined
     */
    WorkerHandle start(
            int slot, int attempt, @Nullable WorkerEvent first, @Nullable RunIdentity identity, int restartCount) {
        ChannelLayout layout;
        Path temporary;
        FileChannelWriter writer;
        try {
            layout = runDirectory.layout(slot, attempt);
            temporary = temporaries.make(slot, attempt);
            writer = channels.open(layout, first);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the channel of worker " + slot, e);
        }
        watch.expect(slot, attempt, layout);
        WorkerCommand command = new WorkerCommand(
                WorkerProgram.commandLine(config, temporary),
                WorkerEnvironment.of(
                        System.getenv(),
                        config,
                        place,
                        runId,
                        slot,
                        restartCount,
                        identity == null ? settings.maxRestarts() : identity.maxRestarts(),
                        settings.replacesWorkers(),
                        layout,
                        temporary,
                        files.error(slot, attempt),
                        first == null ? null : first.workerInfo()),
                files.stdout(slot, attempt),
                files.stderr(slot, attempt),
                Path.of("").toAbsolutePath(),
                WorkerPlaces.of(config, slot));
        CompletableFuture<WorkerProcess> process = launcher.start(command);
        WorkerHandle worker = WorkerHandle.of(slot, attempt, writer, process);
        watch.follow(worker, layout.heartbeat());
        process.thenCompose(WorkerProcess::groupGone).thenRun(() -> temporaries.discard(slot, attempt));
        return worker;
    }
}
