/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import java.util.ArrayList;
import java.util.List;

/**
 * A content that a rank computes: the exclusive or of pieces of contents that ranks have. Pure.
 *
 * @param makes what it is
 * @param length bytes of it
 * @param pieces in the order in which each link carries them
 */
public record ParityPlan(int to, Source makes, long length, List<Piece> pieces) {
    /** A content of a checkpoint that parity is about. */
    public sealed interface Source {
        /** The local state of a rank of the world that made the checkpoint. */
        record State(int owner) implements Source {}

        /** The block of a seat. */
        record Block(ParitySet content, int seat) implements Source {
            public static Block of(ParitySet set, int seat) {
                return new Block(set.content(), seat);
            }
        }
    }

    /**
     * Bytes of a content that another one depends on.
     *
     * @param from a rank that has it
     * @param at where they begin in it
     * @param into where they go
     */
    public record Piece(int from, Source source, long at, long into, long length) {}

    public ParityPlan {
        pieces = List.copyOf(pieces);
    }

    /** Makes the block of a seat, from the states that the others keep. */
    public static ParityPlan block(ParityGroups.Seating seating, int seat) {
        ParitySet set = seating.set();
        List<Piece> pieces = new ArrayList<>();
        for (ParitySet.Member member : set.members()) {
            ParitySet.Part part = set.part(member, seat);
            if (member.seat() != seat && part.length() > 0) {
                Source state = new Source.State(member.state().owner());
                pieces.add(new Piece(seating.holders().get(member.seat()), state, part.at(), 0, part.length()));
            }
        }
        return new ParityPlan(seating.holders().get(seat), Source.Block.of(set, seat), set.blockLength(seat), pieces);
    }
}
