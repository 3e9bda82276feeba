/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.store;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.directory.RunDirectory;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.agent.launch.Timeouts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how long an agent waits for the run key after it found a listener at the address of an embedded store: as
 * long as a first contact may take, if nothing is known of the listener; as long as the store may be unavailable, if
 * the listener is an agent of the run on this host, which writes the key to a file when it has joined. Used by one
 * thread.
 */
final class KeyWait {
    private static final Logger LOG = LoggerFactory.getLogger(KeyWait.class);
    private static final Duration REMINDER = Duration.ofSeconds(10);

    private final String runId;
    private final String address;
    private final int port;
    private final Timeouts times;
    // The agent's node id; empty while none is known.
    private String node = "";

    private long beginNanos = System.nanoTime();
    private long remindNanos;

    /** @param address of the store as the user gave it */
    KeyWait(String runId, String address, int port, Timeouts times) {
        this.runId = runId;
        this.address = address;
        this.port = port;
        this.times = times;
        this.remindNanos = beginNanos + times.lease().ttl().toNanos();
    }

    /** Whether the wait has lasted long enough. Logs from time to time that it continues; reads files. */
    boolean isOver() {
        long nowNanos = System.nanoTime();
        boolean remind = nowNanos - remindNanos >= 0;
        if (!remind && nowNanos - beginNanos < times.firstContactTimeout().toNanos()) {
            return false;
        }
        String serving = serving();
        if (!serving.equals(node)) {
            // A wait for another agent than before begins anew.
            node = serving;
            beginNanos = nowNanos;
        }
        boolean over = nowNanos - beginNanos >= limit().toNanos();
        if (remind && !over) {
            remindNanos = nowNanos + REMINDER.toNanos();
            LOG.info(
                    "run={} waiting for {} at {} until {} ({}) is over; {} so far",
                    runId,
                    node.isEmpty()
                            ? "an agent of this user, as somebody listens"
                            : "node " + node + ", which has not joined its run yet and serves the store",
                    address,
                    flag(),
                    SettingTexts.text(limit()),
                    Duration.ofNanos(nowNanos - beginNanos).toSeconds() + "s");
        }
        return over;
    }

    /** What to end with when it is over. */
    RuntimeException failure() {
        if (node.isEmpty()) {
            return new LaunchConfigException(List.of("--rdzv-endpoint: " + address + " is in use, and no agent of run "
                    + runId + " showed up on this host as this user within " + limit().toMillis()
                    + " ms (expected: such an agent, a --run-key-file, or an address that is free)"));
        }
        return new StoreOpener.StoreUnreachableException("node " + node + " of run " + runId
                + " serves the store at " + address + ", but did not join its run within "
                + SettingTexts.text(limit()) + " (" + flag() + ")");
    }

    private Duration limit() {
        return isOfFirstContact() ? times.firstContactTimeout() : times.storeTimeout();
    }

    private String flag() {
        return isOfFirstContact() ? "--first-contact-timeout" : "--store-timeout";
    }

    private boolean isOfFirstContact() {
        return node.isEmpty() || times.firstContactTimeout().compareTo(times.storeTimeout()) > 0;
    }

    // The node of this user on this host that serves the run's store at that port; empty = none.
    private String serving() {
        try {
            for (Path file : RunDirectory.findStoreFiles()) {
                Optional<RunFile> store = RunFile.decode(file);
                if (store.isPresent()
                        && store.get().run().equals(runId)
                        && store.get().hasStoreAt(port)) {
                    return store.get().node();
                }
            }
        } catch (IOException e) {
            // As when an agent that ends takes its directory away: then none is known.
            LOG.debug("cannot look for who serves the store at {}: {}", address, e.toString());
        }
        return "";
    }
}
