/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.List;
import java.util.stream.Stream;

/** What the benchmark of collectives reduces, how often in a batch, and after how many batches it is measured. */
enum CollectiveSize {
    BYTES_8(8, 4_000, 8),
    KIB_64(64 << 10, 400, 30),
    MIB_1(1 << 20, 50, 30),
    MIB_4(4 << 20, 15, 15),
    MIB_64(64 << 20, 2, 3);

    private final int bytes;
    private final int calls;
    private final int warmUps;

    CollectiveSize(int bytes, int calls, int warmUps) {
        this.bytes = bytes;
        this.calls = calls;
        this.warmUps = warmUps;
    }

    int bytes() {
        return bytes;
    }

    int calls() {
        return calls;
    }

    /** Batches before those that count. The first of them is counted apart: it has most of the compiler's work in it. */
    int warmUps() {
        return warmUps;
    }

    /** {@code <bytes>:<calls>:<warm-ups>}, as the programs in other languages take them. */
    static List<String> arguments() {
        return Stream.of(values())
                .map(size -> size.bytes + ":" + size.calls + ":" + size.warmUps)
                .toList();
    }
}
