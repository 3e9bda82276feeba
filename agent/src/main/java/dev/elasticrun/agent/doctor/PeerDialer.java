/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.control.ProbeClient;
import dev.elasticrun.agent.control.ProbeClient.ProbeFailedException;
import dev.elasticrun.agent.tls.RunTls;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Measures the way to other nodes as agents would use it: with the run's encryption, and proofs of a key. */
final class PeerDialer implements Meeting.Dialer {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final int WARM_UP_CALLS = 10;
    private static final int CALLS = 50;
    private static final long WARM_UP_BYTES = 16L << 20;
    private static final long BYTES = 64L << 20;
    /** Where the first bytes take longer, more of them would show nothing else. */
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final String runId;
    private final String node;
    private final byte[] key;
    private final Optional<RunTls> tls;

    /**
     * @param node this one
     * @param key of the run, or that of this node
     * @param tls empty = plain text
     */
    PeerDialer(String runId, String node, byte[] key, Optional<RunTls> tls) {
        this.runId = runId;
        this.node = node;
        this.key = key.clone();
        this.tls = tls;
    }

    @Override
    public PeerReport dial(Attendee other) throws ProbeFailedException {
        byte[] theirs = other.keyOr(key);
        try (ProbeClient client =
                new ProbeClient(other.place(), other.node(), theirs, tls.map(own -> known(own, theirs)), DEADLINE)) {
            Latencies roundTrips = roundTrips(client);
            ProbeClient.Transfer transfer = client.receive(WARM_UP_BYTES);
            if (transfer.nanos() < SLOW_NANOS) {
                transfer = client.receive(BYTES);
            }
            ProbeClient.ClockOffset clock = client.clockOffset(Clock.systemUTC());
            return new PeerReport(
                    other.node(),
                    other.place(),
                    roundTrips,
                    transfer.bytes() * TimeUnit.SECONDS.toNanos(1) / transfer.nanos(),
                    clock.millis(),
                    clock.uncertaintyMillis());
        }
    }

    private static Latencies roundTrips(ProbeClient client) throws ProbeFailedException {
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            client.roundTrip();
        }
        long[] nanos = new long[CALLS];
        for (int i = 0; i < CALLS; i++) {
            nanos[i] = client.roundTrip();
        }
        return Latencies.of(nanos);
    }

    // Certificates that are made from a key are made from that of the node that is called.
    private RunTls known(RunTls own, byte[] theirs) {
        if (!own.agreement().equals(RunTls.GENERATED)) {
            return own;
        }
        RunTls made = RunTls.generated(runId, node, List.of());
        made.known(theirs);
        return made;
    }
}
