/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import dev.elasticrun.cli.chaos.fault.FaultSchedule;
import dev.elasticrun.rendezvous.restart.Cause;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class RecoveriesTest {
    private static final Cause FAILED_ON_B = new Cause.WorkersFailed(List.of("b"));
    private static final Cause LOST_B = new Cause.NodesLost(List.of("b"));

    @Test
    void of_workerKilled_isOverWhenAllOfTheNextRoundWork() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .failed("b", 1010, 77, 1)
                .decided("a", 1015, 2, FAILED_ON_B)
                .round(2, 1030, 5, "a")
                .round(3, 1500, 9, "a", "b");

        Recovery recovery = only(events, worker(1000, 77));

        assertThat(recovery.outcome()).isEqualTo(Recovery.Outcome.RECOVERED);
        assertThat(recovery.detected()).isEqualTo(millis(10));
        assertThat(recovery.resumed()).isEqualTo(millis(50));
        assertThat(recovery.complete()).isEqualTo(millis(520));
    }

    @Test
    void of_coordinatorDecidesBeforeTheAgentRecordsTheFailure_isAnsweredByThatDecision() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .decided("a", 1006, 2, FAILED_ON_B)
                .failed("b", 1010, 77, 1)
                .round(2, 1030, 5, "a")
                .failed("b", 9010, 78, 1)
                .decided("a", 9015, 3, FAILED_ON_B)
                .round(3, 9500, 5, "a");

        assertThat(only(events, worker(1000, 77)).resumed()).isEqualTo(millis(50));
    }

    @Test
    void of_membersWaitForANewWorker_isOverByTheRoundThatEndsTheWait() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .failed("b", 1010, 77, 1)
                .suspended("a", 1015, 1, FAILED_ON_B)
                .decided("a", 1715, 2, new Cause.WorkersJoined(1))
                .round(2, 1730, 5, "a", "b")
                .failed("b", 9010, 78, 1)
                .decided("a", 9015, 3, FAILED_ON_B)
                .round(3, 9030, 5, "a", "b");

        assertThat(only(events, worker(1000, 77)).resumed()).isEqualTo(millis(750));
    }

    @Test
    void of_roundThatTheNextFaultEnds_lastsUntilAllWork() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b", "c")
                .failed("b", 1010, 77, 1)
                .decided("a", 1015, 2, FAILED_ON_B)
                .brokenRound(2, 1030, 5, "a", "c")
                .round(3, 1400, 5, "a");

        assertThat(only(events, worker(1000, 77)).resumed()).isEqualTo(millis(420));
    }

    @Test
    void of_processIdThatAnEarlierWorkerHad_isAboutTheOneThatTheFaultKilled() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b", "c")
                .failed("c", 110, 77, 1)
                .decided("a", 115, 2, new Cause.WorkersFailed(List.of("c")))
                .round(2, 130, 5, "a", "b")
                .failed("b", 1010, 77, 1)
                .decided("a", 1015, 3, FAILED_ON_B)
                .round(3, 1030, 5, "a");

        Recovery recovery = only(events, worker(1000, 77));

        assertThat(recovery.outcome()).isEqualTo(Recovery.Outcome.RECOVERED);
        assertThat(recovery.detected()).isEqualTo(millis(10));
        assertThat(recovery.resumed()).isEqualTo(millis(50));
    }

    @Test
    void of_victimWithoutARank_needsNoRound() {
        EventList events = new EventList().round(1, 0, 0, "a", "b").failed("b", 1010, 77, -1);

        Recovery recovery = only(events, worker(1000, 77));

        assertThat(recovery.outcome()).isEqualTo(Recovery.Outcome.WITHOUT_RANK);
        assertThat(recovery.resumed()).isEmpty();
    }

    @Test
    void of_failureThatNobodyReported_isNotMeasured() {
        EventList events = new EventList().round(1, 0, 0, "a", "b").failed("b", 1010, 78, 1);

        assertThat(only(events, worker(1000, 77)).outcome()).isEqualTo(Recovery.Outcome.NOT_REPORTED);
    }

    @Test
    void of_stoppedWorkerThatIsKilledLater_countsForTheKill() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .failed("b", 3010, 77, 1)
                .decided("a", 3015, 2, FAILED_ON_B)
                .round(2, 3030, 5, "a");

        List<Recovery> recoveries = new Recoveries(events.all())
                .of(List.of(fault(FaultKind.HANG, 1000, "b", 77), fault(FaultKind.WORKER, 3000, "b", 77)));

        assertThat(recoveries)
                .extracting(Recovery::outcome)
                .containsExactly(Recovery.Outcome.NOT_REPORTED, Recovery.Outcome.RECOVERED);
    }

    @Test
    void of_noRoundAfterwards_isOpen() {
        EventList events = new EventList().round(1, 0, 0, "a", "b").failed("b", 1010, 77, 1);

        Recovery recovery = only(events, worker(1000, 77));

        assertThat(recovery.outcome()).isEqualTo(Recovery.Outcome.OPEN);
        assertThat(recovery.detected()).isEqualTo(millis(10));
    }

    @Test
    void of_agentKilled_isDetectedByTheCoordinator() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .decided("a", 1070, 2, LOST_B)
                .round(2, 1100, 5, "a");

        Recovery recovery = only(events, fault(FaultKind.NODE, 1000, "b", 5));

        assertThat(recovery.detected()).isEqualTo(millis(70));
        assertThat(recovery.resumed()).isEqualTo(millis(120));
        assertThat(recovery.complete()).isEmpty();
    }

    @Test
    void of_agentCutOff_isAsOfOneThatWasKilled_andTheRunIsFullAgain() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .decided("a", 3000, 2, LOST_B)
                .round(2, 3100, 5, "a")
                .round(3, 4000, 9, "a", "c");

        Recovery recovery = only(events, fault(FaultKind.PARTITION, 1000, "b", 5));

        assertThat(recovery.detected()).isEqualTo(millis(2000));
        assertThat(recovery.resumed()).isEqualTo(millis(2120));
        assertThat(recovery.complete()).isEqualTo(millis(3020));
    }

    @Test
    void of_agentCutOffTooShortlyForARound_isNotReported() {
        EventList events = new EventList().round(1, 0, 0, "a", "b");

        assertThat(only(events, fault(FaultKind.PARTITION, 1000, "b", 5)).outcome())
                .isEqualTo(Recovery.Outcome.NOT_REPORTED);
    }

    @Test
    void of_agentCutOffWithoutARound_andKilledLater_countsForTheKill() {
        EventList events = new EventList()
                .round(1, 0, 0, "a", "b")
                .decided("a", 9070, 2, LOST_B)
                .round(2, 9100, 5, "a");

        List<Recovery> recoveries = new Recoveries(events.all())
                .of(List.of(fault(FaultKind.PARTITION, 1000, "b", 5), fault(FaultKind.NODE, 9000, "b", 5)));

        assertThat(recoveries)
                .extracting(Recovery::outcome)
                .containsExactly(Recovery.Outcome.NOT_REPORTED, Recovery.Outcome.RECOVERED);
        assertThat(recoveries.get(1).detected()).isEqualTo(millis(70));
    }

    @Test
    void of_faultThatWasLeftOut_isNothing() {
        FaultSchedule.Planned planned = new FaultSchedule.Planned(1, 0, FaultKind.NODE, 0);

        assertThat(new Recoveries(new EventList().all()).of(List.of(new Fault(planned, 0, "", 0, "alone"))))
                .isEmpty();
    }

    private static Recovery only(EventList events, Fault fault) {
        return new Recoveries(events.all()).of(List.of(fault)).get(0);
    }

    private static Fault worker(long millis, long pid) {
        return fault(FaultKind.WORKER, millis, "b", pid);
    }

    private static Fault fault(FaultKind kind, long millis, String node, long pid) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        return new Fault(new FaultSchedule.Planned(1, nanos, kind, 0), nanos, node, pid, "");
    }

    private static OptionalLong millis(long millis) {
        return OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
