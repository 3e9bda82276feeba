/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.checkpoint.Content;
import dev.elasticrun.worker.internal.checkpoint.ParityPart;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityGroups;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityPlan;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParitySet;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Makes the blocks that protect all ranks' local states, before a checkpoint is agreed on. User thread. */
final class ParityReplication {
    private static final int FRAME = 2 * Long.BYTES;

    private final PeerMesh mesh;
    private final Mixtures mixtures;
    private final ParityGroups groups;

    /** @param mixtures where the blocks are put */
    ParityReplication(PeerMesh mesh, Mixtures mixtures, ParityGroups groups) {
        this.mesh = mesh;
        this.mixtures = mixtures;
        this.groups = groups;
    }

    /** All ranks call it. Returns this rank's blocks, which are the caller's. */
    List<ParityPart> run(StatePart own) throws BrokenLinkException {
        int rank = mesh.rank();
        List<CheckpointInventory.Local> unknown = IntStream.range(0, mesh.size())
                .mapToObj(owner -> new CheckpointInventory.Local(owner, owner, true, 0, 0))
                .toList();
        List<ParityGroups.Seating> mine = groups.seatings(unknown).stream()
                .filter(seating -> seating.seat(rank).isPresent())
                .toList();
        List<ParityGroups.Seating> known = exchangeLengths(mine, own);
        List<ParityPlan> plans = new ArrayList<>();
        for (ParityGroups.Seating seating : known) {
            for (int seat = 0; seat < seating.set().seats(); seat++) {
                plans.add(ParityPlan.block(seating, seat));
            }
        }
        Map<ParityPlan.Source, Content> made = new ParityTransfer(mesh, mixtures).run(plans, source -> own.content());
        List<ParityPart> parts = new ArrayList<>();
        for (ParityGroups.Seating seating : known) {
            int seat = seating.seat(rank).orElseThrow();
            Content content = Objects.requireNonNull(made.get(ParityPlan.Source.Block.of(seating.set(), seat)));
            parts.add(Mixtures.part(seating.set(), seat, content));
        }
        return parts;
    }

    /** Each rank has one state, so one frame goes from it to each rank that has a seat beside it. */
    private List<ParityGroups.Seating> exchangeLengths(List<ParityGroups.Seating> mine, StatePart own)
            throws BrokenLinkException {
        Map<Integer, CheckpointInventory.Local> states = new HashMap<>();
        int rank = mesh.rank();
        long length = own.content().length();
        states.put(rank, new CheckpointInventory.Local(rank, rank, true, length, own.digest()));
        ByteBuffer frame = ByteBuffer.allocate(FRAME).order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(length).putLong(own.digest()).flip();
        for (ParityGroups.Seating seating : mine) {
            for (int peer : seating.holders()) {
                if (peer != rank && seating.set().memberOf(rank).isPresent()) {
                    mesh.link(peer).send(frame.duplicate());
                }
            }
        }
        for (ParityGroups.Seating seating : mine) {
            for (ParitySet.Member member : seating.set().members()) {
                if (member.state().keeper() != rank) {
                    states.put(member.state().owner(), receive(member.state().keeper()));
                }
            }
        }
        return mine.stream().map(seating -> with(seating, states)).toList();
    }

    private CheckpointInventory.Local receive(int peer) throws BrokenLinkException {
        ByteBuffer frame = mesh.link(peer).receive().order(ByteOrder.LITTLE_ENDIAN);
        if (frame.remaining() != FRAME) {
            throw BrokenLinkException.malformed(
                    peer, "a frame of " + frame.remaining() + " bytes (expected: " + FRAME + ")");
        }
        long length = frame.getLong();
        if (length < 0 || length > mixtures.maxLength()) {
            throw BrokenLinkException.malformed(
                    peer, "a local state of " + length + " bytes (expected: 0 to " + mixtures.maxLength() + ")");
        }
        return new CheckpointInventory.Local(peer, peer, true, length, frame.getLong());
    }

    private static ParityGroups.Seating with(
            ParityGroups.Seating seating, Map<Integer, CheckpointInventory.Local> states) {
        List<ParitySet.Member> members = seating.set().members().stream()
                .map(member -> new ParitySet.Member(
                        member.seat(),
                        Objects.requireNonNull(states.get(member.state().owner()))))
                .toList();
        return new ParityGroups.Seating(new ParitySet(seating.set().seats(), members), seating.holders());
    }
}
