/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import dev.elasticrun.rendezvous.NodeRecord;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The second half of a proof of death: a connection to the agent ended without a goodbye, and now its address refuses.
 * A dying process may close its connections before its listener, so that an accepted connection is asked again for a
 * moment; any other answer proves nothing and the lease decides.
 */
final class DeathProbe implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(500);
    private static final Duration FIRST_RETRY = Duration.ofMillis(2);
    private static final Duration LAST_RETRY = Duration.ofMillis(512);

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "death-probe");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Looks for the proof.
     *
     * @param moot asked before each look: whether the agent has shown itself again
     * @param onDead called on the probe's thread with the evidence
     */
    void look(NodeRecord suspect, BooleanSupplier moot, Consumer<String> onDead) {
        look(suspect, moot, onDead, FIRST_RETRY);
    }

    private void look(NodeRecord suspect, BooleanSupplier moot, Consumer<String> onDead, Duration retry) {
        try {
            executor.execute(() -> {
                if (moot.getAsBoolean()) {
                    return;
                }
                if (refused(suspect)) {
                    onDead.accept("connection ended without a goodbye, and " + suspect.address() + ":"
                            + suspect.controlPort() + " refuses another");
                } else if (retry.compareTo(LAST_RETRY) <= 0) {
                    executor.schedule(
                            () -> look(suspect, moot, onDead, retry.multipliedBy(2)),
                            retry.toNanos(),
                            TimeUnit.NANOSECONDS);
                }
            });
        } catch (RejectedExecutionException closed) {
            // The agent is on its way out and has no use for a proof.
        }
    }

    private static boolean refused(NodeRecord suspect) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(suspect.address(), suspect.controlPort()), (int) CONNECT_TIMEOUT.toMillis());
            return false;
        } catch (ConnectException e) {
            // Also "no route" and "timed out" on some kernels: only a refusal is an answer of the host.
            return String.valueOf(e.getMessage()).contains("refused");
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
