/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.agent;

import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.tune.PoolMember;
import dev.elasticrun.spark.bridge.AgentEnd;
import dev.elasticrun.spark.bridge.RunningAgent;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An agent of a pool in this process. */
final class PooledAgent implements RunningAgent {
    private final PoolMember.Joined joined;
    private final CompletableFuture<?> ended;

    PooledAgent(PoolMember.Joined joined) {
        this.joined = joined;
        this.ended = joined.ended();
    }

    @Override
    public void drain() {
        joined.end();
    }

    @Override
    public Optional<AgentEnd> await(Duration atMost) throws InterruptedException {
        try {
            ended.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.of(end(ExitCode.DRAINED, "left the pool"));
        } catch (TimeoutException stillWorks) {
            return Optional.empty();
        } catch (ExecutionException e) {
            // Another attempt may find the store again.
            return Optional.of(end(ExitCode.STORE_LOST, "the agent of the pool failed: " + e.getCause()));
        }
    }

    private static AgentEnd end(ExitCode code, String reason) {
        return new AgentEnd("", code.code(), reason, "", Map.of());
    }
}
