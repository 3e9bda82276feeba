/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.worker.contract.HeartbeatWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watch without its thread, in a time that passes when the test decides. */
final class HangWatchTest {
    /** Nobody is asked for its threads. */
    private static final long NO_PROCESS = Integer.MAX_VALUE;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final HangLimits LIMITS =
            new HangLimits(Duration.ofSeconds(10), Duration.ofHours(1), Duration.ofSeconds(3));

    private boolean hasEventLoop;
    private final AtomicLong nanos = new AtomicLong();
    private final HangWatch watch = new HangWatch(LIMITS, pid -> pid == NO_PROCESS && hasEventLoop, nanos::get);
    private final List<Failure.Evidence> received = new ArrayList<>();
    private final List<Failure.Evidence> ofOther = new ArrayList<>();

    @TempDir
    private Path directory;

    private HeartbeatWriter worker;

    @BeforeEach
    void workerInASectionOfOneMinute() throws Exception {
        worker = HeartbeatWriter.create(directory.resolve("beat"));
        worker.section("load", Duration.ofMinutes(1).toNanos());
        watch.add(0, 0, target("beat"), received::add);
    }

    private HangWatch.Target target(String heartbeat) {
        return new HangWatch.Target(
                directory.resolve(heartbeat), NO_PROCESS, directory.resolve("out"), directory.resolve("err"));
    }

    @Test
    void look_timeOfTheSectionIsOver_isReportedOnce() throws Exception {
        passes(Duration.ofSeconds(59));
        assertThat(received).isEmpty();

        passes(Duration.ofMinutes(2));

        assertThat(received).singleElement().satisfies(hang -> {
            assertThat(hang.kind()).isEqualTo(FailureKind.HANG);
            assertThat(hang.message()).contains(" 60.0 s ");
        });
    }

    @Test
    void look_nobodyLookedForAnHour_theHourDoesNotCount() throws Exception {
        passes(Duration.ofSeconds(30));
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        passes(Duration.ofSeconds(29));
        assertThat(received).isEmpty();

        passes(Duration.ofSeconds(2));

        assertThat(received).hasSize(1);
    }

    @Test
    void warmUp_newRound_beginsTheTimeAnew() throws Exception {
        passes(Duration.ofSeconds(50));
        watch.paused();
        // Its JVM lives.
        worker.look(false);

        passes(Duration.ofSeconds(50));

        assertThat(received).isEmpty();
    }

    @Test
    void warmUp_processThatIsStopped_itsTimeGoesOn() throws Exception {
        passes(Duration.ofSeconds(50));
        watch.paused();

        passes(Duration.ofSeconds(11));

        assertThat(received).hasSize(1);
    }

    @Test
    void look_progress_beginsTheTimeAnew() throws Exception {
        for (int i = 0; i < 5; i++) {
            passes(Duration.ofSeconds(50));
            worker.beat();
        }

        assertThat(received).isEmpty();
    }

    @Test
    void look_twoStayInARoundThatIsOver_theyGoOneAtATime() throws Exception {
        HeartbeatWriter other = HeartbeatWriter.create(directory.resolve("other"));
        watch.add(1, 0, target("other"), ofOther::add);
        watch.working(5, 0);
        worker.section("exchange", 0, 5);
        other.section("exchange", 0, 5);
        passes(Duration.ofMinutes(10));
        assertThat(received).isEmpty();

        watch.paused();
        watch.working(6, 0);
        passes(Duration.ofMinutes(1));

        assertThat(received).singleElement().satisfies(hang -> {
            assertThat(hang.kind()).isEqualTo(FailureKind.STRAGGLER);
            assertThat(hang.message()).contains(" exchange ", "round 5", "(grace 3.0 s)");
        });
        assertThat(ofOther).isEmpty();
        watch.remove(0, 0);
        passes(Duration.ofMillis(2800));
        assertThat(ofOther).isEmpty();
        passes(Duration.ofMillis(200));
        assertThat(ofOther).singleElement().satisfies(hang -> assertThat(hang.message())
                .contains(" exchange for 63"));
        assertThat(received).hasSize(1);
    }

    @Test
    void look_aFrameworkHasLostItsThread_theGraceHoldsAndItIsReported() throws Exception {
        hasEventLoop = true;
        watch.working(5, 0);
        worker.section("exchange", 0, 5);
        passes(Duration.ofSeconds(1));
        hasEventLoop = false;

        watch.paused();
        passes(Duration.ofSeconds(4));

        assertThat(received).singleElement().satisfies(hang -> assertThat(hang.message())
                .contains("(grace 3.0 s); ", " thread has gone"));
    }

    private void passes(Duration time) throws InterruptedException {
        for (long i = 0; i < time.dividedBy(POLL); i++) {
            nanos.addAndGet(POLL.toNanos());
            watch.look();
        }
    }
}
