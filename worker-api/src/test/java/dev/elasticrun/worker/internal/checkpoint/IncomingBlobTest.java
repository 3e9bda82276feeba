/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.net.Digest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class IncomingBlobTest {
    private static final CheckpointId ID = new CheckpointId("i", 1, 1, 1);
    private static final int HUGE = Integer.MAX_VALUE - 8;

    private final ContentPool pool = new ContentPool(2);

    @Test
    void oneWordForAHugeLength_costsLittle() {
        IncomingBlob arrival = arrival(HUGE, 0, false);

        assertThat(arrival.capacity()).isEqualTo(IncomingBlob.FIRST);
        arrival.put(0, ByteBuffer.allocate(IncomingBlob.CHUNK));
        assertThat(arrival.capacity()).isEqualTo(IncomingBlob.FIRST);
        arrival.release();
        assertThat(pool.find(IncomingBlob.FIRST)).as("what it had is not kept").isEmpty();
    }

    @Test
    void beyondDoubt_isThereAtOnce() {
        int length = 2 * IncomingBlob.FIRST;

        assertThat(arrival(length, 0, true).capacity()).isGreaterThanOrEqualTo(length);
    }

    @Test
    void bufferThatIsThere_isUsedAgain() {
        int length = 2 * IncomingBlob.FIRST;
        byte[] used = new byte[length];
        pool.giveBack(used);

        IncomingBlob arrival = arrival(length, 0, false);

        assertThat(((PooledBlob) arrival.content()).buffer()).isSameAs(used);
    }

    @Test
    void chunksInAnyOrderByManyThreads_growIntoTheWhole() throws Exception {
        byte[] state = new byte[2 * IncomingBlob.FIRST + 12_345];
        new Random(3).nextBytes(state);
        IncomingBlob arrival = arrival(state.length, Digest.of(state, state.length), false);
        List<Integer> chunks = new ArrayList<>(
                IntStream.range(0, Digest.blocks(state.length)).boxed().toList());
        Collections.shuffle(chunks, new Random(4));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int turn = i;
            Thread thread = new Thread(() -> IntStream.range(0, chunks.size())
                    .filter(at -> at % 3 == turn)
                    .forEach(at -> bring(arrival, state, chunks.get(at))));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(arrival.isWhole()).isTrue();
        assertThat(arrival.content().toBytes()).isEqualTo(state);
    }

    private IncomingBlob arrival(int length, long digest, boolean isSure) {
        return new IncomingBlob(
                ID, CheckpointInventory.GLOBAL, length, digest, new ArrivalBuffer(length, isSure, pool));
    }

    private static void bring(IncomingBlob arrival, byte[] state, int chunk) {
        int start = chunk * IncomingBlob.CHUNK;
        int length = IncomingBlob.chunkLength(chunk, state.length);
        arrival.put(start, ByteBuffer.wrap(state, start, length / 2));
        arrival.put(start + length / 2, ByteBuffer.wrap(state, start + length / 2, length - length / 2));
        arrival.arrived(chunk, new ChunkMemory());
    }
}
