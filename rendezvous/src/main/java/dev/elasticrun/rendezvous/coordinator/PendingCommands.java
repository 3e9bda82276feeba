/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.view.RangeView;
import dev.elasticrun.rendezvous.view.RunStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commands of users, as the run's coordinator sees them. Owned by the loop. */
final class PendingCommands {
    private static final Logger LOG = LoggerFactory.getLogger(PendingCommands.class);

    private final RangeView view;
    private final RunKeys keys;
    private final String incarnation;
    private long complainedOf;

    PendingCommands(RunStore run, String incarnation, Runnable onChange) {
        this.keys = run.keys();
        this.view = run.view(KeyRange.prefix(keys.commands()), onChange);
        this.incarnation = incarnation;
    }

    /** Its owner starts, checks and closes it. */
    RangeView view() {
        return view;
    }

    /**
     * Those that wait, in order. What is in the newest round decides: the view may be old.
     *
     * @param round null before the first
     */
    List<Command> pending(@Nullable Round round) {
        long consumed = round == null ? 0 : round.lastCommand();
        List<Command> pending = new ArrayList<>();
        for (KeyValue entry : view.entries().values()) {
            if (number(entry) > consumed) {
                add(entry, pending);
            }
        }
        pending.sort(Comparator.comparingLong(Command::number));
        return pending;
    }

    private void add(KeyValue entry, List<Command> pending) {
        try {
            CommandCodec.Stored stored = CommandCodec.decode(entry);
            if (stored.settled().isEmpty() && stored.incarnation().equals(incarnation)) {
                pending.add(stored.command().numbered(number(entry)));
            }
        } catch (CorruptRecordException e) {
            // No agent wrote it: the run continues.
            if (complainedOf != entry.modRevision()) {
                complainedOf = entry.modRevision();
                LOG.warn("a command that is none is left alone: {}", e.getMessage());
            }
        }
    }

    private long number(KeyValue entry) {
        return CommandCodec.number(keys, entry.key());
    }
}
