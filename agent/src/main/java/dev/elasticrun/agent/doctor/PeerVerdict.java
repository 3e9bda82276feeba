/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.config.SettingTexts;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Whether nodes reach each other well. Pure. */
final class PeerVerdict {
    private static final String CLOCK = "clock";
    private static final String OTHERS = "other nodes";
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOCKS_APART_MILLIS = 1000;

    private PeerVerdict() {}

    /**
     * @param encryption of this node
     * @param stateWait how long a round waits for a state
     */
    static Check of(Meeting.Outcome outcome, String encryption, NodeLoad load, Duration stateWait) {
        Attendee other = outcome.other();
        String name = "node " + other.node();
        if (!other.encryption().equals(encryption)) {
            return Check.error(
                    name,
                    "at " + other.place() + " with encryption '" + other.encryption() + "', and here '" + encryption
                            + "'",
                    "give the same --tls, --insecure or --tls-ca on both");
        }
        if (!outcome.failure().isEmpty()) {
            return Check.error(
                    name,
                    "at " + other.place() + ": " + outcome.failure(),
                    "check routes and packet filters between the nodes, --local-addr and --port-range there, and that both"
                            + " have the same --run-key-file");
        }
        return reached(name, outcome.report().get(0), load, stateWait);
    }

    private static Check reached(String name, PeerReport report, NodeLoad load, Duration stateWait) {
        String found = "at " + report.address() + ": round trip "
                + report.roundTrips().text() + "; " + Sizes.text(report.bytesPerSecond()) + "/s received";
        if (report.roundTrips().p99Nanos() > SLOW_NANOS) {
            return Check.warning(
                    name, found, "look at the network between the nodes: each operation of all workers waits for it");
        }
        long seconds = load.checkpointBytes().orElse(0) / Math.max(report.bytesPerSecond(), 1);
        return seconds > stateWait.toSeconds()
                ? Check.warning(
                        name,
                        found,
                        "raise --state-wait to " + 2 * seconds + "s: a checkpoint would take about " + seconds
                                + " s from there")
                : Check.ok(name, found);
    }

    /** @param wanted number of others that were waited for */
    static Optional<Check> attendance(int met, int wanted, String runId, Duration wait) {
        return met >= wanted
                ? Optional.empty()
                : Optional.of(Check.warning(
                        OTHERS,
                        met + " of " + wanted + " came to be examined for run " + runId + " within "
                                + SettingTexts.text(wait),
                        "start elastic-run doctor there at the same time with the same --run-id and --rdzv-endpoint;"
                                + " --wait 0 looks for none"));
    }

    static Check clock(List<PeerReport> peers) {
        if (peers.isEmpty()) {
            return Check.ok(CLOCK, "not compared, as no other node was met; a run compares no clocks of nodes");
        }
        PeerReport most =
                peers.stream().max(Comparator.comparingLong(PeerVerdict::apart)).orElseThrow();
        String found = Math.abs(most.clockMillis()) + " ms " + (most.clockMillis() > 0 ? "behind" : "ahead of")
                + " node " + most.node() + ", to " + most.clockUncertaintyMillis() + " ms";
        return apart(most) > CLOCKS_APART_MILLIS
                ? Check.warning(
                        CLOCK,
                        found,
                        "synchronize the clocks of the nodes: times in logs and events of several nodes do not fit, and"
                                + " certificates may not be valid yet")
                : Check.ok(CLOCK, found);
    }

    private static long apart(PeerReport peer) {
        return Math.abs(peer.clockMillis()) - peer.clockUncertaintyMillis();
    }
}
