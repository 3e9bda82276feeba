/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.Checkpoint;
import dev.elasticrun.worker.internal.checkpoint.Content;
import dev.elasticrun.worker.internal.checkpoint.ParityPart;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalAgreement;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalHoldings;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityGroups;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityPlan;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParitySet;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The part of a round's start that is about parity: computes lost local states from what is left of their sets, and makes
 * the blocks of the sets of this world that ranks lack. A round that breaks meanwhile begins with this anew. User thread.
 */
final class ParityRestore {
    private static final System.Logger LOGGER = System.getLogger(ParityRestore.class.getName());

    private final PeerMesh mesh;
    private final Mixtures mixtures;
    private final CheckpointId id;
    private final Optional<Checkpoint> held;
    private final List<Content> computed = new ArrayList<>();

    /**
     * @param mixtures where what is computed is put
     * @param held what this rank has of the checkpoint from which the round starts
     */
    ParityRestore(PeerMesh mesh, Mixtures mixtures, Optional<Checkpoint> held) {
        this.mesh = mesh;
        this.mixtures = mixtures;
        this.id = mixtures.id();
        this.held = held;
    }

    /**
     * All ranks call it, when each state that a rank has is with its keeper.
     *
     * @param states where this rank's computed states are put, by owner
     * @return the same agreement, in which states are lost that were computed and are not what they were
     */
    LocalAgreement rebuild(LocalAgreement locals, Map<Integer, StatePart> states) throws BrokenLinkException {
        List<LocalAgreement.Share> rebuilt =
                locals.shares().stream().filter(LocalAgreement.Share::isRebuilt).toList();
        if (rebuilt.isEmpty()) {
            return locals;
        }
        List<ParityPlan> plans = rebuilt.stream()
                .map(share -> new ParityPlan(
                        share.keeper(), new ParityPlan.Source.State(share.owner()), share.length(), share.pieces()))
                .toList();
        Map<ParityPlan.Source, Content> made = new ParityTransfer(mesh, mixtures).run(plans, this::heldContent);
        Set<Integer> wrong = new HashSet<>();
        Map<Integer, List<LocalAgreement.Share>> byKeeper = new TreeMap<>();
        for (LocalAgreement.Share share : rebuilt) {
            byKeeper.computeIfAbsent(share.keeper(), any -> new ArrayList<>()).add(share);
            Content content = made.get(new ParityPlan.Source.State(share.owner()));
            if (content != null && !isRight(share, content)) {
                content.release();
                wrong.add(share.owner());
            } else if (content != null) {
                computed.add(content);
                states.put(
                        share.owner(),
                        new StatePart(share.owner(), share.keeper(), share.isOwn(), share.digest(), content));
            }
        }
        return locals.without(allWrong(byKeeper, wrong));
    }

    /** The round breaks: what was computed is not used. */
    void release() {
        computed.forEach(Content::release);
    }

    private boolean isRight(LocalAgreement.Share share, Content content) {
        boolean isRight = content.digest() == share.digest();
        if (!isRight) {
            LOGGER.log(
                    Level.ERROR,
                    "the local state of rank " + share.owner() + " of version " + id.version()
                            + " cannot be computed from parity: a block or another state of its set is damaged");
        } else {
            LOGGER.log(
                    Level.INFO,
                    "computed the local state of rank " + share.owner() + " of version " + id.version()
                            + " from parity: " + content.length() + " bytes");
        }
        return isRight;
    }

    // Each keeper sends a byte for each of its states to all, so that all ranks know which are lost.
    private Set<Integer> allWrong(Map<Integer, List<LocalAgreement.Share>> byKeeper, Set<Integer> wrongHere)
            throws BrokenLinkException {
        List<LocalAgreement.Share> own = byKeeper.getOrDefault(mesh.rank(), List.of());
        ByteBuffer frame = ByteBuffer.allocate(own.size());
        own.forEach(share -> frame.put((byte) (wrongHere.contains(share.owner()) ? 0 : 1)));
        frame.flip();
        for (int peer = 0; !own.isEmpty() && peer < mesh.size(); peer++) {
            if (peer != mesh.rank()) {
                mesh.link(peer).send(frame.duplicate());
            }
        }
        Set<Integer> wrong = new HashSet<>(wrongHere);
        for (Map.Entry<Integer, List<LocalAgreement.Share>> of : byKeeper.entrySet()) {
            if (of.getKey() != mesh.rank()) {
                ByteBuffer results = mesh.link(of.getKey()).receive();
                if (results.remaining() != of.getValue().size()) {
                    throw BrokenLinkException.malformed(
                            of.getKey(),
                            "a frame of " + results.remaining() + " bytes (expected: "
                                    + of.getValue().size() + ")");
                }
                for (LocalAgreement.Share share : of.getValue()) {
                    if (results.get() != 1) {
                        wrong.add(share.owner());
                    }
                }
            }
        }
        return wrong;
    }

    /**
     * All ranks call it. Returns this rank's blocks in this world: those that it has, and those that are made now.
     *
     * @param states what this rank keeps, by owner
     */
    List<ParityPart> protect(
            LocalAgreement locals, ParityGroups groups, LocalHoldings holdings, IntFunction<StatePart> states)
            throws BrokenLinkException {
        List<ParityGroups.Seating> seatings = groups.seatings(locals.shares().stream()
                .filter(share -> !share.isLost())
                .map(LocalAgreement.Share::state)
                .toList());
        List<ParityPlan> plans = new ArrayList<>();
        for (ParityGroups.Seating seating : seatings) {
            for (int seat = 0; seat < seating.set().seats(); seat++) {
                ParityPlan.Source.Block block = ParityPlan.Source.Block.of(seating.set(), seat);
                if (!holdings.hasBlock(seating.holders().get(seat), block)) {
                    plans.add(ParityPlan.block(seating, seat));
                }
            }
        }
        Map<ParityPlan.Source, Content> made = new ParityTransfer(mesh, mixtures)
                .run(plans, source -> states.apply(((ParityPlan.Source.State) source).owner())
                        .content());
        List<ParityPart> parts = new ArrayList<>();
        for (ParityGroups.Seating seating : seatings) {
            Optional<Integer> seat = seating.seat(mesh.rank());
            if (seat.isPresent()) {
                ParityPlan.Source.Block block = ParityPlan.Source.Block.of(seating.set(), seat.get());
                Content content = made.get(block);
                parts.add(
                        content == null
                                ? heldPart(block, seating.set())
                                : Mixtures.part(seating.set(), seat.get(), content));
            }
        }
        return parts;
    }

    /** A block that stays, in a set whose states may have other keepers. */
    private ParityPart heldPart(ParityPlan.Source.Block block, ParitySet set) {
        ParityPart part = heldBlock(block);
        return new ParityPart(set, block.seat(), part.content(), part.digest());
    }

    private Content heldContent(ParityPlan.Source source) {
        if (source instanceof ParityPlan.Source.State state) {
            return held.orElseThrow().local(state.owner()).orElseThrow().content();
        }
        return heldBlock(source).content();
    }

    private ParityPart heldBlock(ParityPlan.Source source) {
        return held.orElseThrow().parity().stream()
                .filter(part -> part.describe().source().equals(source))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("cannot find " + source));
    }
}
