/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.agent;

import dev.elasticrun.agent.LaunchEvent;
import dev.elasticrun.agent.LaunchListener;
import dev.elasticrun.spark.bridge.AgentProgress;

/** Passes on how far the run is. */
final class ProgressListener implements LaunchListener {
    private final AgentProgress progress;
    // Events come on another thread.
    private volatile long round;

    ProgressListener(AgentProgress progress) {
        this.progress = progress;
    }

    @Override
    public boolean showsProgress() {
        return true;
    }

    @Override
    public void progress(String line) {
        if (!line.isEmpty()) {
            progress.at(round, line);
        }
    }

    @Override
    public void event(LaunchEvent event) {
        round = Math.max(round, event.round());
        if (event.kind().equals("round.sealed")) {
            progress.began(
                    event.round(),
                    "world " + event.fields().get("world_size") + ": "
                            + event.fields().get("cause"));
        }
    }
}
