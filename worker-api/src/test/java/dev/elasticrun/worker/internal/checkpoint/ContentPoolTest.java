/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.CheckpointSpace;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentPoolTest {
    @TempDir
    private Path directory;

    private final ContentPool pool = new ContentPool(2);

    @Test
    void take_bufferOfAReleasedContent_isUsedAgain() {
        PooledBlob first = pool.take(100);
        byte[] buffer = first.buffer();
        first.retain();
        first.release();
        assertThat(pool.take(100).buffer()).isNotSameAs(buffer);
        first.release();
        assertThat(pool.take(101).buffer()).isSameAs(buffer);
    }

    @Test
    void take_muchSmallerContent_getsABufferOfItsOwn() {
        pool.take(1_000_000).release();
        assertThat(pool.take(10).buffer().length).isLessThan(1000);
    }

    @Test
    void release_tooOften_isAnError() {
        PooledBlob content = pool.take(1);
        content.release();
        assertThatThrownBy(content::release).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(content::retain).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Timeout(20)
    void take_heapIsFull_getsTheBufferOfAFileThatIsGivenUp() throws Exception {
        AtomicInteger left = new AtomicInteger(1);
        ContentPool small = new ContentPool(2, length -> {
            if (left.getAndDecrement() == 0) {
                throw new OutOfMemoryError("for the test");
            }
            return new byte[length];
        });
        PooledBlob held = small.take(1000);
        assertThat(held.isInTheWay(true)).as("while there is room").isFalse();
        Path file = directory.resolve("0");
        CheckpointId id = new CheckpointId("i", 1, 1, 1);
        CheckpointFile slow = new CheckpointFile(id, 1, 0, 1, false, List.of(StatePart.global(1, held)));
        CountDownLatch isWriting = new CountDownLatch(1);
        Thread writer = new Thread(() -> {
            assertThatThrownBy(() -> slow.write(CheckpointSpace.of(directory), file, false, () -> {
                        isWriting.countDown();
                        while (!held.isInTheWay(true)) {
                            Thread.onSpinWait();
                        }
                        return true;
                    }))
                    .isInstanceOf(CheckpointFile.GivenUpException.class);
            held.release();
        });
        writer.setDaemon(true);
        writer.start();
        isWriting.await();

        assertThat(small.take(900).length()).isEqualTo(900);
        writer.join();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void isInTheWay_largeContentNobodyElseHolds_isIfItsUseIsOptional() {
        ContentPool none = new ContentPool(0, length -> new byte[0]);
        int large = (int) Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / 4);
        PooledBlob content = none.take(large);
        assertThat(content.isInTheWay(true)).isTrue();
        assertThat(content.isInTheWay(false)).isFalse();
        content.retain();
        assertThat(content.isInTheWay(true))
                .as("one of the versions that are kept")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void checkpointStore_steadyState_takesTurnsWithOneBufferMoreThanIsKept(int kept) {
        CheckpointStore checkpointStore =
                new CheckpointStore(2, new ContentFiles(List.of()), new CheckpointRetention(kept));
        Set<byte[]> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
        for (long version = 1; version <= 20; version++) {
            Checkpoint checkpoint = Checkpoint.copyOf(new byte[1000], "i", 1, version, 2, checkpointStore.pool(), 1);
            buffers.add(((PooledBlob) checkpoint.global(checkpointStore.pool()).content()).buffer());
            checkpointStore.stage(checkpoint);
            checkpointStore.commit();
            checkpoint.release();
        }
        assertThat(buffers).hasSize(kept + 1);
        assertThat(new HashSet<>(checkpointStore.inventory().copies())).hasSize(kept);
        assertThat(checkpointStore.version()).isEqualTo(20);
        checkpointStore.startFrom(2, checkpointStore.newest(), List.of());
        assertThat(checkpointStore.version()).isEqualTo(20);
        checkpointStore.startFrom(3, Optional.empty(), List.of());
        assertThat(checkpointStore.version()).isZero();
    }
}
