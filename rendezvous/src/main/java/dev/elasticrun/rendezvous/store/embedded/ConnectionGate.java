/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the connections of a server: in all, from one address, and in how long one may last whose caller has proved
 * nothing. So no caller uses up the descriptors of a process by connecting to it. Safe for use by any thread.
 */
public final class ConnectionGate {
    private static final int MAX = 4096;
    private static final int MAX_OF_ADDRESS = 512;
    private static final long PROOF_MILLIS = 10_000;

    private final int max;
    private final int maxOfAddress;
    private final long proofMillis;
    // Guarded by this: open connections by the caller's address and port, whether they are proved, and their number.
    private final Map<SocketAddress, Boolean> proved = new HashMap<>();
    private final Map<InetAddress, Integer> counts = new HashMap<>();

    public ConnectionGate() {
        this(MAX, MAX_OF_ADDRESS, PROOF_MILLIS);
    }

    ConnectionGate(int max, int maxOfAddress, long proofMillis) {
        this.max = max;
        this.maxOfAddress = maxOfAddress;
        this.proofMillis = proofMillis;
    }

    /**
     * Takes note of a new connection, or ends it at once.
     *
     * @param timer of the thread that accepts
     * @return false if it was ended
     */
    public boolean admit(Channel caller, ScheduledExecutorService timer) {
        if (!(caller.remoteAddress() instanceof InetSocketAddress from) || !enter(from)) {
            caller.unsafe().closeForcibly();
            return false;
        }
        ScheduledFuture<?> patience = timer.schedule(
                () -> {
                    if (isUnproved(from)) {
                        caller.close();
                    }
                },
                proofMillis,
                TimeUnit.MILLISECONDS);
        caller.closeFuture().addListener(closed -> {
            leave(from);
            // Else each of many short connections would be held in memory for as long as a silent one may last.
            patience.cancel(false);
        });
        return true;
    }

    /** The caller at that address has proved to know the run key. */
    public synchronized void proved(@Nullable SocketAddress from) {
        proved.replace(from, true);
    }

    /** How many connections there are. */
    public synchronized int size() {
        return proved.size();
    }

    private synchronized boolean isUnproved(InetSocketAddress from) {
        return Boolean.FALSE.equals(proved.get(from));
    }

    private synchronized boolean enter(InetSocketAddress from) {
        if (proved.size() >= max || counts.getOrDefault(from.getAddress(), 0) >= maxOfAddress) {
            return false;
        }
        proved.put(from, false);
        counts.merge(from.getAddress(), 1, Integer::sum);
        return true;
    }

    private synchronized void leave(InetSocketAddress from) {
        proved.remove(from);
        counts.computeIfPresent(from.getAddress(), (address, count) -> count > 1 ? count - 1 : null);
    }
}
