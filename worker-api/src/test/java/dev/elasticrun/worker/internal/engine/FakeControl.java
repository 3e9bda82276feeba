/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A channel whose events and lease the test decides. */
public final class FakeControl implements RoundControl {
    private final List<UpMessage> reports = new CopyOnWriteArrayList<>();
    private final Map<Long, PeerTable> tables = new HashMap<>();
    private final Consumer<UpMessage> onReport;
    private @Nullable WorkerEvent latest;
    private boolean isExpired;
    private boolean isEnded;

    FakeControl() {
        this(message -> {});
    }

    /** @param onReport receives each message of the worker, on the worker's thread */
    FakeControl(Consumer<UpMessage> onReport) {
        this.onReport = onReport;
    }

    synchronized void publish(WorkerEvent event) {
        latest = event;
        notifyAll();
    }

    /** Where the round's workers are, for calls that go on in it. */
    synchronized void publish(PeerTable table) {
        tables.put(table.round(), table);
    }

    synchronized void expired(boolean expired) {
        isExpired = expired;
        notifyAll();
    }

    /** The process is gone: nobody waits for events any more. */
    synchronized void end() {
        isEnded = true;
        notifyAll();
    }

    synchronized PeerTable latestTable() {
        return Objects.requireNonNull(tables.get(Objects.requireNonNull(latest).round()));
    }

    public List<UpMessage> reports() {
        return reports;
    }

    @Override
    public synchronized boolean isOpen(long seq) {
        return !isExpired && (latest == null || latest.seq() <= seq);
    }

    @Override
    public synchronized boolean awaitOpen(long seq) throws InterruptedException {
        while (!isOpen(seq)) {
            if (latest != null && latest.seq() > seq) {
                return false;
            }
            requireAlive();
            wait();
        }
        return true;
    }

    @Override
    public synchronized WorkerEvent awaitNewer(long seq) throws InterruptedException {
        while (latest == null || latest.seq() <= seq) {
            requireAlive();
            wait();
        }
        return latest;
    }

    @Override
    public synchronized WorkerEvent awaitNewerWork(long seq) throws InterruptedException {
        while (latest == null || latest.seq() <= seq || latest.workerState() != WorkerState.HEALTHY) {
            requireAlive();
            wait();
        }
        return latest;
    }

    @Override
    public synchronized PeerTable peers(WorkerEvent work) {
        return Objects.requireNonNull(tables.get(work.round()));
    }

    @Override
    public void report(UpMessage message) {
        reports.add(message);
        onReport.accept(message);
    }

    private synchronized void requireAlive() throws InterruptedException {
        if (isEnded) {
            throw new InterruptedException("the process is gone");
        }
    }
}
