/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.view.RangeChecks;
import dev.elasticrun.rendezvous.view.RangeView;
import dev.elasticrun.rendezvous.view.RunStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Views one command in the store and the nodes that it is about, for as long as a caller waits for it: kept current by
 * watches, which are checked once per lease. Methods are called in the loop. To be closed.
 */
public final class CommandView {
    private final RunKeys keys;
    private final long number;
    private final RangeView command;
    private final RangeView nodes;
    private final RangeChecks checks;
    private boolean nodesWanted;

    /** @param onChange called in the loop whenever something here is another than before */
    public CommandView(RunStore run, Duration period, Command asked, Runnable onChange) {
        this.keys = run.keys();
        this.number = asked.number();
        this.command = run.view(KeyRange.key(keys.command(number)), onChange);
        KeyRange about = asked.kind() == Command.Kind.DRAIN
                ? KeyRange.key(keys.node(asked.nodeId()))
                : KeyRange.prefix(keys.nodes());
        this.nodes = run.view(about, onChange);
        this.checks = run.checks(period, List.of(command, nodes));
    }

    public void start() {
        command.start();
        checks.start();
    }

    /** What became of the command; empty = it waits, or is not known yet. */
    public Optional<CommandResult> settled() {
        KeyValue entry = command.entry(keys.command(number));
        if (entry == null) {
            return Optional.empty();
        }
        try {
            return CommandCodec.decode(entry).settled();
        } catch (CorruptRecordException e) {
            // The coordinator leaves it alone, and logs that.
            return Optional.empty();
        }
    }

    /**
     * The live nodes, of a drain only the one that leaves; looked at from the first call on, as this costs others time.
     *
     * @return empty = not known yet
     */
    public Optional<List<NodeRecord>> nodes() {
        if (!nodesWanted) {
            nodesWanted = true;
            nodes.start();
        }
        return nodes.listed()
                ? Optional.of(nodes.entries().values().stream()
                        .map(entry -> StoredRecord.node(entry).record())
                        .toList())
                : Optional.empty();
    }

    /** Nothing is asked of the store any more. */
    public void close() {
        checks.close();
        command.close();
        nodes.close();
    }
}
