/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Gathers bytes of lengths that only their owners know. */
final class Gathering {
    private Gathering() {}

    static List<byte[]> run(Collective collective, byte[] mine) {
        int size = collective.worldSize();
        int[] lengths = new int[size];
        collective.allGather(new int[] {mine.length}, lengths);
        int[] bounds = new int[size + 1];
        for (int rank = 0; rank < size; rank++) {
            bounds[rank + 1] = Math.addExact(bounds[rank], lengths[rank]);
        }
        byte[] all = new byte[bounds[size]];
        System.arraycopy(mine, 0, all, bounds[collective.rank()], mine.length);
        collective.allGatherInPlace(all, bounds);
        List<byte[]> parts = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            parts.add(Arrays.copyOfRange(all, bounds[rank], bounds[rank + 1]));
        }
        return parts;
    }
}
