/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.plan.PlannerFixture;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class NewcomerDialsTest {
    private final SteppedLoop loop = new SteppedLoop();
    private final Map<String, CompletableFuture<String>> answers = new LinkedHashMap<>();
    private final NodeFixture own = NodeFixture.of("own", 1);
    private final NodeFixture b = NodeFixture.of("b", 2).slots(2);
    private int changes;
    private final NewcomerDials dials = new NewcomerDials(loop, this::dial, "own", () -> changes++);

    /** A loop whose tasks run when the test decides. */
    private static final class SteppedLoop implements EventLoop {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private final List<Duration> delays = new ArrayList<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            delays.add(delay);
            tasks.add(task);
            return () -> tasks.remove(task);
        }

        @Override
        public long nowNanos() {
            return 0;
        }

        @Override
        public void assertInLoop() {}

        /** Runs what is there now, not what follows from it. */
        void step() {
            for (int left = tasks.size(); left > 0; left--) {
                tasks.remove().run();
            }
        }
    }

    private CompletableFuture<String> dial(String address, int port) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        answers.put(address + ":" + port, answer);
        return answer;
    }

    private void answer(String first, String second) {
        Objects.requireNonNull(answers.get("10.0.0.1:4000")).complete(first);
        Objects.requireNonNull(answers.get("10.0.0.1:4001")).complete(second);
        loop.step();
    }

    private List<NodePhase> phases() {
        return dials.ready(List.of(own.node(), b.node()), null).stream()
                .map(Node::phase)
                .toList();
    }

    @Test
    void ready_newcomerBeingDialled_isNotReadyYet() {
        assertThat(phases()).containsExactly(NodePhase.READY, NodePhase.STARTING);
        assertThat(answers).containsOnlyKeys("10.0.0.1:4000", "10.0.0.1:4001");
        assertThat(dials.pending()).isTrue();
    }

    @Test
    void ready_allWorkersAnswered_countsOnceAndForAll() {
        phases();
        answer("", "");

        assertThat(changes).isOne();
        answers.clear();
        assertThat(phases()).containsExactly(NodePhase.READY, NodePhase.READY);
        assertThat(answers).as("dialled again").isEmpty();
        assertThat(dials.complaint()).isEmpty();
    }

    @Test
    void ready_oneWorkerDoesNotAnswer_leavesTheNodeOutAndNamesIt() {
        phases();
        answer("", "/10.0.0.1:4001: timed out");

        assertThat(phases()).containsExactly(NodePhase.READY);
        assertThat(dials.complaint()).endsWith(": b at /10.0.0.1:4001: timed out");
        assertThat(changes).isOne();
    }

    @Test
    void ready_unreachableNode_isTriedAgainLessOftenUntilItAnswers() {
        phases();
        for (int i = 0; i < 7; i++) {
            answer("", "no");
            loop.step();
        }
        answer("", "");

        assertThat(loop.delays)
                .extracting(Duration::toMillis)
                .containsExactly(200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);
        assertThat(phases()).containsExactly(NodePhase.READY, NodePhase.READY);
        assertThat(dials.complaint()).isEmpty();
    }

    @Test
    void ready_otherListeners_areDialledAnew() {
        phases();
        answer("", "");
        b.slots(3);

        assertThat(phases()).containsExactly(NodePhase.READY, NodePhase.STARTING);
        assertThat(answers).containsKey("10.0.0.1:4002");
    }

    @Test
    void ready_nodeThatStarts_isNotDialled() {
        b.phase(NodePhase.STARTING);

        assertThat(phases()).containsExactly(NodePhase.READY, NodePhase.STARTING);
        assertThat(answers).isEmpty();
    }

    @Test
    void ready_participant_isNotDialled() {
        PlannerFixture run = PlannerFixture.soft(2, 2, 3).running("own", "b");

        List<Node> live = List.of(
                run.node("own").node(), run.node("b").phase(NodePhase.READY).node());

        assertThat(dials.ready(live, run.round())).isEqualTo(live);
        assertThat(answers).isEmpty();
    }
}
