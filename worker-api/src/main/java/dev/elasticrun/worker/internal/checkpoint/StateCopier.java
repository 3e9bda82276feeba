/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.internal.net.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Copies a large state with the processors that are this worker's share of its node, and makes its digest meanwhile.
 * The blocks are dealt as they are done, so that a thread without a processor does not delay the others.
 */
public final class StateCopier {
    /** More find no more memory bandwidth. */
    private static final int MAX_THREADS = 4;

    /** Below it a thread costs more than it copies. */
    private static final int LEAST_BLOCKS = 16;

    private StateCopier() {}

    /** The number of threads for each worker of a node with {@code localWorldSize} workers. */
    public static int threads(int localWorldSize) {
        return Math.max(
                1, Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors() / Math.max(1, localWorldSize)));
    }

    /** Returns the digest of what was copied, from the start of one array to the start of the other. */
    public static long copy(byte[] from, byte[] to, int length, int threads) {
        long[] hashes = new long[Digest.blocks(length)];
        AtomicInteger next = new AtomicInteger();
        Runnable blocks = () -> {
            for (int block = next.getAndIncrement(); block < hashes.length; block = next.getAndIncrement()) {
                int start = block * Digest.BLOCK;
                hashes[block] = Digest.copyBlock(from, to, start, Math.min(Digest.BLOCK, length - start));
            }
        };
        List<Thread> helpers = new ArrayList<>();
        for (int i = 1; i < Math.min(threads, hashes.length / LEAST_BLOCKS); i++) {
            helpers.add(Daemons.start("checkpoint-copier", blocks));
        }
        blocks.run();
        helpers.forEach(StateCopier::join);
        return Digest.chain(hashes, length);
    }

    /** It is at its last block: an interrupt can wait. */
    private static void join(Thread helper) {
        boolean isInterrupted = false;
        while (helper.isAlive()) {
            try {
                helper.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
