/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.channel.FileChannelWriter;
import dev.elasticrun.agent.config.Processors;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.context.FailedWorker;
import dev.elasticrun.agent.context.InheritedEnvironment;
import dev.elasticrun.agent.directory.AgentDirectories;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.NodeFiles;
import dev.elasticrun.agent.launch.WorkerPlaces;
import dev.elasticrun.agent.launch.WorkerProgram;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.process.WorkerCommand;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.rules.WorkerHandle;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.WorkerEvent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts single workers, each with a channel, logs and a temporary directory of its own. Called by the agent's loop. */
final class WorkerStarter {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerStarter.class);

    private final LaunchConfig config;
    private final AgentSettings settings;
    private final ListenPlace place;
    private final Map<String, String> inherited;
    private final List<String> gpus;
    private final String runId;
    private final NodeFiles files;
    private final AgentDirectories directories;
    private final ProcessLauncher launcher;
    private final WorkerChannels channels;
    private final WorkerWatch watch;
    private final ClassDataArchive classData;

    WorkerStarter(
            AgentContext context,
            AgentDirectories directories,
            ProcessLauncher launcher,
            WorkerChannels channels,
            WorkerWatch watch,
            ClassDataArchive classData) {
        this.config = context.config();
        this.settings = context.settings();
        this.place = context.place();
        this.inherited = inherited(context);
        this.gpus = config.workers().virtualLocalRank() ? Processors.gpus() : List.of();
        this.runId = context.runId();
        this.files = context.files();
        this.directories = directories;
        this.launcher = launcher;
        this.channels = channels;
        this.watch = watch;
        this.classData = classData;
    }

    private record Made(ChannelLayout layout, Path temporary, FileChannelWriter writer) {}

    /** The same, at the priority of the agent. */
    WorkerHandle start(
            int slot, int attempt, @Nullable WorkerEvent first, @Nullable RunIdentity identity, int restartCount) {
        return start(slot, attempt, first, identity, restartCount, false);
    }

    /**
     * Starts it. A worker whose files cannot be made has failed to start, like one whose program cannot be run.
     *
     * @param first its first event; null = none before the next event
     * @param identity the run, if it was joined
     * @param yields whether others work while it starts: it has a low priority until it is ready
     */
    WorkerHandle start(
            int slot,
            int attempt,
            @Nullable WorkerEvent first,
            @Nullable RunIdentity identity,
            int restartCount,
            boolean yields) {
        Made made;
        try {
            made = make(slot, attempt, first);
        } catch (IOException e) {
            directories.discard(slot, attempt);
            return fail(slot, attempt, new IOException("cannot make the files of worker " + slot + ": " + e, e));
        }
        ChannelLayout layout = made.layout();
        Path temporary = made.temporary();
        watch.expect(slot, attempt, layout);
        WorkerCommand command = new WorkerCommand(
                // A process that is reused has its options already when classes are archived.
                WorkerProgram.commandLine(config, temporary, launcher.reuses() ? List.of() : classData.options(), slot),
                WorkerEnvironment.of(
                        inherited,
                        config,
                        place,
                        gpus,
                        runId,
                        slot,
                        restartCount,
                        identity == null ? settings.restarts().budget().max() : identity.maxRestarts(),
                        settings.restarts().failedWorker() == FailedWorker.IS_REPLACED,
                        layout,
                        temporary,
                        directories.temporaries().checkpoints(),
                        files.error(slot, attempt),
                        first == null ? null : first.workerInfo()),
                files.stdout(slot, attempt),
                files.stderr(slot, attempt),
                Path.of("").toAbsolutePath(),
                WorkerPlaces.of(config.workers().bindTo(), settings.slots(), slot % settings.slots()),
                yields,
                launcher.reuses() ? Optional.of(WorkerProgram.reusable(config, slot)) : Optional.empty());
        CompletableFuture<WorkerProcess> process = launcher.start(command);
        WorkerHandle worker = WorkerHandle.of(slot, attempt, made.writer(), process);
        watch.follow(worker, layout);
        process.thenCompose(WorkerProcess::groupGone)
                .thenCompose(gone -> worker.endReported())
                .thenRun(() -> directories.discard(slot, attempt));
        return worker;
    }

    /** A worker that cannot be started. */
    WorkerHandle fail(int slot, int attempt, IOException reason) {
        WorkerHandle failed = WorkerHandle.failed(slot, attempt, reason);
        watch.follow(failed, new ChannelLayout(Path.of("")));
        return failed;
    }

    private static Map<String, String> inherited(AgentContext context) {
        Map<String, String> own =
                InheritedEnvironment.of(System.getenv(), System.getProperty(InheritedEnvironment.LOCALE_PROPERTY));
        Set<String> ofRuntime = new TreeSet<>(context.runtimes().chosen().reservedNames());
        ofRuntime.retainAll(own.keySet());
        if (!ofRuntime.isEmpty()) {
            LOG.info(
                    "workers do not inherit {}: --runtime {} gives each its own in each round",
                    String.join(", ", ofRuntime),
                    context.config().workers().runtime());
        }
        return InheritedEnvironment.without(ofRuntime, own);
    }

    private Made make(int slot, int attempt, @Nullable WorkerEvent first) throws IOException {
        try {
            return makeOnce(slot, attempt, first);
        } catch (IOException full) {
            if (!channels.makeRoom()) {
                throw full;
            }
            directories.run().discard(slot, attempt);
            return makeOnce(slot, attempt, first);
        }
    }

    private Made makeOnce(int slot, int attempt, @Nullable WorkerEvent first) throws IOException {
        ChannelLayout layout = directories.run().layout(slot, attempt);
        Path temporary = directories.temporaries().make(slot, attempt);
        return new Made(layout, temporary, channels.open(layout, first));
    }
}
