/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.channel.FileChannelWriter;
import dev.elasticrun.agent.process.GroupSignal;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.rules.WorkerHandle;
import dev.elasticrun.worker.contract.ChannelLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;

/** A worker process that ends when a test decides. */
final class FakeWorkerProcess implements WorkerProcess {
    final List<GroupSignal> signals = new CopyOnWriteArrayList<>();
    private final long pid;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final CompletableFuture<Void> groupGone = new CompletableFuture<>();

    FakeWorkerProcess(long pid) {
        this.pid = pid;
    }

    /** A worker with a channel below the directory, whose process comes as the future does. */
    static WorkerHandle worker(Path node, int slot, CompletableFuture<WorkerProcess> process) throws IOException {
        ChannelLayout layout = ChannelLayout.of(node, slot, 0);
        Files.createDirectories(layout.events());
        return WorkerHandle.of(slot, 0, FileChannelWriter.open(layout), process);
    }

    /** It has ended, and all of its group. */
    void ends(int code) {
        exit.complete(code);
        groupGone.complete(null);
    }

    /** It has ended, and some process of its group never does. */
    void leavesAStuckChild(int code) {
        exit.complete(code);
        groupGone.completeExceptionally(new TimeoutException("it waits in the kernel"));
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public CompletableFuture<Integer> exit() {
        return exit;
    }

    @Override
    public void signalGroup(GroupSignal signal) {
        signals.add(signal);
    }

    @Override
    public CompletableFuture<Void> groupGone() {
        return groupGone;
    }
}
