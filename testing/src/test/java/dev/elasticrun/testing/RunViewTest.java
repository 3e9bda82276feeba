/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunViewTest {
    private final RunView view = new RunView();
    private long nanos;

    @Test
    void works_allOfTheNewestRoundHaveCompletedAnOperation() {
        start("a", 0, 1, 11);
        start("b", 0, 1, 21);
        work("a", 1, 2, 0, 0);
        work("b", 1, 2, 1, 0);
        assertThat(view.works(slot -> true)).isFalse();

        resumed("a", 0, 1, 1);
        assertThat(view.works(slot -> true)).isFalse();
        resumed("b", 0, 1, 1);

        assertThat(view.works(slot -> true)).isTrue();
        assertThat(view.works(slot -> slot.pid() != 21)).as("one is stopped").isFalse();
        assertThat(view.describe()).isEqualTo("round 1 of 2 workers, of which 2 have completed an operation in it");

        work("a", 2, 1, 0, 0);
        assertThat(view.works(slot -> true)).as("a newer round").isFalse();
    }

    @Test
    void round_ranksFollowTheSlotsOfEachNode() {
        start("a", 0, 1, 10);
        start("a", 1, 1, 11);
        start("a", 2, 1, 12);
        start("b", 0, 1, 20);
        work("b", 3, 3, 0, 0);
        work("a", 3, 3, 1, 0, 2);

        assertThat(view.round().workers())
                .extracting(worker -> worker.rank() + "=" + worker.slot().pid())
                .containsExactly("0=20", "1=10", "2=12");
        RunView.Slot spare = view.slots("a").get(1);
        assertThat(view.rank(spare)).isEmpty();
        assertThat(view.rank(view.slots("a").get(2))).hasValue(2);
    }

    @Test
    void slot_aNewProcessTakesThePlaceOfTheOldOne() {
        start("a", 0, 1, 10);
        resumed("a", 0, 1, 1);
        start("a", 0, 2, 15);
        apply("a", 1, new RunEvent.WorkerExited(worker(0, 1), new RunEvent.WorkerEnd(10, 137), false, 0, 0));

        assertThat(view.slots("a")).containsExactly(new RunView.Slot("a", 0, 2, 15, 0, false));

        apply("a", 1, new RunEvent.WorkerExited(worker(0, 2), new RunEvent.WorkerEnd(15, 0), false, 0, 0));
        assertThat(view.slots("a")).isEmpty();
    }

    @Test
    void coordinator_isTheNodeThatWasElectedLast() {
        assertThat(view.coordinator()).isEmpty();
        LoggedEvent late = event("b", 1, new RunEvent.CoordinatorElected());
        nanos -= 10;
        view.apply(late);
        apply("a", 1, new RunEvent.CoordinatorElected());

        assertThat(view.coordinator()).contains("b");
    }

    @Test
    void node_isThatOfTheAgentsProcess() {
        apply("a", 0, joined(7));
        apply("b", 0, joined(8));
        apply("c", 0, joined(8));

        assertThat(view.node(7)).contains("a");
        assertThat(view.node(8)).as("started over").contains("c");
        assertThat(view.node(9)).isEmpty();
        assertThat(view.describe()).isEqualTo("no round yet");
    }

    private static RunEvent joined(long pid) {
        return new RunEvent.RunJoined(
                "host", pid, 1, new RunEvent.Policy("soft", false), new RunEvent.Limits(1, 2, 3, 0, 0));
    }

    private static RunEvent.Worker worker(int slot, int attempt) {
        return new RunEvent.Worker(slot, attempt);
    }

    private void start(String node, int slot, int attempt, long pid) {
        apply(node, 0, new RunEvent.WorkerStarted(worker(slot, attempt), pid));
    }

    private void work(String node, long round, int worldSize, int rank, Integer... slots) {
        apply(node, round, new RunEvent.WorkPublished("cause", List.of(), round, worldSize, rank, List.of(slots)));
    }

    private void resumed(String node, int slot, int attempt, long round) {
        apply(node, round, new RunEvent.WorkerResumed(worker(slot, attempt), 0, round, 0, 1));
    }

    private void apply(String node, long round, RunEvent event) {
        view.apply(event(node, round, event));
    }

    private LoggedEvent event(String node, long round, RunEvent event) {
        return new LoggedEvent(
                new LoggedEvent.Stamp(node, round, 0, ++nanos, Instant.EPOCH), "incarnation", event, Map.of());
    }
}
