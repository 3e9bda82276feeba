/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.internal.net.Digest;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Local states that can be computed from each other when one of them is lost, and where their parts are. Pure.
 *
 * <p>The distributed parity of RAID-5, as SCR has it for checkpoints in the scheme XOR (A. Moody, G. Bronevetsky, K.
 * Mohror, B. de Supinski: Design, Modeling, and Evaluation of a Scalable Multi-level Checkpointing System, SC 2010). Each
 * of n seats has one state, or none, and one block. A state is cut into n - 1 parts, one for each other seat; all states
 * of a set have parts of the same length, the last ones of shorter states are shorter, or empty. The block of a seat is the
 * exclusive or of the parts that the states of the other seats have for it. What a seat loses, state and block, follows
 * from the states and blocks of all others.
 *
 * @param seats number of seats, each on a node of its own, or of a worker of its own where there is one node
 * @param members the seats with a state, in order
 */
public record ParitySet(int seats, List<Member> members) {
    /** A seat and its state. */
    public record Member(int seat, CheckpointInventory.Local state) {}

    /** A part of a state: where it begins, and its bytes. */
    public record Part(long at, long length) {}

    public ParitySet {
        members = List.copyOf(members);
        if (seats < 2) {
            throw new IllegalArgumentException("seats: " + seats + " (expected: 2 or more)");
        }
        for (int i = 0; i < members.size(); i++) {
            int seat = members.get(i).seat();
            int least = i == 0 ? 0 : members.get(i - 1).seat() + 1;
            if (seat < least || seat >= seats) {
                throw new IllegalArgumentException(
                        "seat: " + seat + " (expected: " + least + " to " + (seats - 1) + ")");
            }
        }
    }

    public Optional<Member> memberOf(int owner) {
        return members.stream()
                .filter(member -> member.state().owner() == owner)
                .findFirst();
    }

    /** The part of a member's state that another seat's block protects. */
    Part part(Member member, int blockSeat) {
        long whole = partLength();
        long at = whole * (blockSeat < member.seat() ? blockSeat : blockSeat - 1);
        return new Part(at, Math.max(0, Math.min(whole, member.state().length() - at)));
    }

    /** Bytes of a seat's block: those of the longest part in it. */
    public long blockLength(int seat) {
        return members.stream()
                .filter(member -> member.seat() != seat)
                .mapToLong(member -> part(member, seat).length())
                .max()
                .orElse(0);
    }

    private long partLength() {
        long longest = members.stream()
                .mapToLong(member -> member.state().length())
                .max()
                .orElse(0);
        return (longest + seats - 2) / (seats - 1);
    }

    /** The same states in the same seats, whoever keeps them: all that the content of a block depends on. */
    ParitySet content() {
        return new ParitySet(
                seats,
                members.stream()
                        .map(member -> new Member(
                                member.seat(),
                                new CheckpointInventory.Local(
                                        member.state().owner(),
                                        0,
                                        false,
                                        member.state().length(),
                                        member.state().digest())))
                        .toList());
    }

    void write(DataOutputStream out) throws IOException {
        out.writeShort(seats);
        out.writeShort(members.size());
        for (Member member : members) {
            out.writeShort(member.seat());
            member.state().write(out);
        }
    }

    /** @throws IOException that names what is not as {@link #write} writes it */
    static ParitySet read(DataInputStream in, int worldSize) throws IOException {
        int seats = in.readUnsignedShort();
        int count = in.readUnsignedShort();
        if (seats > WorkerEnv.MAX_CHECKPOINT_PARITY || count > seats) {
            throw new IOException("a parity set of " + count + " states on " + seats + " seats");
        }
        List<Member> members = new ArrayList<>();
        Set<Integer> owners = new HashSet<>();
        for (int i = 0; i < count; i++) {
            Member member = new Member(in.readUnsignedShort(), CheckpointInventory.Local.read(in, worldSize));
            long length = member.state().length();
            if (!owners.add(member.state().owner()) || length < 0 || length > Digest.MAX_LENGTH) {
                throw new IOException("a parity set with " + member);
            }
            members.add(member);
        }
        try {
            return new ParitySet(seats, members);
        } catch (IllegalArgumentException e) {
            throw new IOException("a parity set with " + e.getMessage(), e);
        }
    }
}
