/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.process.GroupSignal;
import dev.elasticrun.agent.process.WorkerProcess;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.WorkerHandle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody here waits: every step follows from the one before on the test's thread. */
final class WorkerStopsTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final List<AgentEvent> posted = new CopyOnWriteArrayList<>();
    private final WorkerStops stops = new WorkerStops(posted::add);
    private final FakeWorkerProcess first = new FakeWorkerProcess(100);
    private final FakeWorkerProcess second = new FakeWorkerProcess(101);

    @TempDir
    private Path node;

    @Test
    void stop_allEnded_groupIsGoneOnceTheirEndsWereReported() throws Exception {
        List<WorkerHandle> workers = List.of(started(0, first), started(1, second));

        stops.stop(3, workers, LONG);
        assertThat(first.signals).containsExactly(GroupSignal.TERM);
        first.ends(143);
        second.ends(143);
        assertThat(posted).isEmpty();
        workers.forEach(worker -> worker.endReported().complete(null));

        assertThat(posted).containsExactly(new AgentEvent.GroupGone(3));
    }

    @Test
    void stop_oneNeverStarted_othersAreStopped() throws Exception {
        WorkerHandle failed = worker(0, CompletableFuture.failedFuture(new IOException("no such program")));
        WorkerHandle other = started(1, second);
        failed.endReported().complete(null);
        other.endReported().complete(null);

        stops.stop(1, List.of(failed, other), LONG);
        second.ends(0);

        assertThat(posted).containsExactly(new AgentEvent.GroupGone(1));
    }

    @Test
    void stop_oneIsStillBeingStarted_isStoppedOnceItIsThere() throws Exception {
        CompletableFuture<WorkerProcess> starting = new CompletableFuture<>();
        WorkerHandle worker = worker(0, starting);
        worker.endReported().complete(null);

        stops.stop(1, List.of(worker), LONG);
        assertThat(posted).isEmpty();
        starting.complete(first);
        assertThat(first.signals).containsExactly(GroupSignal.TERM);
        first.ends(143);

        assertThat(posted).containsExactly(new AgentEvent.GroupGone(1));
    }

    @Test
    void stop_childThatOutlivesKill_isNamedByItsWorker() throws Exception {
        stops.stop(1, List.of(started(0, first), started(1, second)), LONG);
        first.ends(143);
        second.leavesAStuckChild(143);

        assertThat(posted).singleElement().isInstanceOfSatisfying(AgentEvent.WorkersStuck.class, stuck -> {
            assertThat(stuck.attempts()).isEqualTo(Map.of(1, 0));
            assertThat(stuck.message()).startsWith("process 101 ");
        });
    }

    @Test
    void stop_forced_killsAtOnce() throws Exception {
        stops.stop(1, List.of(started(0, first)), LONG);

        stops.force();

        assertThat(first.signals).containsExactly(GroupSignal.TERM, GroupSignal.KILL);
    }

    @Test
    void kill_oneWorker_reportsNothingOfTheGroup() throws Exception {
        WorkerHandle worker = started(0, first);

        stops.kill(worker);
        assertThat(first.signals).contains(GroupSignal.KILL);
        first.ends(137);

        assertThat(posted).isEmpty();
    }

    @Test
    void kill_childThatOutlivesIt_isNamed() throws Exception {
        stops.kill(started(0, first));

        first.leavesAStuckChild(137);

        assertThat(posted).singleElement().isInstanceOfSatisfying(AgentEvent.WorkersStuck.class, stuck -> assertThat(
                        stuck.attempts())
                .isEqualTo(Map.of(0, 0)));
    }

    private WorkerHandle started(int slot, FakeWorkerProcess process) throws IOException {
        return worker(slot, CompletableFuture.completedFuture(process));
    }

    private WorkerHandle worker(int slot, CompletableFuture<WorkerProcess> process) throws IOException {
        WorkerHandle worker = FakeWorkerProcess.worker(node, slot, process);
        worker.writer().close();
        return worker;
    }
}
