/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.agent.directory.PrivateFiles;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.WorkerOrder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process that works for one run after the other, and the socket by which it gets its orders. Safe for use by any thread. */
final class ReusedProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReusedProcess.class);

    private final Path files;
    private final int slot;
    private final String key;
    private final ServerSocketChannel server;
    private final BlockingQueue<Work> orders = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile @Nullable WorkerProcess process;

    private ReusedProcess(Path files, int slot, String key, ServerSocketChannel server) {
        this.files = files;
        this.slot = slot;
        this.key = key;
        this.server = server;
        this.thread = Daemons.of("reused-worker", this::run);
    }

    static Path socket(Path files) {
        return files.resolve("socket");
    }

    /** For temporary files of the process. */
    static Path temporary(Path files) {
        return files.resolve("tmp");
    }

    /** Before its process is started. */
    static ReusedProcess listen(Path files, int slot, String key) throws IOException {
        Files.createDirectory(files, PrivateFiles.DIRECTORY);
        Files.createDirectory(temporary(files), PrivateFiles.DIRECTORY);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket(files)));
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return new ReusedProcess(files, slot, key, server);
    }

    /** Its process was started. Call once. */
    void runs(WorkerProcess started) {
        process = started;
        thread.start();
        started.groupGone().whenComplete((gone, error) -> close());
    }

    int slot() {
        return slot;
    }

    long pid() {
        return process().pid();
    }

    private WorkerProcess process() {
        return Objects.requireNonNull(process);
    }

    boolean isUsable(String forKey) {
        return key.equals(forKey) && !process().exit().isDone();
    }

    /**
     * Gives it a run to work for, after the one before has ended.
     *
     * @param onEnd called, on a thread of this object, when the program has returned, before the exit of the worker is known
     */
    WorkerProcess work(WorkerCommand command, ReusableProgram program, Consumer<ReusedProcess> onEnd) {
        WorkerOrder order = new WorkerOrder(
                command.environment(),
                program.arguments(),
                command.stdout().toString(),
                command.stderr().toString());
        Work work = new Work(process(), order, onEnd);
        orders.add(work);
        return work;
    }

    void kill() {
        process().signalGroup(GroupSignal.KILL);
    }

    private void run() {
        try (SocketChannel worker = server.accept()) {
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(Channels.newInputStream(worker), StandardCharsets.UTF_8));
            OutputStream out = Channels.newOutputStream(worker);
            boolean lives = true;
            while (lives) {
                Work work = orders.take();
                GroupProcessLauncher.prepareLog(Path.of(work.order.stdout()));
                GroupProcessLauncher.prepareLog(Path.of(work.order.stderr()));
                out.write(work.order.line());
                lives = WorkerOrder.ENDED.equals(answers.readLine());
                if (lives) {
                    work.onEnd.accept(this);
                    work.exit.complete(0);
                }
            }
        } catch (IOException e) {
            LOG.debug("reused worker {} ends", slot, e);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        // Whatever was wrong: a process without orders would stay for ever.
        kill();
    }

    /** Its process has ended, or was never started. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            server.close();
            PrivateFiles.deleteTree(files);
        } catch (IOException e) {
            LOG.warn("cannot remove the files of a reused worker", e);
        }
    }

    /** A worker of one run, in this process. */
    private static final class Work implements WorkerProcess {
        private final WorkerProcess process;
        private final WorkerOrder order;
        private final Consumer<ReusedProcess> onEnd;
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();
        private final CompletableFuture<Void> groupGone;

        Work(WorkerProcess process, WorkerOrder order, Consumer<ReusedProcess> onEnd) {
            this.process = process;
            this.order = order;
            this.onEnd = onEnd;
            process.exit().thenAccept(exit::complete);
            // Of a process that goes on nothing is left of this run.
            this.groupGone = exit.thenCompose(
                    code -> process.exit().isDone() ? process.groupGone() : CompletableFuture.completedFuture(null));
        }

        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public CompletableFuture<Integer> exit() {
            return exit.copy();
        }

        @Override
        public void signalGroup(GroupSignal signal) {
            if (!exit.isDone()) {
                process.signalGroup(signal);
            }
        }

        @Override
        public void raise() {
            if (!exit.isDone()) {
                process.raise();
            }
        }

        @Override
        public CompletableFuture<Void> groupGone() {
            return groupGone.copy();
        }

        @Override
        public String toString() {
            return "reused " + process;
        }
    }
}
