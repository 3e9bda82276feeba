/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.past;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.http.CurvePicture;
import dev.elasticrun.agent.http.RunPicture;
import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PastPictureTest {
    private static final RunEvent.Worker WORKER = new RunEvent.Worker(0, 0);

    private final PastPicture picture = new PastPicture();
    private long millis;

    private void see(String node, long round, RunEvent event) {
        millis += 100;
        Instant time = Instant.ofEpochMilli(millis);
        picture.accept(new LoggedEvent(
                new LoggedEvent.Stamp(node, round, round, millis * 1_000_000, time), "1", event, Map.of()));
    }

    private void start(String node, int rank) {
        see(
                node,
                0,
                new RunEvent.RunJoined(
                        "host-" + node,
                        1,
                        1,
                        new RunEvent.Policy("soft", false),
                        new RunEvent.Limits(1, 2, 3, 3_600_000, 0)));
        see(node, 1, new RunEvent.WorkPublished("start with 2 nodes", List.of(), 1, 2, rank, List.of(0)));
        see(node, 1, new RunEvent.WorkerStarted(WORKER, 100 + rank));
    }

    private void startTwo() {
        start("a", 0);
        start("b", 1);
        see("a", 1, new RunEvent.RoundSealed("start with 2 nodes", List.of(), 2, List.of("a", "b"), 1));
        see("a", 1, new RunEvent.WorkerResumed(WORKER, 0, 1, 4, 0));
        see("b", 1, new RunEvent.WorkerResumed(WORKER, 1, 1, 4, 0));
    }

    private static RunEvent.RunEnded ended(boolean succeeded, List<Cause> causes, Optional<RunEvent.Root> root) {
        return new RunEvent.RunEnded(succeeded, succeeded ? 0 : 4, "of a reason", causes, root);
    }

    private RunPicture picture() {
        return picture.picture("job", false);
    }

    @Test
    void round_ofTwoNodes_beginsWithItsFirstSign_andWorksWhenTheLastWorkerDoes() {
        startTwo();

        RoundSpan round = picture().rounds().get(0);
        assertThat(picture().rounds()).hasSize(1);
        assertThat(round.worldSize()).isEqualTo(2);
        assertThat(round.joined()).isTrue();
        assertThat(round.times()).isEqualTo(new RoundSpan.Times(200, 200L, 900L, null, null));
        assertThat(round.members())
                .containsExactly(new RoundSpan.Member("a", "host-a", 0, 1), new RoundSpan.Member("b", "host-b", 1, 1));
    }

    @Test
    void failure_breaksItsRound_andTheWaitForTheNextIsASpanOfItsOwn() {
        startTwo();
        see("b", 1, failed(1));
        see("a", 1, new RunEvent.RoundSuspended("worker failed on b", List.of(), 0, List.of("a"), 2));
        see("a", 2, new RunEvent.WorkPublished("worker failed on b", List.of(), 2, 1, 0, List.of(0)));

        assertThat(picture().rounds()).extracting(RoundSpan::number).containsExactly(1L, 1L, 2L);
        assertThat(picture().rounds()).extracting(RoundSpan::suspended).containsExactly(false, true, false);
        assertThat(picture().rounds().get(0).cause()).isEqualTo("start with 2 nodes");
        assertThat(picture().rounds().get(0).times().broken()).isEqualTo(1000L);
        assertThat(picture().run().restarts()).isEqualTo(new RunPicture.Restarts(2, 3, "within 1 h", null));
    }

    @Test
    void curves_areWorldSizes_andWhatProgramsPublished() {
        startTwo();
        see("a", 1, new RunEvent.WorkerMetric(WORKER, 5, "loss", Optional.of(0.5)));
        see("a", 1, new RunEvent.WorkerMetric(WORKER, 5, "speed", Optional.empty()));
        see("b", 1, failed(1));
        see("a", 1, new RunEvent.RoundSuspended("worker failed on b", List.of(), 0, List.of("a"), 2));

        CurvePicture curves = picture.curves();
        assertThat(curves.run().get("world")).containsExactly(2.0, 2.0, 0.0, 0.0);
        assertThat(curves.millis()).hasSize(4).isSorted();
        CurvePicture.Worker only = curves.nodes().get(0).workers().get(0);
        assertThat(curves.nodes()).hasSize(1);
        assertThat(only.ranks()).containsExactly(0);
        assertThat(only.curves().get("metric:loss")).containsExactly(0.5);
        assertThat(only.curves().get("metric:speed")).containsExactly((Double) null);
    }

    @Test
    void curves_ofALongRun_areOfAllOfIt() {
        startTwo();
        int looks = 15 * PastCurves.MAX_LOOKS;
        for (int look = 0; look < looks; look++) {
            millis += 30_000;
            see("a", 1, new RunEvent.WorkerMetric(WORKER, look, "loss", Optional.of((double) look)));
        }

        CurvePicture.Node node = picture.curves().nodes().get(0);
        assertThat(node.millis())
                .hasSizeBetween(PastCurves.MAX_LOOKS / 2, PastCurves.MAX_LOOKS)
                .isSorted();
        assertThat(node.workers().get(0).curves().get("metric:loss"))
                .hasSameSizeAs(node.millis())
                .endsWith(looks - 1.0);
        assertThat(node.millis().get(0)).isLessThan(30_000L * looks / 10);
    }

    @Test
    void pauseWithinARound_isASpan() {
        startTwo();
        see("a", 1, new RunEvent.IncidentPaused("store not reachable", 1));
        see("a", 1, new RunEvent.WorkPublished("start with 2 nodes", List.of(), 1, 2, 0, List.of(0)));

        assertThat(picture().rounds()).extracting(RoundSpan::number).containsExactly(1L, 1L);
        assertThat(picture().rounds().get(0).times().paused()).isEqualTo(1000L);
        assertThat(picture().rounds().get(1).members())
                .extracting(RoundSpan.Member::node)
                .containsExactly("a", "b");
    }

    private static RunEvent.WorkerFailed failed(int rank) {
        return new RunEvent.WorkerFailed(
                WORKER,
                rank,
                new RunEvent.WorkerEnd(101, 3),
                new RunEvent.Found(FailureKind.EXIT_CODE, "exit code 3", Optional.empty()),
                false,
                0);
    }

    @Test
    void workers_haveTheirLastState_andARankIfTheyWereInTheNewestRound() {
        startTwo();
        see("b", 1, failed(1));
        see("b", 1, new RunEvent.WorkerExited(WORKER, new RunEvent.WorkerEnd(101, 3), false, 7, 6));
        see("a", 2, new RunEvent.WorkPublished("worker failed on b", List.of(), 2, 1, 0, List.of(0)));
        see("a", 2, new RunEvent.WorkerProgressed(WORKER, 0, 9, 20));

        List<RunPicture.RankRow> rows = picture().ranks();
        assertThat(rows).extracting(row -> row.place().rank()).containsExactly(0, null);
        assertThat(rows).extracting(row -> row.gauges().state()).containsExactly("unknown", "failed");
        assertThat(rows.get(1).place().pid()).isEqualTo(101);
        assertThat(rows.get(1).gauges().step()).isEqualTo(7);
        assertThat(picture().run().progress()).isEqualTo(new RunPicture.Progress(9L, 20L, null, null, 6L, null));
    }

    @Test
    void workers_thatNeverReport_haveTheRankOfTheirRound() {
        start("b", 1);

        assertThat(picture().ranks()).extracting(row -> row.place().rank()).containsExactly(1);
    }

    @Test
    void end_ofAFailedRun_hasItsRootCause() {
        startTwo();
        see("b", 1, failed(1));
        RunEvent.Root root =
                new RunEvent.Root("b", 0, 0, 1, FailureKind.EXIT_CODE, "no data", "at Train.main(Train.java:12)");
        see("a", 1, ended(false, List.of(), Optional.of(root)));
        see("a", 1, new RunEvent.AgentEnded(4, "of a reason"));

        RunPicture.Condition end = picture().run().condition();
        assertThat(end.state()).isEqualTo("ending");
        assertThat(end.outcome()).isEqualTo("failed");
        assertThat(end.rootCause().lines())
                .containsExactly("Rank 1 on node b, attempt 0", "no data", "at Train.main(Train.java:12)");
        assertThat(picture().nodes()).extracting(RunPicture.NodeRow::phase).containsExactly("ended", "unknown");
        assertThat(picture().past().incidents().get(0).story().kind()).isEqualTo("failed");
    }

    @Test
    void ends_areDistinguished() {
        startTwo();
        assertThat(picture().run().condition().outcome()).isEqualTo("left");
        assertThat(picture.picture("job", true).run().condition().outcome()).isEmpty();
        assertThat(picture.picture("job", true).run().condition().state()).isEqualTo("working");

        see("a", 1, ended(true, List.of(), Optional.empty()));
        assertThat(picture().run().condition().outcome()).isEqualTo("succeeded");

        see("a", 1, ended(false, List.of(new Cause.StopCommanded("a user")), Optional.empty()));
        assertThat(picture().run().condition().outcome()).isEqualTo("stopped");
    }

    @Test
    void noEvents_nothingIsKnown() {
        RunPicture empty = picture();

        assertThat(empty.rounds()).isEmpty();
        assertThat(empty.ranks()).isEmpty();
        assertThat(empty.run().condition().outcome()).isEqualTo("left");
    }
}
