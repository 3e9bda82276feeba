/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.rendezvous.store.StoreFacts;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import java.util.ArrayList;
import java.util.List;

/** Whether a store serves a run well. Pure. */
final class StoreVerdict {
    private static final String STORE = "store";
    private static final String WRITES = "writes of the store";
    private static final String SPACE = "space of the store";
    /** A server does not report its quota; this is what etcd has unless it is configured. */
    private static final long USUAL_QUOTA = 2L << 30;

    private static final long MUCH = USUAL_QUOTA / 10 * 8;
    /** Renewals of leases that take this part of the time between two of them are late under load. */
    private static final int PARTS_OF_A_HEARTBEAT = 5;

    private StoreVerdict() {}

    /** No store could be opened. */
    static Check unreachable(String trouble) {
        return Check.error(
                STORE,
                trouble,
                "check --rdzv-endpoint and --rdzv-backend, and that a process listens there and is reached");
    }

    /** @param name of the store, as in messages */
    static List<Check> of(String name, StoreProbe.Answer answer, LeaseTimes lease) {
        if (!answer.isReachable()) {
            return List.of(Check.error(
                    STORE,
                    name + ": " + answer.trouble(),
                    "check --rdzv-endpoint, the flags of its certificates and user, and its log; agents need to write"
                            + " below /elastic-run/"));
        }
        List<Check> checks = new ArrayList<>();
        checks.add(Check.ok(
                STORE,
                name
                        + answer.facts()
                                .map(facts -> ", version " + facts.version())
                                .orElse("")));
        answer.writes().ifPresent(writes -> checks.add(writes(writes, lease)));
        answer.facts().ifPresent(facts -> checks.add(space(facts)));
        return checks;
    }

    private static Check writes(Latencies writes, LeaseTimes lease) {
        long heartbeat = lease.heartbeat().toNanos();
        String found = writes.text();
        if (writes.p50Nanos() >= heartbeat) {
            return Check.error(
                    WRITES,
                    found,
                    "give the store a faster disk or network, or raise --lease-ttl: nodes would lose their leases, which"
                            + " are renewed every " + lease.heartbeat().toMillis() + " ms");
        }
        return writes.p99Nanos() > heartbeat / PARTS_OF_A_HEARTBEAT
                ? Check.warning(
                        WRITES,
                        found,
                        "look at the store's disk, network and load: leases are renewed every "
                                + lease.heartbeat().toMillis() + " ms; a higher --lease-ttl bears slower writes")
                : Check.ok(WRITES, found);
    }

    private static Check space(StoreFacts facts) {
        String found = Sizes.text(facts.usedBytes()) + " of " + Sizes.text(facts.allocatedBytes()) + " in use";
        if (!facts.alarms().isEmpty()) {
            return Check.error(
                    SPACE,
                    found + ", alarms " + String.join(", ", facts.alarms()),
                    "see etcdctl alarm list; after NOSPACE make room by compaction and defrag, then etcdctl alarm disarm");
        }
        return facts.allocatedBytes() > MUCH
                ? Check.warning(
                        SPACE,
                        found + "; its quota is not reported, and usually " + Sizes.text(USUAL_QUOTA),
                        "make room by compaction and defrag, or raise its --quota-backend-bytes")
                : Check.ok(SPACE, found + ", no alarm");
    }
}
