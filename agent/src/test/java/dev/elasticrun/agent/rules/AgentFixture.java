/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.StateLoss;
import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.context.FailedWorker;
import dev.elasticrun.agent.context.NodeIdentity;
import dev.elasticrun.agent.context.RetryLimits;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Node "a" of a run, driven by events alone. */
public final class AgentFixture {
    static final Duration PAUSE_TIMEOUT = Duration.ofSeconds(10);
    static final Duration GRACE = Duration.ofSeconds(30);

    public final AgentSettings settings;
    private final AgentRules rules;
    private AgentState state;
    private Transition last;

    private AgentFixture(int slots, int spares, AgentSettings.Restarts restarts, Duration readyTimeout) {
        settings = new AgentSettings(
                new NodeIdentity("a", "a", "10.0.0.1", NodeRecord.Reports.ANY_PLACE),
                slots,
                spares,
                "default",
                restarts,
                new AgentSettings.Times(PAUSE_TIMEOUT, readyTimeout, GRACE));
        rules = new AgentRules(settings);
        state = AgentState.initial(settings);
        last = Transition.stay(state);
    }

    private static AgentFixture launched(int slots, AgentSettings.Restarts restarts) {
        return new AgentFixture(slots, 0, restarts, Duration.ZERO).launched();
    }

    private static AgentSettings.Restarts restarts(boolean soft, FailedWorker failed) {
        return new AgentSettings.Restarts(soft, failed, RestartBudget.of(3), RetryLimits.NONE, StateLoss.RESTART);
    }

    /** Its workers must be ready in time. */
    static AgentFixture softInTime(FailedWorker failed, int slots, Duration readyTimeout) {
        return new AgentFixture(slots, 0, restarts(true, failed), readyTimeout).launched();
    }

    public static AgentFixture soft(int slots) {
        return launched(slots, restarts(true, FailedWorker.STOPS_THE_NODE));
    }

    public static AgentFixture replacing(int slots) {
        return launched(slots, restarts(true, FailedWorker.IS_REPLACED));
    }

    public static AgentFixture elastic(int slots) {
        return launched(slots, restarts(true, FailedWorker.LEAVES_ALONE));
    }

    /** With one worker more than it has ranks. */
    static AgentFixture withSpare(int slots) {
        return new AgentFixture(slots, 1, restarts(true, FailedWorker.LEAVES_ALONE), Duration.ZERO).launched();
    }

    static AgentFixture endingOnStateLoss(int slots) {
        return launched(
                slots,
                new AgentSettings.Restarts(
                        true, FailedWorker.STOPS_THE_NODE, RestartBudget.of(3), RetryLimits.NONE, StateLoss.FAIL));
    }

    static AgentFixture softWithoutBudget() {
        return launched(
                1,
                new AgentSettings.Restarts(
                        true, FailedWorker.STOPS_THE_NODE, RestartBudget.of(0), RetryLimits.NONE, StateLoss.RESTART));
    }

    public static AgentFixture soft(int slots, RetryLimits limits) {
        return launched(
                slots,
                new AgentSettings.Restarts(
                        true, FailedWorker.STOPS_THE_NODE, RestartBudget.of(3), limits, StateLoss.RESTART));
    }

    static AgentFixture withoutBudget(boolean soft, FailedWorker failed, int slots) {
        return launched(
                slots,
                new AgentSettings.Restarts(soft, failed, RestartBudget.of(0), RetryLimits.NONE, StateLoss.RESTART));
    }

    public static AgentFixture hard(int slots) {
        return launched(slots, restarts(false, FailedWorker.STOPS_THE_NODE));
    }

    private AgentFixture launched() {
        apply(new AgentEvent.Launched());
        return settings.workersOutliveRounds() ? apply(new AgentEvent.PortsReserved(5000, List.of())) : reserve(5000);
    }

    public AgentFixture apply(AgentEvent event) {
        last = event.applyTo(rules, state);
        state = last.state();
        return this;
    }

    public AgentFixture joined() {
        return joined(1);
    }

    public AgentFixture joined(long createRevision) {
        return apply(new AgentEvent.Joined(
                new RunIdentity("run", "i", settings.restarts().budget(), new byte[0]), createRevision));
    }

    AgentFixture reserve(int masterPort) {
        List<Integer> ports = IntStream.range(0, settings.slots())
                .mapToObj(slot -> masterPort + 1 + slot)
                .toList();
        return apply(new AgentEvent.PortsReserved(masterPort, settings.workersOutliveRounds() ? List.of() : ports));
    }

    public AgentFixture started() {
        for (int slot = 0; slot < settings.processes(); slot++) {
            apply(new AgentEvent.WorkerStarted(attempt(slot), slot, 100 + slot));
        }
        return this;
    }

    AgentFixture ready() {
        for (int slot = 0; slot < settings.processes(); slot++) {
            reports(slot, new UpMessage.Ready(4000 + slot));
        }
        return this;
    }

    /** Joined, all workers READY. */
    public AgentFixture prepared() {
        joined();
        return settings.workersOutliveRounds() ? started().ready() : this;
    }

    public AgentFixture round(RoundFixture round) {
        return apply(new AgentEvent.RoundPublished(round.build()));
    }

    /** At work in round 1 with node b. */
    public AgentFixture working() {
        prepared();
        if (settings.workersOutliveRounds()) {
            for (int slot = 0; slot < settings.slots(); slot++) {
                reports(slot, new UpMessage.Ack(1, 0, 1));
            }
        }
        round(RoundFixture.round(1).with("a", 0, settings.slots()).with("b", 0, 1));
        if (!settings.workersOutliveRounds()) {
            started();
        } else {
            reserve(6000);
        }
        assertThat(state.phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(state.workingRound()).isEqualTo(1);
        return this;
    }

    public AgentFixture reports(int slot, UpMessage message) {
        return apply(new AgentEvent.WorkerReported(attempt(slot), slot, message));
    }

    AgentFixture exits(int slot, int exitCode) {
        return ends(
                slot,
                exitCode,
                new Failure.Evidence(
                        FailureKind.ofExit(exitCode), "exit code " + exitCode, "", List.of("last words"), "/log", ""));
    }

    AgentFixture ends(int slot, int exitCode, Failure.Evidence evidence) {
        return apply(new AgentEvent.WorkerEnded(attempt(slot), slot, exitCode, evidence, 0));
    }

    /** The worker ends, and then what it left behind. */
    public AgentFixture dies(int slot, int exitCode) {
        return exits(slot, exitCode).gone(slot);
    }

    AgentFixture gone(int slot) {
        return apply(new AgentEvent.WorkerGone(attempt(slot), slot));
    }

    public AgentFixture allExit(int exitCode) {
        for (int slot = 0; slot < settings.slots(); slot++) {
            exits(slot, exitCode);
        }
        return this;
    }

    AgentFixture groupGone() {
        return apply(new AgentEvent.GroupGone(generation()));
    }

    /** The time has come for what the last event put off. */
    public AgentFixture later() {
        return apply(effects(AgentEffect.Schedule.class).get(0).event());
    }

    public AgentState state() {
        return state;
    }

    public GroupState group() {
        return state.group();
    }

    int generation() {
        return state.group().generation();
    }

    int attempt(int slot) {
        return state.group().workers().get(slot).attempt();
    }

    Transition last() {
        return last;
    }

    /** Effects of the last event, of one kind. */
    <T extends AgentEffect> List<T> effects(Class<T> kind) {
        return last.effects().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    List<String> logged() {
        return effects(AgentEffect.Log.class).stream()
                .map(log -> log.event().kind())
                .toList();
    }
}
