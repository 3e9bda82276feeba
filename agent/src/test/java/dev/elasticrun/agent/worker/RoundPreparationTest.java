/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.context.RuntimeFailedException;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.agent.runtime.FrameworkRuntime;
import dev.elasticrun.agent.runtime.PreparedRound;
import dev.elasticrun.agent.runtime.RuntimeRound;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.worker.contract.ListenPlace;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RoundPreparationTest {
    private static final RunIdentity RUN = new RunIdentity("job", "one", 3, new byte[] {1});

    private final Recorder recorder = new Recorder();
    private final Ports ports = new Ports(ListenPlace.LOOPBACK, true);

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        ports.close();
    }

    @Test
    void prepare_sameRoundAgain_isOpenedOnce() throws IOException {
        RoundPreparation preparation = preparation("a");

        preparation.prepare(round(2, 5000), RUN);
        preparation.on(round(2, 5000));
        preparation.prepare(round(2, 5000), RUN);

        assertThat(recorder.calls).containsExactly("open 2");
        assertThat(preparation.values(1)).containsExactly(Map.entry("ID", "2/1"));
    }

    @Test
    void prepare_nextRound_closesTheOneBeforeFirst() throws IOException {
        RoundPreparation preparation = preparation("a");

        preparation.prepare(round(2, 5000), RUN);
        preparation.prepare(round(3, 5000), RUN);
        preparation.on(round(3, 5000));

        assertThat(recorder.calls).containsExactly("open 2", "close 2", "open 3");
        assertThat(preparation.values(1)).containsExactly(Map.entry("ID", "3/1"));
    }

    @Test
    void on_newerRound_isTheEndOfThatBefore() throws IOException {
        RoundPreparation preparation = preparation("a");
        preparation.on(null);
        preparation.prepare(round(2, 5000), RUN);

        preparation.on(round(4, 5000));
        preparation.on(round(5, 5000));
        preparation.close();

        assertThat(recorder.calls).containsExactly("open 2", "close 2", "close");
        assertThat(preparation.values(0)).isEmpty();
    }

    /** Nobody works in it any more: the round that follows has the next number. */
    @Test
    void on_suspendedRound_isItsEnd() throws IOException {
        RoundPreparation preparation = preparation("a");
        preparation.prepare(round(2, 5000), RUN);

        preparation.on(suspended(2));
        assertThat(recorder.calls).containsExactly("open 2", "close 2");

        preparation.on(suspended(2));
        preparation.prepare(round(3, 5000), RUN);
        assertThat(recorder.calls).containsExactly("open 2", "close 2", "open 3");
    }

    @Test
    void view_ofRankZero_hasTheDoorThatWasReserved() throws IOException {
        int port = ((AgentEvent.PortsReserved) ports.reserve(1)).masterPort();

        preparation("b").prepare(round(2, port), RUN);
        RuntimeRound seen = recorder.rounds.get(0);

        assertThat(seen.hasRankZero()).isTrue();
        assertThat(seen.worldSize()).isEqualTo(3);
        assertThat(seen.nodes())
                .containsExactly(
                        new RuntimeRound.Node("b", "10.0.0.1", 0, 1), new RuntimeRound.Node("a", "10.0.0.1", 1, 2));
        assertThat(seen.masterAddress()).isEqualTo("10.0.0.9");
        assertThat(seen.directory()).isDirectory().hasParent(directory);
        try (ServerSocketChannel door = seen.door().orElseThrow()) {
            assertThat(door.socket().getLocalPort()).isEqualTo(port);
        }
        assertThat(ports.take(port)).as("taken").isEmpty();
    }

    @Test
    void view_ofOthers_hasADoorOfItsOwn() throws Exception {
        int port = ((AgentEvent.PortsReserved) ports.reserve(1)).masterPort();

        preparation("a").prepare(round(2, port), RUN);

        assertThat(recorder.rounds.get(0).hasRankZero()).isFalse();
        try (ServerSocketChannel door = recorder.rounds.get(0).door().orElseThrow()) {
            assertThat(door.socket().getLocalPort()).isPositive().isNotEqualTo(port);
            assertThat(door.socket().getInetAddress().isLoopbackAddress()).isTrue();
        }
    }

    @Test
    void runtimeThrows_isNamed() throws IOException {
        RoundPreparation preparation = preparation("a");
        recorder.failing = true;

        assertThatThrownBy(() -> preparation.prepare(round(2, 5000), RUN))
                .isInstanceOf(RuntimeFailedException.class)
                .hasMessageContainingAll(" own:x ", "java.io.IOException: no tracker today");
        assertThat(preparation.values(0)).isEmpty();
    }

    @Test
    void runtimeThrowsAtTheEnd_nextRoundIsPreparedAllTheSame() throws IOException {
        RoundPreparation preparation = preparation("a");
        preparation.prepare(round(2, 5000), RUN);
        recorder.failing = true;
        preparation.on(round(3, 5000));
        recorder.failing = false;

        preparation.prepare(round(3, 5000), RUN);

        assertThat(recorder.calls).containsExactly("open 2", "close 2", "open 3");
    }

    /** By which the agents of a round know each other: no other round's, and no other run's. */
    @Test
    void prepare_secret_isOfThatRoundOfThatRun() throws IOException {
        preparation("a").prepare(round(2, 5000), RUN);
        preparation("b").prepare(round(2, 5000), RUN);
        preparation("a").prepare(round(3, 5000), RUN);
        preparation("a").prepare(round(2, 5000), new RunIdentity("job", "two", 3, new byte[] {1}));
        preparation("a").prepare(round(2, 5000), new RunIdentity("job", "one", 3, new byte[] {2}));

        List<byte[]> secrets =
                recorder.rounds.stream().map(RuntimeRound::secret).toList();
        assertThat(secrets.get(0)).hasSize(32).isEqualTo(secrets.get(1));
        assertThat(secrets.stream().map(HexFormat.of()::formatHex).distinct()).hasSize(4);
    }

    private RoundPreparation preparation(String nodeId) {
        return new RoundPreparation("own:x", recorder, nodeId, ports, directory);
    }

    private static Round suspended(long number) {
        return RoundFixture.round(number).with("a", 0, 2).suspended().build();
    }

    private static Round round(long number, int masterPort) {
        return RoundFixture.round(number)
                .with("b", 0, 1)
                .with("a", 0, 2)
                .master("10.0.0.9", masterPort)
                .build();
    }

    /** What was wrong with a port need not be wrong with the next. */
    @Test
    void runtimeThrowsOnce_rankZeroElsewhere_getsAnotherDoor() throws IOException {
        recorder.failures = 1;

        preparation("a").prepare(round(2, 5000), RUN);

        assertThat(recorder.calls).containsExactly("open 2");
        recorder.rounds.get(0).door().orElseThrow().close();
    }

    /** Its port is the round's: only another round has another. */
    @Test
    void runtimeThrowsOnce_rankZero_fails() throws IOException {
        recorder.failures = 1;

        assertThatThrownBy(() -> preparation("b").prepare(round(2, 5000), RUN))
                .isInstanceOf(RuntimeFailedException.class);
    }

    private static final class Recorder implements FrameworkRuntime {
        private final List<String> calls = new ArrayList<>();
        private final List<RuntimeRound> rounds = new ArrayList<>();
        private boolean failing;
        private int failures;

        @Override
        public Set<String> reservedNames() {
            return Set.of();
        }

        @Override
        public boolean servesMasterEndpoint() {
            return true;
        }

        @Override
        public void close() {
            calls.add("close");
        }

        @Override
        public PreparedRound open(RuntimeRound round) throws IOException {
            if (failing || failures-- > 0) {
                throw new IOException("no tracker today");
            }
            calls.add("open " + round.number());
            rounds.add(round);
            return new PreparedRound() {
                @Override
                public Map<String, String> values(int rank) {
                    return Map.of("ID", round.number() + "/" + rank);
                }

                @Override
                public void close() {
                    calls.add("close " + round.number());
                    if (failing) {
                        throw new IllegalStateException("no end today");
                    }
                }
            };
        }
    }
}
