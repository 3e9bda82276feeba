/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Errors of another library that connects the workers, in a loop on a real channel. */
@Timeout(30)
final class PeerErrorTest {
    private static final LoopOptions OPTIONS = LoopOptions.STANDARD.withPeerError(SocketException.class::isInstance);

    @TempDir
    private Path node;

    private TestAgent agent;
    private WorkerRuntime worker;
    private ElasticState state;
    private final List<Long> rounds = new ArrayList<>();
    private final ExecutorService agentThread = Executors.newSingleThreadExecutor();

    @BeforeEach
    void start() throws IOException {
        agent = TestAgent.ofOneWorker(node);
        worker = WorkerRuntime.start(agent.environment());
        state = ElasticState.of(new Snapshotable() {
            @Override
            public byte[] save() {
                return new byte[0];
            }

            @Override
            public void restore(byte[] snapshot) {}
        });
    }

    @AfterEach
    void stop() {
        agentThread.shutdownNow();
        worker.close();
        agent.close();
    }

    @Test
    void accepted_isReportedAndTheBodyIsEnteredAgain() throws Exception {
        Future<?> answered = answer(1);
        run(OPTIONS, 1);
        answered.get(10, TimeUnit.SECONDS);
        assertThat(rounds).containsExactly(1L, 2L);
        assertThat(agent.up(UpMessage.PeerLost.class)).containsExactly(new UpMessage.PeerLost(1, 0));
    }

    @Test
    void accepted_afterTheRoundWasOver_isNotReported() throws Exception {
        ElasticLoop.run(worker, state, OPTIONS, collective -> {
            rounds.add(collective.round());
            if (collective.round() == 1) {
                next(2);
                worker.awaitWork(1);
                throw new SocketException("reset");
            }
        });
        assertThat(rounds).containsExactly(1L, 2L);
        assertThat(agent.up(UpMessage.PeerLost.class)).isEmpty();
    }

    @Test
    void accepted_inARoundThatACallWentOnIn_isReportedOfThatRound() throws Exception {
        worker.close();
        Map<String, String> environment = new HashMap<>(agent.environment());
        environment.put(WorkerEnv.REPLACES_WORKERS, "true");
        worker = WorkerRuntime.start(environment);
        ElasticLoop.run(worker, state, OPTIONS, collective -> {
            rounds.add(collective.round());
            if (collective.round() == 1) {
                agent.pause(1);
                agent.peers(2, 1);
                agent.work(2, 1, 0, 1);
                worker.awaitWork(1);
                collective.barrier();
                rounds.add(collective.round());
                answerOne(3);
                throw new SocketException("reset");
            }
        });
        assertThat(rounds).containsExactly(1L, 2L, 3L);
        assertThat(agent.up(UpMessage.PeerLost.class)).containsExactly(new UpMessage.PeerLost(2, 0));
    }

    @Test
    void accepted_andNothingIsDecided_fails() {
        assertThatThrownBy(() -> run(OPTIONS.withPeerErrorWait(Duration.ofMillis(50)), 1))
                .isInstanceOf(SocketException.class);
        assertThat(rounds).containsExactly(1L);
        assertThat(agent.up(UpMessage.PeerLost.class)).hasSize(1);
    }

    @Test
    void accepted_againAndAgainWithoutACommit_failsAtTheLimit() {
        answer(2);
        LoopOptions options =
                OPTIONS.withPeerErrorWait(Duration.ofSeconds(Long.MAX_VALUE)).withPeerErrorLimit(3);
        assertThatThrownBy(() -> run(options, 100)).isInstanceOf(SocketException.class);
        assertThat(rounds).containsExactly(1L, 2L, 3L);
    }

    @Test
    void accepted_againAndAgainWithCommitsBetween_goesOn() throws Exception {
        answer(4);
        ElasticLoop.run(worker, state, OPTIONS.withPeerErrorLimit(2), collective -> {
            rounds.add(collective.round());
            state.commit();
            if (collective.round() < 5) {
                throw new SocketException("reset");
            }
        });
        assertThat(rounds).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void notAccepted_failsAndIsNotReported() {
        assertThatThrownBy(() -> ElasticLoop.run(worker, state, OPTIONS, collective -> {
                    throw new IOException("no such file");
                }))
                .hasMessage("no such file");
        assertThat(agent.up(UpMessage.PeerLost.class)).isEmpty();
    }

    @Test
    void options_outOfRange_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.withPeerErrorWait(Duration.ZERO))
                .withMessage("peerErrorWait: PT0S (expected: 1 ms or more)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPTIONS.withPeerErrorLimit(0))
                .withMessage("peerErrorLimit: 0 (expected: 1 or more)");
    }

    /** The first {@code errors} times the other library loses a peer. */
    private void run(LoopOptions options, int errors) throws Exception {
        ElasticLoop.run(worker, state, options, collective -> {
            rounds.add(collective.round());
            if (rounds.size() <= errors) {
                throw new SocketException("reset");
            }
        });
    }

    /** As an agent whose coordinator finds nobody lost: the same members get another round. */
    private Future<?> answer(int times) {
        return agentThread.submit(() -> {
            for (int i = 1; i <= times; i++) {
                int reports = i;
                await().until(() -> agent.up(UpMessage.PeerLost.class).size() == reports);
                next(i + 1);
            }
            return null;
        });
    }

    /** The first one, of whatever round. */
    private void answerOne(long round) {
        agentThread.submit(() -> {
            await().until(() -> agent.up(UpMessage.PeerLost.class).size() == 1);
            next(round);
            return null;
        });
    }

    private void next(long round) throws IOException {
        agent.pause(round - 1);
        agent.peers(round, 1);
        agent.work(round, 0, 1);
    }
}
