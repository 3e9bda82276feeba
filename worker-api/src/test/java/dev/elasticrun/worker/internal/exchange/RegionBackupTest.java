/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.collective.ElementType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class RegionBackupTest {
    private static final int[] BOUNDS = {0, 5, 5, 12, 20};

    private final long[] values = new long[22];
    private final Region region = new Region().set(values, 1, 20);
    private final RegionBackup regionBackup = new RegionBackup(new Scratch());

    RegionBackupTest() {
        Arrays.setAll(values, i -> 100 + i);
    }

    @Test
    void restore_afterSomePieces_bringsBackThoseOnly() {
        regionBackup.begin(region, BOUNDS, -1);
        regionBackup.save(3);
        regionBackup.save(3);
        Arrays.fill(values, 0);
        regionBackup.restore();
        // Of the parts [0, 5), [5, 12) and [12, 20) the first six elements each.
        for (int i = 0; i < values.length; i++) {
            int element = i - 1;
            boolean isSaved = i > 0 && i < 21 && element != 11 && element < 18;
            assertThat(values[i]).as("value %d", i).isEqualTo(isSaved ? 100 + i : 0);
        }
    }

    @Test
    void restore_keptPart_isLeftAlone() {
        regionBackup.begin(region, BOUNDS, 2);
        regionBackup.save(100);
        Arrays.fill(values, 0);
        regionBackup.restore();
        assertThat(values[1 + 4]).isEqualTo(105);
        assertThat(values[1 + 5]).isZero();
        assertThat(values[1 + 12]).isEqualTo(113);
    }

    @Test
    void restore_nothingSaved_changesNothing() {
        regionBackup.begin(region, BOUNDS, -1);
        long[] before = values.clone();
        regionBackup.restore();
        assertThat(values).isEqualTo(before);
    }

    @Test
    void spareRegion_isLeftAlone() {
        Memory memory = Memory.allocate(20 * Long.BYTES);
        regionBackup.begin(new Region().set(ElementType.LONG, memory, 0, 20), BOUNDS, -1);
        regionBackup.save(3);
        memory.bytes().putLong(0, 7);
        regionBackup.restore();
        assertThat(memory.bytes().getLong(0)).isEqualTo(7);
    }
}
