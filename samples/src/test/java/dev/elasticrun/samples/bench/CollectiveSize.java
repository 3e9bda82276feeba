/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.List;
import java.util.stream.Stream;

/** What the benchmark of collectives reduces, and how often in a batch. */
enum CollectiveSize {
    BYTES_8(8, 4_000),
    KIB_64(64 << 10, 400),
    MIB_1(1 << 20, 100),
    MIB_4(4 << 20, 20),
    MIB_64(64 << 20, 2);

    private final int bytes;
    private final int calls;

    CollectiveSize(int bytes, int calls) {
        this.bytes = bytes;
        this.calls = calls;
    }

    int bytes() {
        return bytes;
    }

    int calls() {
        return calls;
    }

    /** Pairs {@code <bytes>:<calls>}, as the programs in other languages take them. */
    static List<String> arguments() {
        return Stream.of(values()).map(size -> size.bytes + ":" + size.calls).toList();
    }
}
