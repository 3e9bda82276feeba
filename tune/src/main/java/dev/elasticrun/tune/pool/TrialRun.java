/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.pool;

import dev.elasticrun.agent.ElasticLauncher;
import dev.elasticrun.agent.LaunchListener;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.process.ProcessLauncher;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.tune.store.StoreMirror;
import dev.elasticrun.tune.store.StoreMirror.Change;
import dev.elasticrun.tune.store.StudyKeys;
import dev.elasticrun.tune.store.TrialOrder;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in the run of a trial: starts its agent, passes on what workers report and how far they may go. Owned by one
 * thread, to which it posts what comes from others.
 */
final class TrialRun implements AutoCloseable {
    /** The agent left, or lost the store: the trial is not over by that. */
    private static final List<Integer> LEFT =
            List.of(ExitCode.DRAINED.code(), ExitCode.INTERRUPTED.code(), ExitCode.STORE_LOST.code());

    private final TrialOrder order;
    private final Consumer<Runnable> owner;
    private final StudyKeys keys;
    private final TrialRecords records;
    private final TrialDirectory directory;
    private final ReportTail reports;
    private final StoreMirror control;
    private final ElasticLauncher.Running running;
    private int exitCode;
    private String reason = "";
    private boolean hasEnded;
    private boolean isDrained;

    /**
     * Starts it.
     *
     * @param agent of the pool
     * @param config of the launch, but for what the trial's directory adds
     * @param owner runs what it is given on the owning thread
     * @param workers what starts its workers, from what starts processes of its agent
     * @throws UncheckedIOException when the directory of the trial cannot be made
     */
    TrialRun(
            RendezvousStore store,
            String agent,
            TrialOrder order,
            LaunchConfig config,
            Consumer<Runnable> owner,
            UnaryOperator<ProcessLauncher> workers) {
        this.order = order;
        this.owner = owner;
        this.keys = StudyKeys.of(order.study());
        this.records = new TrialRecords(store, keys, order.trial(), agent);
        this.directory = TrialDirectory.create(config.logs().directory(), order.run() + "-" + agent);
        this.reports = new ReportTail(directory.files().reports());
        this.control = StoreMirror.open(store, KeyRange.key(keys.control(order.trial())), this::control);
        this.running = ElasticLauncher.start(TrialLaunch.in(directory, order, config), LaunchListener.NONE, workers);
        running.result().whenComplete((result, error) -> owner.accept(() -> over(result, error)));
    }

    TrialOrder order() {
        return order;
    }

    private void control(Change change) {
        if (change instanceof Change.All all) {
            all.entries().stream().map(KeyValue::value).forEach(value -> owner.accept(() -> directory.control(value)));
        } else if (change instanceof Change.Written written) {
            owner.accept(() -> directory.control(written.entry().value()));
        }
    }

    // Exactly one of both.
    private void over(@Nullable LaunchResult result, @Nullable Throwable error) {
        exitCode = result == null ? ExitCode.WORKER_FAILURE.code() : result.exitCode();
        reason = result == null
                ? "the agent failed: " + (error instanceof CompletionException ? error.getCause() : error)
                : result.reason();
        records.reports(reports);
        if (isResult()) {
            records.end(exitCode == 0 ? "" : reason);
        }
        hasEnded = true;
    }

    /** Passes on what is there. Does not block. */
    void relay() {
        if (!hasEnded) {
            records.reports(reports);
        }
        records.flush();
    }

    /** Leaves the run; it goes on without this node. */
    void drain() {
        if (!isDrained && !hasEnded) {
            isDrained = true;
            running.drain(ExitCode.DRAINED);
        }
    }

    /** Whether all has been passed on, and nothing of it runs any more. */
    boolean isOver() {
        return hasEnded && records.isEmpty();
    }

    /** Whether the trial has ended, and not only this node's part in it. */
    boolean isResult() {
        return !LEFT.contains(exitCode);
    }

    int exitCode() {
        return exitCode;
    }

    String reason() {
        return reason;
    }

    /** Waits for the end of what runs. */
    @Override
    public void close() {
        control.close();
        if (!hasEnded) {
            drain();
            running.result().exceptionally(failed -> null).join();
        }
        directory.delete();
    }
}
