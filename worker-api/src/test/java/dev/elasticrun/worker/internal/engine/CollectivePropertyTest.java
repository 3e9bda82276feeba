/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.PeerLink;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random schedules of operations, deaths and silences against a computation by one thread. A failure names the seed; one
 * seed alone is played with {@code -Dproperty.seed=N -Dproperty.repeats=100}: what it does is the same, how its threads
 * interleave is not.
 */
@Tag("once")
final class CollectivePropertyTest {
    private static final long FIRST_SEED = Long.getLong("property.seed", 1);
    private static final boolean IS_ONE = Long.getLong("property.seed") != null;
    private static final int REPEATS = Integer.getInteger("property.repeats", 1);

    @TempDir
    private Path directory;

    @Test
    void schedules_overMemory_giveTheReferencesResults() throws Exception {
        play(Integer.getInteger("property.memory", 300), seed -> memory(seed, LocalRedundancy.copies(2)));
    }

    /** Local states by parity over groups of two to five. */
    @Test
    void schedules_withParity_giveTheReferencesResults() throws Exception {
        play(
                Integer.getInteger("property.parity", 100),
                seed -> memory(seed, LocalRedundancy.parity(2 + (int) (seed % 4))));
    }

    @Test
    void schedules_overSockets_giveTheReferencesResults() throws Exception {
        play(Integer.getInteger("property.sockets", 120), seed -> sockets(Transport.TCP, 0));
    }

    /** On one node, or on two, of which one may be left. */
    @Test
    void schedules_overSharedMemory_giveTheReferencesResults() throws Exception {
        play(
                Integer.getInteger("property.shared", 100),
                seed -> seed % 3 == 0 ? sockets(Transport.AUTO, 2) : sockets(Transport.SHM, 1));
    }

    private void play(int seeds, LongFunction<PropertyFabric> fabric) throws Exception {
        int count = IS_ONE ? 1 : seeds;
        long rounds = 0;
        long givenUp = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + count; seed++) {
            PropertySchedule schedule = PropertySchedule.of(seed);
            for (int i = 0; i < REPEATS; i++) {
                PropertyFleet fleet = new PropertyFleet(schedule, fabric.apply(seed));
                fleet.play();
                rounds += fleet.rounds();
                givenUp += fleet.hasGivenUp() ? 1 : 0;
            }
        }
        if (!IS_ONE) {
            assertThat(rounds).as("rounds: without deaths it would be one each").isGreaterThan(count * 3L / 2);
            assertThat(givenUp)
                    .as("schedules with somebody who waited for too long")
                    .isGreaterThan(count / 20);
        }
    }

    /** Small buffers and small pieces as well as large ones. */
    private PropertyFabric memory(long seed, LocalRedundancy redundancy) {
        Random random = new Random(~seed);
        int capacity = PeerLink.PIECE + 4096 + random.nextInt(100_000);
        int largestRead = random.nextBoolean() ? Integer.MAX_VALUE : 1000 + random.nextInt(40_000);
        MemoryNetwork network = new MemoryNetwork(capacity, largestRead);
        return new PropertyFabric(network::of, Transport.TCP, 0, directory, redundancy);
    }

    private PropertyFabric sockets(Transport transport, int nodes) {
        return new PropertyFabric(
                tap -> WrappedNetwork.tapped(new SocketNetwork(ListenPlace.LOOPBACK), tap),
                transport,
                nodes,
                directory,
                LocalRedundancy.copies(2));
    }
}
