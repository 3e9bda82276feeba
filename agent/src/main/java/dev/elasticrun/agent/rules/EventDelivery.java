/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.channel.PeerTableWriter;
import dev.elasticrun.agent.directory.Ballast;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.worker.contract.PeerTable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the events that workers must receive, and retries failed writes: a file system or a table of descriptors that
 * is full for a moment costs that moment, and for longer the workers that cannot be reached. Owned by the loop.
 */
public final class EventDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(EventDelivery.class);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final Duration REFILL_PAUSE = Duration.ofSeconds(1);

    /** What becomes of a worker that no event reaches. */
    public interface Listener {
        void onUnreachable(WorkerHandle worker, String reason);
    }

    private final EventLoop loop;
    private final PeerTableWriter peerTables;
    private final Ballast ballast;
    private final Duration patience;
    private final Listener listener;
    // The workers that lack an event, and since when.
    private final Map<WorkerHandle, Long> behind = new LinkedHashMap<>();

    private @Nullable PeerTable unwrittenPeers;
    private boolean isTrying;

    /** @param patience for how long a worker may lack an event */
    public EventDelivery(
            EventLoop loop, PeerTableWriter peerTables, Ballast ballast, Duration patience, Listener listener) {
        this.loop = loop;
        this.peerTables = peerTables;
        this.ballast = ballast;
        this.patience = patience;
        this.listener = listener;
    }

    /** Publishes the addresses of the round's workers: written before any later event. */
    public void peers(PeerTable table) {
        unwrittenPeers = table;
    }

    /**
     * Publishes the addresses of the workers of a round without this node, for new workers that connect to them early;
     * those can work without.
     */
    public void others(PeerTable table) {
        try {
            peerTables.write(table);
        } catch (IOException e) {
            LOG.debug("new workers do not learn who works in round {}: {}", table.round(), e.toString());
        }
    }

    /** Writes the peers' table if that is still to be done. */
    public void writePeers() throws IOException {
        if (unwrittenPeers != null) {
            peerTables.write(unwrittenPeers);
            unwrittenPeers = null;
        }
    }

    /** Writes the events that these workers lack, now or later. */
    public void deliver(Collection<WorkerHandle> workers) {
        loop.assertInLoop();
        for (WorkerHandle worker : workers) {
            if (!worker.gone()) {
                behind.putIfAbsent(worker, loop.nowNanos());
            }
        }
        if (!isTrying) {
            attempt();
        }
    }

    /** Makes room for the agent's own files; false when none can be made. */
    public boolean makeRoom() {
        if (!ballast.release()) {
            return false;
        }
        loop.schedule(REFILL_PAUSE, this::refill);
        return true;
    }

    private void refill() {
        if (!ballast.refill()) {
            loop.schedule(REFILL_PAUSE, this::refill);
        }
    }

    private void attempt() {
        Map<WorkerHandle, IOException> failures = write();
        if (!failures.isEmpty() && makeRoom()) {
            failures = write();
        }
        if (isTrying && behind.isEmpty()) {
            LOG.info("all workers have their events again");
        }
        if (!isTrying && !failures.isEmpty()) {
            IOException first = failures.values().iterator().next();
            LOG.warn(
                    "events of {} workers cannot be written; trying again for {} s",
                    failures.size(),
                    patience.toSeconds(),
                    first);
        }
        failures.forEach(this::giveUpInTime);
        isTrying = !behind.isEmpty();
        if (isTrying) {
            loop.schedule(PAUSE, this::attempt);
        }
    }

    private Map<WorkerHandle, IOException> write() {
        Map<WorkerHandle, IOException> failures = new LinkedHashMap<>();
        IOException withoutPeers = null;
        try {
            writePeers();
        } catch (IOException e) {
            withoutPeers = e;
        }
        for (WorkerHandle worker : List.copyOf(behind.keySet())) {
            try {
                if (withoutPeers != null) {
                    throw withoutPeers;
                }
                if (!worker.gone()) {
                    worker.writer().write();
                }
                behind.remove(worker);
            } catch (IOException e) {
                failures.put(worker, e);
            }
        }
        return failures;
    }

    private void giveUpInTime(WorkerHandle worker, IOException failure) {
        Long since = behind.get(worker);
        boolean isCut = worker.writer().isCut();
        if (since != null && (isCut || loop.nowNanos() - since >= patience.toNanos())) {
            behind.remove(worker);
            listener.onUnreachable(
                    worker,
                    isCut
                            ? "the agent cannot reach it: " + failure.getMessage()
                            : "the agent could not write its events for " + patience.toMillis() + " ms: " + failure);
        }
    }

    /** A worker whose channel is found to be damaged while there is no event for it. */
    public void lookAt(WorkerHandle worker) {
        if (worker.writer().isCut() && !worker.gone()) {
            listener.onUnreachable(worker, "the agent cannot reach it: it cut the file head of its channel");
        }
    }
}
