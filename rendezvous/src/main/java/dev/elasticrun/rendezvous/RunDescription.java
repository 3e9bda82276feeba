/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.plan.Snapshot;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RunSpec;
import dev.elasticrun.rendezvous.terms.RunTerms;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as the store has it, for display.
 *
 * @param terms as they are now: a run can be scaled
 * @param nodes live nodes in join order
 * @param round newest round, with what is used of the budget by now as far as that is known; null before the first
 * @param coordinator node id; empty when there is none
 */
public record RunDescription(
        String runId,
        String incarnation,
        RunTerms terms,
        List<NodeRecord> nodes,
        @Nullable Round round,
        String coordinator) {

    public RunDescription {
        nodes = List.copyOf(nodes);
    }

    /**
     * What is used of the restart budget. The stored round has what counts by now.
     *
     * @param seen the newest round that the caller knows, which may be newer than the stored one
     */
    public UsedRestarts used(Round seen) {
        return round != null && round.number() >= seen.number() ? round.used() : seen.used();
    }

    /**
     * How long a record of the round has been known.
     *
     * @param revision at which it was written; 0 = none is known
     */
    record Known(long revision, Duration age) {
        static final Known NOTHING = new Known(0, Duration.ZERO);

        private Round upToDate(KeyValue entry, RunSpec spec) {
            Round round = StoredRecord.round(entry);
            return entry.modRevision() == revision
                    ? round.withUsed(spec.terms().restarts().later(round.used(), age.toMillis(), false))
                    : round;
        }
    }

    /** @param all what {@link RunKeys#described} found */
    static RunDescription of(String runId, RunSpec spec, List<KeyValue> all, Known known) {
        RunKeys keys = RunKeys.of(runId);
        List<Node> nodes = new ArrayList<>();
        Round round = null;
        String coordinator = "";
        NodeBounds target = spec.terms().nodes();
        for (KeyValue entry : all) {
            if (entry.key().startsWith(keys.nodes())) {
                nodes.add(StoredRecord.node(entry));
            } else if (entry.key().equals(keys.round())) {
                round = known.upToDate(entry, spec);
            } else if (entry.key().equals(keys.target())) {
                target = CommandCodec.target(entry, spec);
            } else if (entry.key().equals(keys.coordinator())) {
                coordinator = new String(entry.value(), StandardCharsets.UTF_8);
            }
        }
        return new RunDescription(
                runId,
                spec.incarnation(),
                spec.terms().withNodes(target),
                new Snapshot(spec, nodes, round, null, List.of())
                        .nodes().stream().map(Node::record).toList(),
                round,
                coordinator);
    }
}
