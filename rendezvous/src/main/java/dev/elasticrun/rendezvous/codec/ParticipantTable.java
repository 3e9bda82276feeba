/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import dev.elasticrun.proto.ParticipantsRecord;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.IndexedParticipants;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.Participant;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The participants of a stored round, by columns. Every node gets all of them with every round and most need only their
 * own place, so that the others are decoded when they are asked for.
 *
 * <p>Immutable but for what it remembers; safe for use by any thread.
 */
final class ParticipantTable extends AbstractList<Participant> implements IndexedParticipants, RandomAccess {
    private final ParticipantsRecord stored;
    private final int worldSize;
    private final String own;
    private final @Nullable Participant ownPlace;
    private volatile @Nullable List<Participant> decoded;

    /**
     * Reads all columns once.
     *
     * @param own the node whose place will be asked for: found on the way
     * @throws CorruptRecordException when the columns do not fit together
     */
    ParticipantTable(ParticipantsRecord stored, String own) {
        this.stored = stored;
        this.own = own;
        byte[] wanted = utf8(own);
        Participant place = null;
        Row row = new Row();
        int ranks = 0;
        while (row.next()) {
            ranks += row.size;
            if (place == null && row.ids.lastTextIs(wanted)) {
                place = row.participant();
            }
        }
        this.ownPlace = place;
        this.worldSize = ranks;
    }

    static ParticipantsRecord encode(List<Participant> participants) {
        if (participants instanceof ParticipantTable table) {
            return table.stored;
        }
        ColumnWriter hosts = new ColumnWriter();
        ColumnWriter ids = new ColumnWriter();
        ColumnWriter addresses = new ColumnWriter();
        ColumnWriter controlPorts = new ColumnWriter();
        ColumnWriter roleChanges = new ColumnWriter();
        ColumnWriter roles = new ColumnWriter();
        ColumnWriter revisions = new ColumnWriter();
        ColumnWriter generations = new ColumnWriter();
        ColumnWriter rankGaps = new ColumnWriter();
        ColumnWriter slots = new ColumnWriter();
        ColumnWriter seatCounts = new ColumnWriter();
        ColumnWriter ports = new ColumnWriter();
        ColumnWriter slotGaps = new ColumnWriter();
        ColumnWriter ages = new ColumnWriter();
        String role = "";
        long revision = 0;
        int rank = 0;
        for (Participant participant : participants) {
            NodeSpec spec = participant.spec();
            hosts.text(spec.hostLabel());
            ids.textAfter(utf8(spec.hostLabel()), utf8(spec.nodeId()));
            addresses.text(spec.address());
            controlPorts.port(spec.controlPort());
            boolean sameRole = spec.role().equals(role);
            roleChanges.run(sameRole ? 0 : 1);
            if (!sameRole) {
                roles.text(spec.role());
                role = spec.role();
            }
            revisions.signed(participant.createRevision() - revision);
            revision = participant.createRevision();
            generations.run(participant.generation());
            rankGaps.run(participant.firstRank() - rank);
            rank = participant.endRank();
            slots.run(spec.slots());
            seatCounts.run(participant.size());
            int slot = 0;
            for (Participant.Seat seat : participant.seats()) {
                slotGaps.run(seat.slot() - slot);
                slot = seat.slot() + 1;
                ages.run(participant.generation() - seat.attempt());
                ports.port(seat.port());
            }
        }
        return ParticipantsRecord.newBuilder()
                .setCount(participants.size())
                .setHostLabels(hosts.toBytes())
                .setNodeIds(ids.toBytes())
                .setAddresses(addresses.toBytes())
                .setControlPorts(controlPorts.toBytes())
                .setRoleChanges(roleChanges.toBytes())
                .setRoles(roles.toBytes())
                .setCreateRevisions(revisions.toBytes())
                .setGenerations(generations.toBytes())
                .setRankGaps(rankGaps.toBytes())
                .setSlots(slots.toBytes())
                .setSeatCounts(seatCounts.toBytes())
                .setWorkerPorts(ports.toBytes())
                .setSlotGaps(slotGaps.toBytes())
                .setAges(ages.toBytes())
                .build();
    }

    @Override
    public int worldSize() {
        return worldSize;
    }

    @Override
    public Optional<Participant> find(String nodeId) {
        if (nodeId.equals(own)) {
            return Optional.ofNullable(ownPlace);
        }
        byte[] wanted = utf8(nodeId);
        Row row = new Row();
        while (row.next()) {
            if (row.ids.lastTextIs(wanted)) {
                return Optional.of(row.participant());
            }
        }
        return Optional.empty();
    }

    @Override
    public int size() {
        return stored.getCount();
    }

    @Override
    public Participant get(int index) {
        List<Participant> all = decoded;
        if (all == null) {
            all = new ArrayList<>(stored.getCount());
            Row row = new Row();
            while (row.next()) {
                all.add(row.participant());
            }
            decoded = all;
        }
        return all.get(index);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Goes through all columns at once. */
    private final class Row {
        private static final int MAX_SLOTS = 1 << 16;

        private final ColumnReader hosts = new ColumnReader(stored.getHostLabels());
        private final ColumnReader ids = new ColumnReader(stored.getNodeIds());
        private final ColumnReader addresses = new ColumnReader(stored.getAddresses());
        private final ColumnReader controlPorts = new ColumnReader(stored.getControlPorts());
        private final ColumnReader roleChanges = new ColumnReader(stored.getRoleChanges());
        private final ColumnReader roles = new ColumnReader(stored.getRoles());
        private final ColumnReader revisions = new ColumnReader(stored.getCreateRevisions());
        private final ColumnReader generations = new ColumnReader(stored.getGenerations());
        private final ColumnReader rankGaps = new ColumnReader(stored.getRankGaps());
        private final ColumnReader slotCounts = new ColumnReader(stored.getSlots());
        private final ColumnReader seatCounts = new ColumnReader(stored.getSeatCounts());
        private final ColumnReader ports = new ColumnReader(stored.getWorkerPorts());
        private final ColumnReader slotGaps = new ColumnReader(stored.getSlotGaps());
        private final ColumnReader ages = new ColumnReader(stored.getAges());
        private int index;
        private String role = "";
        private int controlPort;
        private long revision;
        private int generation;
        private int firstRank;
        private int slots;
        private int size;
        private int[] seatSlots = new int[0];
        private int[] attempts = new int[0];
        private int[] workerPorts = new int[0];

        boolean next() {
            if (index == stored.getCount()) {
                return false;
            }
            index++;
            hosts.text();
            ids.textAfter(hosts);
            addresses.text();
            controlPort = controlPorts.port();
            if (roleChanges.run() != 0) {
                roles.text();
                role = roles.lastText();
            }
            revision += revisions.signed();
            generation = (int) generations.run();
            firstRank += size + (int) rankGaps.run();
            slots = bounded(slotCounts.run());
            size = bounded(seatCounts.run());
            if (size > workerPorts.length) {
                seatSlots = new int[size];
                attempts = new int[size];
                workerPorts = new int[size];
            }
            int slot = 0;
            for (int i = 0; i < size; i++) {
                seatSlots[i] = unused(slot + slotGaps.run(), i);
                slot = seatSlots[i] + 1;
                attempts[i] = generation - (int) ages.run();
                workerPorts[i] = ports.port();
            }
            return true;
        }

        Participant participant() {
            List<Participant.Seat> seats = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                seats.add(new Participant.Seat(seatSlots[i], attempts[i], workerPorts[i]));
            }
            return new Participant(
                    new NodeSpec(ids.lastText(), hosts.lastText(), addresses.lastText(), controlPort, role, slots),
                    revision,
                    generation,
                    firstRank,
                    seats);
        }

        // Workers without a rank before take the ranks of others: slots are not in order, but each is there once.
        private int unused(long slot, int before) {
            for (int i = 0; i < before; i++) {
                if (seatSlots[i] == slot) {
                    throw new CorruptRecordException("round: a node with two workers in slot " + slot, null);
                }
            }
            if (slot < 0 || slot > MAX_SLOTS) {
                throw new CorruptRecordException("round: a worker in slot " + slot, null);
            }
            return (int) slot;
        }

        private static int bounded(long count) {
            if (count < 0 || count > MAX_SLOTS) {
                throw new CorruptRecordException("round: a node of " + count + " workers", null);
            }
            return (int) count;
        }
    }
}
