/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PortRetriesTest {
    private static final AgentEvent.PortsReserved RESERVED = new AgentEvent.PortsReserved(1, List.of(2));

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedLoop loop = new SimulatedLoop(time);
    private final List<AgentEvent> posted = new ArrayList<>();
    private int failuresLeft;

    @Test
    void reserve_descriptorsUsedUpForAWhile_hasPortsInTheEnd() {
        failuresLeft = 3;

        reserveAndPass(Duration.ofSeconds(2));

        assertThat(posted).containsExactly(RESERVED);
    }

    @Test
    void reserve_neverPossible_endsTheAgentWithTheReason() {
        failuresLeft = Integer.MAX_VALUE;

        reserveAndPass(PortRetries.PATIENCE.minusSeconds(1));
        assertThat(posted).isEmpty();
        time.pass(Duration.ofSeconds(2));

        assertThat(posted).containsExactly(new AgentEvent.Aborted(1, "Too many open files, for 60 s"));
    }

    @Test
    void reserve_askedForAgainMeanwhile_answersBothAtOnce() {
        PortRetries ports = ports();
        failuresLeft = 2;
        loop.execute(() -> ports.reserve(1));
        loop.execute(() -> ports.reserve(0));

        time.pass(Duration.ofSeconds(2));

        assertThat(posted).containsExactly(RESERVED);
    }

    private void reserveAndPass(Duration span) {
        PortRetries ports = ports();
        loop.execute(() -> ports.reserve(1));
        time.pass(span);
    }

    private PortRetries ports() {
        return new PortRetries(
                loop,
                workers -> {
                    if (failuresLeft-- > 0) {
                        throw new IOException("Too many open files");
                    }
                    return new AgentEvent.PortsReserved(1, Collections.nCopies(workers, 2));
                },
                posted::add);
    }
}
