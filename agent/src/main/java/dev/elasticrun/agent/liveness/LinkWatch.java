/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what {@link LinkState} wants at one end of a held connection. Owned by the loop. */
final class LinkWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LinkWatch.class);

    private final String name;
    private final EventLoop loop;
    private final Dialer dialer;
    private final BiConsumer<NodeLife, String> onDead;
    private LinkState state = LinkState.open();
    // Distinguishes the answer to a probe from one that a later event made worthless.
    private int episode;

    /**
     * @param name for the log, "to" or "from" and the node at the other end
     * @param onDead called in the loop with the node and the evidence
     */
    LinkWatch(String name, EventLoop loop, Dialer dialer, BiConsumer<NodeLife, String> onDead) {
        this.name = name;
        this.loop = loop;
        this.dialer = dialer;
        this.onDead = onDead;
    }

    void on(UnaryOperator<LinkState> event) {
        loop.assertInLoop();
        LinkState before = state;
        state = event.apply(before);
        if (state.equals(before)) {
            return;
        }
        episode++;
        if (before.phase() != state.phase()) {
            LOG.debug("link {} {}->{}", name, before.phase(), state.phase());
        }
        NodeLife other = state.other();
        Optional<Duration> next = state.nextLook();
        if (other == null) {
            return;
        }
        if (state.phase() == LinkState.Phase.PROVED) {
            onDead.accept(
                    other,
                    "connection ended without a goodbye, and " + other.address() + ":" + other.controlPort()
                            + " refuses another");
        } else if (next.isPresent()) {
            lookIn(next.get(), other);
        }
    }

    /** The node at the other end, if both ends have identified each other. */
    Optional<NodeLife> held() {
        return switch (state.phase()) {
            case WATCHED, UNWATCHED -> Optional.ofNullable(state.other());
            case OPEN, INTRODUCED, SUSPECT, PROVED -> Optional.empty();
        };
    }

    boolean proved() {
        return state.phase() == LinkState.Phase.PROVED;
    }

    /** Whether the other end is being looked for. */
    boolean suspicious() {
        return state.phase() == LinkState.Phase.SUSPECT;
    }

    private void lookIn(Duration delay, NodeLife other) {
        int begun = episode;
        if (delay.isZero()) {
            look(begun, other);
        } else {
            loop.schedule(delay, () -> look(begun, other));
        }
    }

    private void look(int begun, NodeLife other) {
        if (begun == episode) {
            dialer.dial(other.address(), other.controlPort())
                    .thenAccept(answer -> loop.execute(() -> {
                        if (begun == episode) {
                            on(suspected -> suspected.looked(answer.kind()));
                        }
                    }));
        }
    }
}
