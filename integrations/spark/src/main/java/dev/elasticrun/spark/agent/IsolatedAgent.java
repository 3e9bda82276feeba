/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.agent;

import dev.elasticrun.agent.ElasticLauncher;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.view.FailureReport;
import dev.elasticrun.spark.bridge.AgentEnd;
import dev.elasticrun.spark.bridge.RunningAgent;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One agent of this process. */
final class IsolatedAgent implements RunningAgent {
    private final ElasticLauncher.Running running;
    private final CompletableFuture<LaunchResult> result;

    IsolatedAgent(ElasticLauncher.Running running) {
        this.running = running;
        this.result = running.result();
    }

    @Override
    public void drain() {
        running.drain(ExitCode.DRAINED);
    }

    @Override
    public Optional<AgentEnd> await(Duration atMost) throws InterruptedException {
        try {
            return Optional.of(end(result.get(atMost.toMillis(), TimeUnit.MILLISECONDS)));
        } catch (TimeoutException stillRuns) {
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(new AgentEnd(
                    running.nodeId(),
                    ExitCode.WORKER_FAILURE.code(),
                    "the agent failed: " + e.getCause(),
                    "",
                    Map.of()));
        }
    }

    private static AgentEnd end(LaunchResult ended) {
        return new AgentEnd(
                ended.nodeId(),
                ended.exitCode(),
                ended.reason(),
                FailureReport.render(ended, ZoneId.systemDefault()),
                ended.results());
    }
}
