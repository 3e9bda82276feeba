/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.ContentPool;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointAgreement;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalAgreement;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityGroups;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityPlan;
import dev.elasticrun.worker.internal.net.Digest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Ranks with real bytes of local states and of blocks, which carry out plans as they would over links. */
final class ParityWorld {
    static final CheckpointId ID = new CheckpointId("i", 1, 5, 77);

    private final int owners;
    private final int size;
    private final long world;
    private final long round;
    private final List<Node> ranks;

    /** What one rank has; none = a newcomer. */
    record Node(
            String name,
            int place,
            boolean isNew,
            Map<CheckpointInventory.Local, byte[]> states,
            Map<CheckpointInventory.ParityBlock, byte[]> blocks) {
        static Node newcomer(String name) {
            return new Node(name, -1, true, Map.of(), Map.of());
        }
    }

    private ParityWorld(int owners, int size, long world, long round, List<Node> ranks) {
        this.owners = owners;
        this.size = size;
        this.world = world;
        this.round = round;
        this.ranks = List.copyOf(ranks);
    }

    /** All have committed a state of their own, with parity. */
    static ParityWorld committed(List<String> names, int size, List<byte[]> states) {
        List<CheckpointInventory.Local> locals = new ArrayList<>();
        Map<Integer, byte[]> bytes = new HashMap<>();
        for (int rank = 0; rank < names.size(); rank++) {
            byte[] state = states.get(rank);
            locals.add(new CheckpointInventory.Local(rank, rank, true, state.length, Digest.of(state, state.length)));
            bytes.put(rank, state);
        }
        return place(names.size(), size, 1, 1, names, locals, bytes);
    }

    List<Node> ranks() {
        return ranks;
    }

    LocalAgreement agree(List<Node> next, long nextWorld) {
        List<CheckpointInventory> inventories = inventories(next);
        List<String> names = next.stream().map(Node::name).toList();
        return LocalAgreement.of(
                inventories,
                CheckpointAgreement.of(inventories),
                nextWorld,
                LocalRedundancy.parity(size).placement(names));
    }

    /** The next round, as the agreement has it; lost states are gone. */
    ParityWorld start(List<Node> next, LocalAgreement agreement, long nextWorld) {
        List<CheckpointInventory.Local> locals = new ArrayList<>();
        Map<Integer, byte[]> bytes = new TreeMap<>();
        for (LocalAgreement.Share share : agreement.shares()) {
            if (!share.isLost()) {
                locals.add(share.state());
                bytes.put(share.owner(), bytes(next, share));
            }
        }
        return place(
                owners,
                size,
                nextWorld,
                round + 1,
                next.stream().map(Node::name).toList(),
                locals,
                bytes);
    }

    /** What the keeper of a share gets. */
    static byte[] bytes(List<Node> holders, LocalAgreement.Share share) {
        if (!share.isRebuilt()) {
            return state(holders.get(share.sources().get(0)), share.owner());
        }
        return make(share.length(), share.pieces(), piece -> {
            Node holder = holders.get(piece.from());
            return piece.source() instanceof ParityPlan.Source.State state
                    ? state(holder, state.owner())
                    : holder.blocks().entrySet().stream()
                            .filter(each -> each.getKey().source().equals(piece.source()))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElseThrow();
        });
    }

    long blockBytes() {
        return ranks.stream()
                .flatMap(rank -> rank.blocks().values().stream())
                .mapToLong(block -> block.length)
                .sum();
    }

    private static ParityWorld place(
            int owners,
            int size,
            long world,
            long round,
            List<String> names,
            List<CheckpointInventory.Local> locals,
            Map<Integer, byte[]> bytes) {
        List<Map<CheckpointInventory.ParityBlock, byte[]>> blocks = new ArrayList<>();
        names.forEach(name -> blocks.add(new HashMap<>()));
        for (ParityGroups.Seating seating : new ParityGroups(names, size).seatings(locals)) {
            for (int seat = 0; seat < seating.set().seats(); seat++) {
                ParityPlan plan = ParityPlan.block(seating, seat);
                byte[] block = make(plan.length(), plan.pieces(), piece -> Optional.ofNullable(
                                bytes.get(((ParityPlan.Source.State) piece.source()).owner()))
                        .orElseThrow());
                blocks.get(plan.to()).put(new CheckpointInventory.ParityBlock(seating.set(), seat), block);
            }
        }
        List<Node> ranks = new ArrayList<>();
        for (int rank = 0; rank < names.size(); rank++) {
            Map<CheckpointInventory.Local, byte[]> states = new HashMap<>();
            for (CheckpointInventory.Local local : locals) {
                if (local.keeper() == rank) {
                    states.put(
                            local, Optional.ofNullable(bytes.get(local.owner())).orElseThrow());
                }
            }
            ranks.add(new Node(names.get(rank), rank, false, states, blocks.get(rank)));
        }
        return new ParityWorld(owners, size, world, round, ranks);
    }

    private interface Contents {
        byte[] of(ParityPlan.Piece piece);
    }

    private static byte[] make(long length, List<ParityPlan.Piece> pieces, Contents contents) {
        ParityBuffer buffer = new ParityBuffer((int) length, true, new ContentPool(0));
        for (ParityPlan.Piece piece : pieces) {
            byte[] part = new byte[(int) piece.length()];
            System.arraycopy(contents.of(piece), (int) piece.at(), part, 0, part.length);
            buffer.xor(piece.into(), part, part.length);
        }
        return buffer.content().toBytes();
    }

    private static byte[] state(Node holder, int owner) {
        return holder.states().entrySet().stream()
                .filter(each -> each.getKey().owner() == owner)
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    private List<CheckpointInventory> inventories(List<Node> next) {
        return next.stream().map(this::inventory).toList();
    }

    private CheckpointInventory inventory(Node node) {
        if (node.isNew()) {
            return new CheckpointInventory(0, false, List.of(), List.of());
        }
        CheckpointInventory.Copy copy = new CheckpointInventory.Copy(
                ID,
                owners,
                100,
                CheckpointInventory.State.COMMITTED,
                new CheckpointInventory.Locals(
                        true,
                        false,
                        world,
                        node.place(),
                        List.copyOf(node.states().keySet()),
                        List.copyOf(node.blocks().keySet())));
        return new CheckpointInventory(round, false, List.of(copy), List.of());
    }
}
