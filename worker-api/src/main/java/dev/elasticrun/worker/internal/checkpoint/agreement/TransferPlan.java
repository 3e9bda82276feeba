/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.internal.net.Digest;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A content that a rank must get. What it lacks is dealt to its sources, chunk by chunk.
 *
 * @param owner the rank whose local state it is, or {@link CheckpointInventory#GLOBAL}
 * @param sources ranks that send it, in order
 * @param arrived chunks that need not be sent
 */
public record TransferPlan(int to, int owner, List<Integer> sources, BitSet arrived) {
    /** More make it no faster, but cost a thread each. */
    private static final int MAX_SOURCES = 8;

    /** From some of the ranks that have it: others for each receiver, so that they share the work. */
    public static TransferPlan of(int to, int owner, List<Integer> holders, BitSet arrived) {
        int first = holders.size() > MAX_SOURCES ? to % holders.size() : 0;
        return new TransferPlan(
                to,
                owner,
                IntStream.range(0, Math.min(MAX_SOURCES, holders.size()))
                        .map(i -> holders.get((first + i) % holders.size()))
                        .sorted()
                        .boxed()
                        .toList(),
                arrived);
    }

    public TransferPlan {
        sources = List.copyOf(sources);
    }

    /** The chunks that this source sends, in order. */
    public int[] chunks(int source, long length) {
        int turn = sources.indexOf(source);
        int[] missing = IntStream.range(0, Digest.blocks(length))
                .filter(chunk -> !arrived.get(chunk))
                .toArray();
        return IntStream.range(0, missing.length)
                .filter(i -> i % sources.size() == turn)
                .map(i -> missing[i])
                .toArray();
    }
}
