/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Two nodes of two workers each in network namespaces, and an etcd in a third. The cable of one node is pulled, in turn
 * that of the coordinator and that of the other; nobody is notified. Once the survivor works alone it is plugged in again.
 */
final class SilenceBench implements AutoCloseable {
    private static final int NODES = 2;
    private static final int WORKERS = 2;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final NetworkLab lab;
    private final List<AgentProcess> agents = new ArrayList<>();
    private long round;

    private SilenceBench(NetworkLab lab) {
        this.lab = lab;
    }

    static String run(Path directory, int times, int stepMillis) throws IOException {
        try (NetworkLab lab = new NetworkLab(NODES).open();
                SilenceBench bench = new SilenceBench(lab)) {
            bench.start(directory, stepMillis);
            return bench.silence(times);
        }
    }

    private void start(Path directory, int stepMillis) {
        List<String> options = List.of(
                "--nnodes",
                "1:" + NODES,
                "--nproc-per-node",
                Integer.toString(WORKERS),
                "--rdzv-endpoint",
                lab.etcd().endpoint(),
                "--run-id",
                "silence-" + ProcessHandle.current().pid(),
                "--rejoin-back-off",
                "0",
                "--restart-policy",
                "soft");
        for (int node = 0; node < NODES; node++) {
            agents.add(AgentProcess.start(
                    lab.node(node), directory, options, Project.training(Integer.MAX_VALUE, stepMillis)));
        }
        awaitEverybody("start of the run");
    }

    private String silence(int times) {
        List<Recovery> coordinators = new ArrayList<>();
        List<Recovery> others = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            Patience.pause(RecoveryBench.REST);
            boolean coordinator = time % 2 == 0;
            int silent = coordinates(0) == coordinator ? 0 : 1;
            AgentProcess survivor = agents.get(1 - silent);
            long unplugged = System.nanoTime();
            lab.node(silent).unplug();
            Patience.until(
                    "recovery " + (time + 1) + " from silence",
                    LIMIT,
                    () -> survivor.log().resumedAfter(round).size() == WORKERS,
                    survivor::console);
            Recovery recovery = Recovery.of(unplugged, round, survivor.log(), List.of(survivor.log()));
            (coordinator ? coordinators : others).add(recovery);
            lab.node(silent).plug();
            awaitEverybody("return " + (time + 1) + " from silence");
            System.err.printf("silence %d of %d: resumed after %.1f ms%n", time + 1, times, recovery.resumed());
        }
        List<Recovery> all = new ArrayList<>(coordinators);
        all.addAll(others);
        return Recovery.table("A node falls silent (its link is down), lease 3 s", all)
                + Recovery.table("Of these, the coordinator", coordinators)
                + Recovery.table("Of these, another node", others);
    }

    private boolean coordinates(int index) {
        long elected = elected(agents.get(index));
        return agents.stream().allMatch(agent -> elected(agent) <= elected);
    }

    /** When it became coordinator for the last time; 0 = never. */
    private static long elected(AgentProcess agent) {
        return agent.log().all("coordinator.elected").stream()
                .mapToLong(event -> event.nanos())
                .max()
                .orElse(0);
    }

    private void awaitEverybody(String awaited) {
        round = RecoveryBench.awaitTogether(awaited, agents, NODES * WORKERS, round);
    }

    @Override
    public void close() {
        agents.forEach(AgentProcess::close);
    }
}
