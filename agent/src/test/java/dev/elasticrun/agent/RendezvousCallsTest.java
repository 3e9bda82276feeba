/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RendezvousCallsTest {
    private final RendezvousCalls calls = new RendezvousCalls();
    private final List<String> done = new ArrayList<>();
    private final List<Runnable> made = new ArrayList<>();

    private void call(String name) {
        calls.run(() -> done.add(name));
    }

    @Test
    void run_whileSomethingIsMade_waitsInOrder() {
        call("before");
        calls.await(made::add);
        call("joined");
        call("round");
        assertThat(done).containsExactly("before");

        made.get(0).run();
        call("verdict");

        assertThat(done).containsExactly("before", "joined", "round", "verdict");
    }

    @Test
    void await_whileSomethingIsMade_beginsAfterIt() {
        calls.await(made::add);
        call("joined");
        calls.await(made::add);
        call("joined again");
        assertThat(made).hasSize(1);

        made.get(0).run();
        assertThat(done).containsExactly("joined");
        made.get(1).run();

        assertThat(done).containsExactly("joined", "joined again");
    }

    @Test
    void await_madeAtOnce_holdsNothing() {
        calls.await(Runnable::run);
        call("joined");

        assertThat(done).containsExactly("joined");
    }

    @Test
    void run_byACallThatWaited_comesBehindThoseThatWait() {
        calls.await(made::add);
        calls.run(() -> {
            done.add("first");
            call("third");
        });
        call("second");

        made.get(0).run();

        assertThat(done).containsExactly("first", "second", "third");
    }
}
