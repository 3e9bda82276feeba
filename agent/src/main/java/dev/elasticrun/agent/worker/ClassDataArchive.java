/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.context.InheritedEnvironment;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.launch.ClassDataName;
import dev.elasticrun.agent.launch.ClassDataOptions;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.process.GroupSignal;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.agent.process.WorkerCommand;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The archive of the classes that workers load (ADR 0054). The first worker lists them; once workers have been in a round
 * for some seconds, a process of low priority archives them, another one checks the archive, and workers that are
 * started from then on use it. It is kept for later runs on this host (ADR 0058): if there is one, the first workers use it,
 * and none is made. Called by the agent's loop; its processes are those of the launcher.
 */
final class ClassDataArchive {
    private static final Logger LOG = LoggerFactory.getLogger(ClassDataArchive.class);

    /** After that programs have loaded what they use in each step, and short runs are over. */
    private static final Duration DELAY = Duration.ofSeconds(10);

    private static final long CLOSE_SECONDS = 2;

    private final LaunchConfig config;
    private final EventLoop loop;
    private final ProcessLauncher launcher;
    private final Consumer<RunEvent> journal;
    private final Map<String, String> environment;
    /** Null = no archive is made. */
    private final @Nullable Path directory;

    private final @Nullable Kept kept;
    private boolean listed;
    private boolean begun;
    /** What workers use from now on. */
    private @Nullable Path usable;
    // Of any thread: the newest process, which may have ended, and whether no other one may run.
    private volatile @Nullable WorkerProcess process;
    private volatile boolean closed;

    /** Where archives are kept, and the name of this one there. */
    private record Kept(ClassDataCache cache, String name) {}

    ClassDataArchive(
            AgentContext context,
            EventLoop loop,
            Optional<Path> directory,
            ProcessLauncher launcher,
            Consumer<RunEvent> journal) {
        this.config = context.config();
        this.loop = loop;
        this.launcher = launcher;
        this.journal = journal;
        this.environment =
                InheritedEnvironment.of(System.getenv(), System.getProperty(InheritedEnvironment.LOCALE_PROPERTY));
        Optional<String> obstacle = ClassDataOptions.obstacle(config, environment, directory);
        obstacle.ifPresent(why -> LOG.debug("workers' classes are not archived: {}", why));
        this.directory = obstacle.isPresent() ? null : directory.orElse(null);
        this.kept = this.directory == null ? null : kept(config, environment);
        this.usable = find(this.kept);
        this.begun = this.usable != null;
    }

    private static @Nullable Kept kept(LaunchConfig config, Map<String, String> environment) {
        try {
            return new Kept(ClassDataCache.open(environment), ClassDataName.of(config));
        } catch (IOException e) {
            LOG.debug("the archive of workers' classes ends with this agent: {}", e.toString());
            return null;
        }
    }

    private static @Nullable Path find(@Nullable Kept kept) {
        try {
            return kept == null ? null : kept.cache().find(kept.name()).orElse(null);
        } catch (IOException e) {
            LOG.debug("the archive of an earlier run is of no use: {}", e.toString());
            return null;
        }
    }

    /** Options of the JVM of the worker that is started next. */
    List<String> options() {
        if (directory == null) {
            return List.of();
        }
        Path archive = usable;
        if (archive != null) {
            return ClassDataOptions.using(archive);
        }
        if (listed) {
            return List.of();
        }
        listed = true;
        return ClassDataOptions.listing(list(directory));
    }

    /** Workers are in a round. */
    void working() {
        Path place = directory;
        if (place != null && !begun) {
            begun = true;
            loop.schedule(DELAY, () -> make(place));
        }
    }

    private void make(Path place) {
        long start = System.nanoTime();
        Path complete = place.resolve("complete.lst");
        Path unchecked = place.resolve("unchecked.jsa");
        // A stage, so that a thread that cannot be made is its result.
        CompletableFuture.completedFuture(place)
                .thenAcceptAsync(here -> cut(list(here), complete), task -> Daemons.start("class-data", task))
                .thenCompose(done -> run(place, "archiving", ClassDataOptions.archiving(config, complete, unchecked)))
                .thenCompose(done -> run(place, "checking", ClassDataOptions.checking(config, unchecked)))
                .thenApply(done -> moved(unchecked, archive(place)))
                .thenApply(bytes -> keep(archive(place), bytes))
                .whenComplete((bytes, error) -> loop.execute(() -> onMade(place, start, bytes, error)));
    }

    private void onMade(Path place, long startNanos, @Nullable Long bytes, @Nullable Throwable error) {
        if (error != null || bytes == null) {
            Throwable cause = error == null || error.getCause() == null ? error : error.getCause();
            journal.accept(new RunEvent.ClassDataFailed(String.valueOf(cause == null ? null : cause.getMessage())));
            return;
        }
        usable = archive(place);
        journal.accept(
                new RunEvent.ClassDataArchived(bytes, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos)));
    }

    private CompletableFuture<Void> run(Path place, String what, List<String> argv) {
        Path output = place.resolve(what + ".log");
        WorkerCommand command =
                new WorkerCommand(argv, environment, output, output, Path.of("").toAbsolutePath());
        return launcher.start(command).thenCompose(this::exit).thenAccept(code -> {
            if (code != 0) {
                throw new IllegalStateException(
                        what + " ended with exit code " + code + " (expected: 0): " + lastLine(output));
            }
        });
    }

    private CompletableFuture<Integer> exit(WorkerProcess started) {
        process = started;
        if (closed) {
            started.signalGroup(GroupSignal.KILL);
        }
        return started.exit();
    }

    /** Ends the process that makes an archive, and waits for that. Called by another thread than the loop, which has ended. */
    void close() {
        closed = true;
        WorkerProcess running = process;
        if (running == null) {
            return;
        }
        running.signalGroup(GroupSignal.KILL);
        try {
            running.groupGone().get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("pid={} of the archive of workers' classes has not ended: {}", running.pid(), e.toString());
        }
    }

    private static String lastLine(Path output) {
        try {
            List<String> lines = Files.readAllLines(output, StandardCharsets.ISO_8859_1);
            return lines.isEmpty() ? "no output" : lines.get(lines.size() - 1);
        } catch (IOException e) {
            return e.toString();
        }
    }

    // The worker that writes the list may have been killed, or may be in the middle of a line.
    private static void cut(Path list, Path complete) {
        try {
            String text = Files.readString(list, StandardCharsets.ISO_8859_1);
            Files.writeString(complete, text.substring(0, text.lastIndexOf('\n') + 1), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the list of classes: " + e, e);
        }
    }

    private static long moved(Path from, Path to) {
        try {
            return Files.size(Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot rename the archive: " + e, e);
        }
    }

    private long keep(Path archive, long bytes) {
        Kept known = kept;
        if (known != null) {
            try {
                known.cache().keep(known.name(), archive);
            } catch (IOException e) {
                LOG.debug("the archive of workers' classes ends with this agent: {}", e.toString());
            }
        }
        return bytes;
    }

    private static Path list(Path directory) {
        return directory.resolve("classes.lst");
    }

    private static Path archive(Path directory) {
        return directory.resolve("classes.jsa");
    }
}
