/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.runs;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A run by the events of the nodes whose files are on this host.
 *
 * @param logs directory with a directory for each of these nodes; empty = there are no files
 * @param nodes whose agents wrote events
 * @param policy empty = no agent has joined
 */
public record RunSummary(
        String run, Optional<Path> logs, State state, Span span, SortedSet<String> nodes, String policy, Work work) {

    /** Where a run is in its life. */
    public enum State {
        /** An agent is here. */
        RUNNING,
        SUCCEEDED,
        FAILED,
        /** No agent is here any more, and none that was here saw the end: the run may continue elsewhere. */
        LEFT;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * From the first event to the last one.
     *
     * @param reason of the end; empty = there is none
     * @param exitCode of agents at the end; -1 = there is none
     */
    public record Span(Optional<Instant> began, Optional<Instant> last, String reason, int exitCode) {}

    /**
     * What was done.
     *
     * @param round newest
     * @param worldSize in that round
     * @param step newest that a worker reported; 0 = none
     * @param total planned steps; 0 = not known
     * @param failures of workers that did not only follow from others
     */
    public record Work(long round, int worldSize, long step, long total, int failures) {}
}
