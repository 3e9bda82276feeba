/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.view.RangeView;
import dev.elasticrun.rendezvous.view.RunStore;
import java.util.Optional;

/**
 * The newest checkpoint that the run has completed, as its key states. It is watched only where restarts come back by progress.
 * Owned by the loop.
 */
final class CompletedCheckpoint {
    private final Optional<RangeView> view;

    CompletedCheckpoint(RunStore run, boolean isWatched, Runnable onChange) {
        this.view =
                isWatched ? Optional.of(run.view(KeyRange.key(run.keys().checkpoint()), onChange)) : Optional.empty();
    }

    /** Its owner starts, checks and closes it; empty = nothing is watched. */
    Optional<RangeView> view() {
        return view;
    }

    /** {@link RunVersion#NONE} where nothing is watched. */
    RunVersion newest() {
        return view.stream()
                .flatMap(open -> open.entries().values().stream())
                .map(StoredRecord::checkpoint)
                .reduce(RunVersion.NONE, RunVersion::orNewer);
    }
}
