/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ContentPoolTest {
    private final ContentPool pool = new ContentPool(2);

    @Test
    void take_bufferOfAReleasedContent_isUsedAgain() {
        Content first = pool.take(100);
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
        Content content = pool.take(1);
        content.release();
        assertThatThrownBy(content::release).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(content::retain).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shelf_steadyState_takesTurnsWithThreeBuffers() {
        CheckpointShelf shelf = new CheckpointShelf();
        Set<byte[]> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
        for (long version = 1; version <= 20; version++) {
            Checkpoint checkpoint = Checkpoint.copyOf(new byte[1000], "i", 1, version, 2, shelf.pool(), 1);
            buffers.add(checkpoint.global(shelf.pool()).content().buffer());
            shelf.stage(checkpoint);
            shelf.commit();
            checkpoint.release();
        }
        assertThat(buffers).hasSize(3);
        assertThat(new HashSet<>(shelf.holdings().copies())).hasSize(2);
        assertThat(shelf.version()).isEqualTo(20);
        shelf.startFrom(2, shelf.newest(), List.of());
        assertThat(shelf.version()).isEqualTo(20);
        shelf.startFrom(3, Optional.empty(), List.of());
        assertThat(shelf.version()).isZero();
    }
}
