/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Owns the agent's state: applies events to the rules, publishes the new state, then carries out the effects, in this
 * order, so that peers learn of a failure before anything slow happens here. The order is reversed only for a round:
 * the workers wait for it, and no peer waits for the report that this node has it. Owned by the loop, but for {@link
 * #post}.
 */
public final class AgentMachine {
    private static final Logger LOG = LoggerFactory.getLogger(AgentMachine.class);

    private static final Duration STEP = Duration.ofMillis(500);

    private final EventLoop loop;
    private final AgentRules rules;
    private final BiConsumer<AgentState, AgentEvent> publisher;
    private final Consumer<AgentEffect> effects;
    private AgentState state;
    private boolean stopped;

    /**
     * @param publisher receives each state and the event that led to it, in the loop
     * @param effects receives what is to be done, in the loop
     */
    public AgentMachine(
            EventLoop loop,
            AgentRules rules,
            BiConsumer<AgentState, AgentEvent> publisher,
            Consumer<AgentEffect> effects) {
        this.loop = loop;
        this.rules = rules;
        this.publisher = publisher;
        this.effects = effects;
        this.state = AgentState.initial(rules.settings());
    }

    /** Applies the event soon; callable from any thread. */
    public void post(AgentEvent event) {
        loop.execute(() -> apply(event));
    }

    public void apply(AgentEvent event) {
        loop.assertInLoop();
        if (stopped) {
            return;
        }
        Transition transition = event.applyTo(rules, state);
        state = transition.state();
        if (!transition.reason().isEmpty()) {
            LOG.atLevel(transition.notice() ? Level.INFO : Level.DEBUG).log("{}", transition.reason());
        }
        if (event instanceof AgentEvent.RoundPublished) {
            transition.effects().forEach(effects);
            publisher.accept(state, event);
        } else {
            publisher.accept(state, event);
            transition.effects().forEach(effects);
        }
    }

    /**
     * Applies the event once this agent has run for this delay. Time in which it was stopped does not count, and after
     * it there is a moment in which workers that were stopped as well can answer.
     */
    public void later(Duration delay, AgentEvent event) {
        loop.assertInLoop();
        Duration step = delay.compareTo(STEP) < 0 ? delay : STEP;
        long dueNanos = loop.nowNanos() + step.toNanos();
        loop.schedule(step, () -> {
            boolean late = loop.nowNanos() - dueNanos > STEP.toNanos();
            Duration left = delay.minus(step).plus(late ? STEP : Duration.ZERO);
            if (left.isZero()) {
                apply(event);
            } else {
                later(left, event);
            }
        });
    }

    public AgentState state() {
        loop.assertInLoop();
        return state;
    }

    /** Events that come from now on are ignored. */
    public void stop() {
        loop.assertInLoop();
        stopped = true;
    }

    public boolean stopped() {
        return stopped;
    }
}
