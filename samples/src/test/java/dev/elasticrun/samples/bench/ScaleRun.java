/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.store.etcd.EtcdThreads;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.LocalProtection;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import dev.elasticrun.rendezvous.terms.RunKeySource;
import dev.elasticrun.rendezvous.terms.RunTerms;
import dev.elasticrun.rendezvous.terms.StoreContact;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One run of N stub agents on one etcd: formed, left idle, robbed of one per cent of its nodes, ended. */
final class ScaleRun implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Threads for the loops of all agents but the first, and as many for all connections. */
    private static final int LOOPS = 2;

    private final String endpoint;
    private final RendezvousConfig config;
    /** Looked up once: each process does so, but not a thousand times over. */
    private final RestartPolicyStrategy strategy = RestartPolicies.byName("soft");

    private final int count;
    private final int slots;
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final List<StubAgent> agents = new ArrayList<>();
    private final List<ThreadEventLoop> loops = new ArrayList<>();
    private final EtcdThreads threads = new EtcdThreads(LOOPS);
    private volatile Awaited awaited = new Awaited(-1, new CountDownLatch(0));

    /**
     * What one phase cost.
     *
     * @param millis until the last agent had received the round; of an idle phase, its length
     * @param coordinatorMillis processor time of the coordinator's loop
     * @param agentMillis processor time of all agents, the coordinator included
     */
    public record Phase(double millis, EtcdCounters etcd, double coordinatorMillis, double agentMillis, int members) {}

    /** A sealed round of this many members, on its way to all of them. */
    private record Awaited(int members, CountDownLatch missing) {}

    ScaleRun(String endpoint, String runId, int count, int slots, Duration lease) {
        this.endpoint = endpoint;
        this.count = count;
        this.slots = slots;
        for (int i = 0; i <= LOOPS; i++) {
            loops.add(new ThreadEventLoop("agents-" + i, error -> troubles.add(error.toString())));
        }
        this.config = new RendezvousConfig(
                runId,
                new RunTerms(
                        new NodeBounds(Math.max(1, count / 2), count),
                        strategy.name(),
                        "none",
                        "off",
                        LocalProtection.copies(2),
                        3),
                LeaseTimes.of(lease),
                new RoundTimes(
                        Duration.ofMinutes(10),
                        Duration.ofMinutes(2),
                        Duration.ofMillis(500),
                        Duration.ZERO,
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(10)),
                new StoreContact("etcd at " + endpoint, Duration.ofMinutes(1), Duration.ofMinutes(1)),
                new RunKeySource(null, true));
    }

    /** From the start of all agents to the last one's first sealed round. */
    Phase form() {
        return measured(count, () -> {
            for (int i = 0; i < count; i++) {
                StubAgent agent = new StubAgent(
                        i,
                        slots,
                        endpoint,
                        // The first one coordinates: its loop is its own, so that its processor time is known.
                        loops.get(i == 0 ? 0 : 1 + i % LOOPS),
                        threads,
                        config,
                        strategy,
                        this::sealed,
                        troubles::add);
                agents.add(agent);
                agent.start();
            }
        });
    }

    /** From the death of some nodes, proved at once by the coordinator, to the last survivor's new round. */
    Phase lose(int losses) {
        StubAgent coordinator = coordinator();
        Map<String, Long> leases = coordinator.leases().join();
        List<StubAgent> victims = new ArrayList<>();
        int step = agents.size() / losses;
        for (int i = 0; i < losses; i++) {
            StubAgent victim = agents.get(i * step + step / 2);
            victims.add(victim == coordinator ? agents.get(i * step + step / 2 - 1) : victim);
        }
        Phase phase = measured(agents.size() - losses, () -> {
            for (StubAgent victim : victims) {
                victim.kill();
                coordinator.proveDead(victim, leases.getOrDefault(victim.nodeId(), 0L));
            }
        });
        agents.removeAll(victims);
        return phase;
    }

    /** Nothing happens. */
    Phase idle(Duration length) {
        return measured(-1, () -> LockSupport.parkNanos(length.toNanos()));
    }

    /** Size of the key {@code round} as it is stored now. */
    int documentBytes() {
        try (EtcdStore store = EtcdStore.connect(EtcdStoreConfig.of(List.of(endpoint)))) {
            KeyRange key = KeyRange.key("/elastic-run/v1/" + config.runId() + "/round");
            return store.range(key).join().entries().stream()
                    .mapToInt(entry -> entry.value().length)
                    .sum();
        }
    }

    /** What went wrong, and how often: a run with a fenced agent measures something else. Empty when all went well. */
    String troubles() {
        Map<String, Long> counted = troubles.stream()
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        return counted.isEmpty() ? "" : counted.toString();
    }

    @Override
    public void close() {
        CompletableFuture<?>[] ends = agents.stream().map(StubAgent::leave).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(ends)
                .completeOnTimeout(null, LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
        agents.forEach(StubAgent::kill);
        loops.forEach(ThreadEventLoop::close);
        threads.close();
    }

    private Phase measured(int members, Runnable cause) {
        EtcdCounters etcd = EtcdCounters.read(endpoint);
        double agentsBefore = processMillis();
        Map<Long, Double> before = loopMillis();
        Awaited next = new Awaited(members, new CountDownLatch(Math.max(0, members)));
        awaited = next;
        long start = System.nanoTime();
        cause.run();
        try {
            if (!next.missing().await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("agents without a round of " + members + " members: "
                        + next.missing().getCount() + " (expected: 0) after " + LIMIT.toSeconds() + " s; "
                        + troubles());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        double millis = (System.nanoTime() - start) / 1e6;
        if (members >= 0) {
            settle();
        }
        long thread = coordinator().threadId();
        double coordinator = loopMillis().getOrDefault(thread, 0.0) - before.getOrDefault(thread, 0.0);
        return new Phase(
                millis, EtcdCounters.read(endpoint).since(etcd), coordinator, processMillis() - agentsBefore, members);
    }

    /** Acknowledgements belong to the cost of a round, but not to its time. */
    private void settle() {
        long revision = -1;
        for (long now = EtcdCounters.read(endpoint).revision();
                now != revision;
                now = EtcdCounters.read(endpoint).revision()) {
            revision = now;
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    private void sealed(StubAgent agent, Round round) {
        Awaited current = awaited;
        if (round.participants().size() == current.members()) {
            current.missing().countDown();
        }
    }

    private StubAgent coordinator() {
        return agents.stream().filter(StubAgent::coordinator).findFirst().orElseThrow();
    }

    private Map<Long, Double> loopMillis() {
        return agents.stream()
                .filter(StubAgent::coordinator)
                .collect(Collectors.toMap(
                        StubAgent::threadId,
                        agent -> ManagementFactory.getThreadMXBean().getThreadCpuTime(agent.threadId()) / 1e6));
    }

    private static double processMillis() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e6;
    }
}
