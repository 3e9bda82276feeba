/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.config.LogPrefix;
import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.launch.ConsoleOptions;
import dev.elasticrun.agent.launch.LogOptions;
import dev.elasticrun.agent.launch.NodeFiles;
import dev.elasticrun.agent.logs.ConsoleMultiplexer;
import dev.elasticrun.agent.logs.LogRotation;
import dev.elasticrun.agent.logs.LogSink;
import dev.elasticrun.rendezvous.record.Participant;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of workers' logs while they are written: console, collected lines, rotation. Methods may be called by any
 * thread and do not block, but for {@link #close}.
 */
public final class WorkerLogs implements AutoCloseable {
    private final ConsoleOptions console;
    private final AgentSettings settings;
    private final String runId;
    private final NodeFiles files;
    private final LogOptions options;
    private final LogPrefix prefix;
    private final @Nullable ConsoleMultiplexer reader;
    private final LogRotation rotation;
    private final List<OutputStream> opened = new ArrayList<>();
    private final @Nullable OutputStream collectedOut;
    private final @Nullable OutputStream collectedErr;
    /** Read by the thread that shows logs: where this node was in its newest round; null = in none yet. */
    private volatile @Nullable Participant place;

    private WorkerLogs(AgentContext context) {
        this.console = context.config().console();
        this.settings = context.settings();
        this.runId = context.runId();
        this.files = context.files();
        this.options = context.config().logs();
        this.prefix = console.prefix();
        this.rotation = new LogRotation(options.maxBytes(), options.maxFiles());
        this.collectedOut = collect(options.stdoutFilters(), files.directory().resolve("filtered_stdout.log"));
        this.collectedErr = collect(options.stderrFilters(), files.directory().resolve("filtered_stderr.log"));
        this.reader = console.shown() || options.areRead() ? ConsoleMultiplexer.start(System.out) : null;
    }

    public static WorkerLogs start(AgentContext context) {
        return new WorkerLogs(context);
    }

    private @Nullable OutputStream collect(List<String> filters, Path file) {
        if (filters.isEmpty()) {
            return null;
        }
        try {
            OutputStream output = Files.newOutputStream(
                    file, StandardOpenOption.CREATE, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
            opened.add(output);
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** @param own place of this node in the round that its workers work in from now on */
    void working(Participant own) {
        place = own;
    }

    // -1 = none.
    private int rank(int slot, int attempt) {
        Participant own = place;
        return own == null ? -1 : own.rankOf(slot, attempt).orElse(-1);
    }

    void follow(int slot, int attempt) {
        ConsoleMultiplexer open = reader;
        if (open == null) {
            return;
        }
        List<LogSink> stderr = new ArrayList<>();
        List<LogSink> stdout = new ArrayList<>();
        if (console.shown()) {
            stderr.add(
                    new LogSink(() -> prefix(slot, attempt), () -> console.showsStderr(slot), List.of(), System.err));
            stdout.add(new LogSink(
                    () -> prefix(slot, attempt),
                    () -> console.showsStdout(slot, rank(slot, attempt) == 0),
                    List.of(),
                    System.out));
        }
        if (collectedErr != null) {
            stderr.add(new LogSink(() -> prefix(slot, attempt), () -> true, options.stderrFilters(), collectedErr));
        }
        if (collectedOut != null) {
            stdout.add(new LogSink(() -> prefix(slot, attempt), () -> true, options.stdoutFilters(), collectedOut));
        }
        open.add(files.stderr(slot, attempt), stderr, rotation);
        open.add(files.stdout(slot, attempt), stdout, rotation);
    }

    /** The worker has ended: nothing more is written to these logs. */
    void ended(int slot, int attempt) {
        if (reader != null) {
            reader.finish(files.stderr(slot, attempt));
            reader.finish(files.stdout(slot, attempt));
        }
    }

    private String prefix(int slot, int attempt) {
        LogPrefix.Worker worker = new LogPrefix.Worker(
                runId,
                settings.nodeId(),
                settings.node().hostLabel(),
                settings.role(),
                slot,
                attempt,
                rank(slot, attempt));
        return prefix.of(worker) + " ";
    }

    /** {@link #close} waits for the console no more. */
    public void abandon() {
        if (reader != null) {
            reader.abandon();
        }
    }

    /** Shows the rest; waits no more than 3 s for a console that takes nothing. */
    @Override
    public void close() {
        if (reader != null) {
            reader.close();
        }
        for (OutputStream output : opened) {
            try {
                output.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
