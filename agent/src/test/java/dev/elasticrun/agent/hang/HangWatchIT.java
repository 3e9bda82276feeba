/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.contract.HeartbeatWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A watch on heartbeats that this process writes. */
@Tag("once")
@Timeout(60)
final class HangWatchIT {
    private final HangWatch watch =
            new HangWatch(new HangLimits(Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ZERO), pid -> false);
    private final List<String> received = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void t1_expiredSection_isReportedOnceAndOthersAreNot() throws Exception {
        HeartbeatWriter good = add(0);
        HeartbeatWriter bad = add(1);
        Files.writeString(directory.resolve("1.err"), "last words\n");
        good.section("load", Duration.ofHours(1).toNanos());
        bad.section("load", Duration.ofMillis(300).toNanos());
        watch.start();

        await().atMost(20, SECONDS).until(() -> !received.isEmpty());
        good.section("", 0);

        // Nobody is reported twice: three more looks see the same.
        await().pollDelay(Duration.ofMillis(700)).until(() -> true);
        assertThat(received).singleElement().asString().startsWith("1 ");
        assertThat(Files.readString(directory.resolve("hang.txt"))).contains(" load ", "last words");
    }

    @Test
    void t3_workerEnds_isNotTimedAnyMore() throws Exception {
        add(0).section("load", Duration.ofMillis(1).toNanos());
        watch.remove(0, 0);
        add(1).section("load", Duration.ofMillis(1).toNanos());
        watch.remove(7, 7);
        watch.start();

        await().atMost(20, SECONDS).until(() -> !received.isEmpty());

        assertThat(received).singleElement().asString().startsWith("1 ");
    }

    @Test
    void t5_watch_startsOnceAndClosesAsOftenAsAsked() {
        watch.start();

        assertThatIllegalStateException().isThrownBy(watch::start);
        watch.close();
        watch.close();
    }

    @Test
    void damaged_heartbeat_isNotJudgedAndHarmsNoOther() throws Exception {
        Files.write(directory.resolve("5.beat"), new byte[4096]);
        watch.add(5, 0, target(5), hang -> received.add("5"));
        watch.add(6, 0, target(6), hang -> received.add("6"));
        add(1).section("load", Duration.ofMillis(1).toNanos());
        watch.start();

        await().atMost(20, SECONDS).until(() -> !received.isEmpty());

        assertThat(received).singleElement().asString().startsWith("1 ");
    }

    private HeartbeatWriter add(int slot) throws Exception {
        HeartbeatWriter writer = HeartbeatWriter.create(directory.resolve(slot + ".beat"));
        watch.add(slot, 0, target(slot), hang -> received.add(slot + " " + hang.message()));
        return writer;
    }

    /** No process has that number: nobody is asked for its threads. */
    private HangWatch.Target target(int slot) {
        return new HangWatch.Target(
                directory.resolve(slot + ".beat"),
                Integer.MAX_VALUE,
                directory.resolve(slot + ".out"),
                directory.resolve(slot + ".err"));
    }
}
