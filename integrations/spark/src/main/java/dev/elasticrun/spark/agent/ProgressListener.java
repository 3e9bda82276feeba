/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.agent;

import dev.elasticrun.agent.LaunchEvent;
import dev.elasticrun.agent.LaunchListener;
import dev.elasticrun.spark.bridge.AgentProgress;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/** Passes on how far the run is. */
final class ProgressListener implements LaunchListener {
    private final AgentProgress progress;
    // Events come on another thread.
    private volatile long round;
    private volatile Supplier<Optional<URI>> page = Optional::empty;

    ProgressListener(AgentProgress progress) {
        this.progress = progress;
    }

    /** @param where where the agent serves its page, once that is known; does not block */
    void servedAt(Supplier<Optional<URI>> where) {
        page = where;
    }

    @Override
    public boolean showsProgress() {
        return true;
    }

    @Override
    public void progress(String line) {
        if (!line.isEmpty()) {
            progress.at(round, line, page.get().map(URI::toString).orElse(""));
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
