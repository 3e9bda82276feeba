/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Connections by which agents prove each other's death. They are made after a round is sealed: who is killed before is
 * only lost when its lease ends. The agents must log them ({@code --verbose}).
 */
public final class Links {
    private Links() {}

    /**
     * Until each of these agents, all of one round, holds one to the coordinator, and one to the next of the ring.
     *
     * @return the agents in the order of their ranks
     */
    static List<AgentProcess> await(AgentProcess... agents) {
        List<AgentProcess> ring =
                Stream.of(agents).sorted(Comparator.comparingLong(Links::rank)).toList();
        AgentProcess coordinator = Recoveries.coordinator(agents);
        for (int i = 0; i < ring.size(); i++) {
            awaitHeld(ring.get(i), ring.get((i + 1) % ring.size()));
            if (ring.get(i) != coordinator) {
                ring.get(i).awaitOutput("link to " + nodeId(coordinator) + " OPEN->WATCHED", TestRun.LIMIT);
            }
        }
        return ring;
    }

    private static void awaitHeld(AgentProcess holder, AgentProcess held) {
        holder.awaitOutput("link to " + nodeId(held) + " OPEN->WATCHED", TestRun.LIMIT);
        held.awaitOutput("link from " + nodeId(holder) + " INTRODUCED->WATCHED", TestRun.LIMIT);
    }

    private static long rank(AgentProcess agent) {
        return agent.log().all("work.published").get(0).number("rank");
    }

    private static String nodeId(AgentProcess agent) {
        return agent.nodeId().orElseThrow();
    }
}
