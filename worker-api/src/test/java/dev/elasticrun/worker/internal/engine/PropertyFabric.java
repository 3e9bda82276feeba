/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * What the workers of a test talk through, and where they live.
 *
 * @param nodes 0 = each is on a node of its own; else two neighbours are on each, in turns
 * @param directory of this test alone
 * @param redundancy of local states
 */
record PropertyFabric(
        Function<MemoryNetwork.Tap, Network> network,
        Transport transport,
        int nodes,
        Path directory,
        LocalRedundancy redundancy) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    String node(int place) {
        return "n" + (nodes == 0 ? place : place / 2 % nodes);
    }

    CheckpointOptions options() {
        return new CheckpointOptions(redundancy, false, false, Optional.empty(), 1, Optional.empty());
    }

    /** So many may die at once. */
    int losses(int world) {
        int most = redundancy.parity() > 0 ? 1 : redundancy.replicas();
        return nodes == 0 ? Math.min(most, world - 1) : 0;
    }

    /** A wire is used less where memory is shared: the n-th use is an earlier one. */
    int wireUse(int use) {
        return transport == Transport.TCP ? use : (use + 3) / 4;
    }

    /** For one process. */
    Optional<Path> workerDirectory() throws IOException {
        return transport == Transport.TCP ? Optional.empty() : Optional.of(newDirectory());
    }

    /** For one process; or for all of a place, which then finds what it left. */
    Path newDirectory() throws IOException {
        return Files.createDirectory(directory.resolve(Integer.toString(COUNT.incrementAndGet())));
    }
}
