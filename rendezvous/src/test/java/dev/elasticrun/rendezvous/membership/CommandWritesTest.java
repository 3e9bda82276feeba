/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import dev.elasticrun.rendezvous.view.RunStore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CommandWritesTest {
    private static final RunKeys KEYS = RunKeys.of("run");

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore cluster = new SimulatedStore(time, new Random(1));
    private final SimulatedLoop loop = new SimulatedLoop(time);
    private final RendezvousStore store = cluster.connect(loop);
    private final CommandWrites writes = new CommandWrites(new RunStore(store, loop, KEYS), "i");

    @BeforeEach
    void start() {
        put(KEYS.spec(), RecordCodec.encode(RunSpecs.of("i", RunSpecs.terms(1, 2, "hard", 0))));
    }

    @Test
    void write_severalCommands_getNumbersInOrder() {
        assertThat(get(writes.write(command("one")))).isEqualTo(1);
        assertThat(get(writes.write(command("two")))).isEqualTo(2);
    }

    @Test
    void write_sameRequestTwice_isOneCommand() {
        long first = get(writes.write(command("one")));

        assertThat(get(writes.write(command("one")))).isEqualTo(first);
        assertThat(get(writes.write(command("two")))).isEqualTo(first + 1);
    }

    @Test
    void find_requestThatWasWritten_isTheCommandWithItsNumber() {
        get(writes.write(command("one")));
        long number = get(writes.write(command("two")));
        put(KEYS.command(number + 1), new byte[] {1, 2, 3});

        assertThat(get(writes.find("two"))).contains(command("two").numbered(number));
        assertThat(get(writes.find("three"))).isEmpty();
    }

    @Test
    void write_sameRequestByTwoAgentsAtOnce_isOneCommand() {
        SimulatedLoop otherLoop = new SimulatedLoop(time);
        CommandWrites other = new CommandWrites(new RunStore(cluster.connect(otherLoop), otherLoop, KEYS), "i");

        CompletableFuture<Long> first = writes.write(command("one"));
        CompletableFuture<Long> second = other.write(command("one"));

        assertThat(get(first)).isEqualTo(get(second));
        assertThat(cluster.names()).containsOnlyOnce(KEYS.command(1)).doesNotContain(KEYS.command(2));
    }

    @Test
    void write_oldNumbersAreForgotten_goesOnAboveWhatTheRoundConsumed() {
        put(KEYS.round(), RecordCodec.encode(Round.NONE.withCommand(7), "i"));

        assertThat(get(writes.write(command("one")))).isEqualTo(8);
    }

    @Test
    void write_runHasEnded_isRefused() {
        put(KEYS.verdict(), RecordCodec.encode(Verdict.success("all done"), "i"));

        assertThatThrownBy(() -> get(writes.write(command("one")))).hasMessageContaining("the run has ended: all done");
    }

    @Test
    void write_runWasStartedAnew_isRefused() {
        put(KEYS.spec(), RecordCodec.encode(RunSpecs.of("j", RunSpecs.terms(1, 2, "hard", 0))));

        assertThatThrownBy(() -> get(writes.write(command("one")))).hasMessageContaining("not in the store any more");
    }

    @Test
    void codec_commandAndWhatBecameOfIt_areReadBack() {
        Command drain = Command.drain("r", "n1", true, "alice").numbered(3);
        put(KEYS.command(3), CommandCodec.encode(new CommandResult(drain, false, "no", 9), "i"));

        CommandCodec.Stored stored = CommandCodec.decode(stored(3));

        assertThat(stored)
                .isEqualTo(new CommandCodec.Stored(drain, "i", Optional.of(new CommandResult(drain, false, "no", 9))));
        put(KEYS.command(4), new byte[] {1, 2, 3});
        assertThatThrownBy(() -> CommandCodec.decode(stored(4)))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(KEYS.command(4));
    }

    private KeyValue stored(long number) {
        return Objects.requireNonNull(cluster.get(KEYS.command(number)));
    }

    private static Command command(String request) {
        return Command.stop(request, "alice");
    }

    private void put(String key, byte[] value) {
        get(store.commit(new Transaction(List.of(), List.of(new Operation.Put(key, value, 0)), List.of())));
    }

    private <T> T get(CompletableFuture<T> future) {
        while (!future.isDone()) {
            assertThat(time.step(Long.MAX_VALUE)).isTrue();
        }
        return future.join();
    }
}
