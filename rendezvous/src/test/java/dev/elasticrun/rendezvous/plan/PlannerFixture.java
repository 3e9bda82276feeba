/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.KeptOut;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.HardRestart;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.restart.SoftNoReplace;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import dev.elasticrun.rendezvous.terms.RunSpec;
import dev.elasticrun.rendezvous.terms.RunSpecs;
import dev.elasticrun.rendezvous.terms.RunTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A run as a planner sees it, changed by hand. What the planner publishes becomes the run's round. */
public final class PlannerFixture {
    static final Duration LEASE = Duration.ofSeconds(3);
    /** How long a loss has to explain a broken link. */
    static final Duration LINK_WAIT = LeaseTimes.of(LEASE).explained();

    static final Duration JOIN = Duration.ofMinutes(10);
    static final Duration LAST_CALL = Duration.ofSeconds(5);
    static final Duration SCALE_UP = Duration.ofMillis(500);
    static final Duration CAUSES = Duration.ofMillis(400);
    static final Duration BACK_OFF = Duration.ofSeconds(60);
    static final Duration COOL_DOWN = Duration.ofMinutes(10);

    private final RestartPolicyStrategy strategy;
    private WitnessedPlanner planner;
    private RunSpec spec;
    private final Map<String, NodeFixture> nodes = new LinkedHashMap<>();
    private final Map<String, Failure> failures = new LinkedHashMap<>();
    private final List<Round> published = new ArrayList<>();
    private Gathering gathering = Gathering.nothing(0);
    private Observations seen = Observations.begin(0);
    private long storeSinceNanos;
    private @Nullable Round round;
    private @Nullable Verdict verdict;
    private final List<Command> asked = new ArrayList<>();
    private final List<CommandResult> settled = new ArrayList<>();
    private NodeBounds target;
    private long nextRevision = 1;
    private long nowNanos = 1_000;
    private long writtenNanos = nowNanos;
    private RunVersion completed = RunVersion.NONE;

    private PlannerFixture(RestartPolicyStrategy strategy, int min, int max, int budget) {
        this(strategy, min, max, budget, Duration.ZERO);
    }

    private PlannerFixture(RestartPolicyStrategy strategy, int min, int max, int budget, Duration replacementWait) {
        this.strategy = strategy;
        this.planner = planner(strategy, replacementWait, BACK_OFF, Duration.ZERO);
        this.spec = RunSpecs.of("i", RunSpecs.terms(min, max, strategy.name(), budget));
        this.target = spec.terms().nodes();
    }

    private static WitnessedPlanner planner(
            RestartPolicyStrategy strategy, Duration replacementWait, Duration backOff, Duration losses) {
        return new WitnessedPlanner(
                new PlannerConfig(
                        LeaseTimes.of(LEASE),
                        new RoundTimes(JOIN, LAST_CALL, SCALE_UP, replacementWait, backOff, COOL_DOWN),
                        losses),
                strategy);
    }

    PlannerFixture backOff(Duration longest) {
        planner = planner(strategy, Duration.ZERO, longest, Duration.ZERO);
        return this;
    }

    /** Restarts that come back. */
    PlannerFixture budget(RestartBudget budget) {
        RunTerms terms = spec.terms();
        spec = RunSpecs.of(
                "i", new RunTerms(terms.nodes(), terms.policy(), terms.runtime(), terms.tls(), terms.locals(), budget));
        return this;
    }

    /** The run has completed that checkpoint. */
    PlannerFixture completes(long version) {
        completed = completed.orNewer(new RunVersion(completed.since(), version));
        return this;
    }

    /** Another coordinator goes on, of an agent that has just come. */
    PlannerFixture takeoverByNewcomer() {
        writtenNanos = nowNanos;
        return takeover();
    }

    PlannerFixture collectsLosses(Duration perMember) {
        planner = planner(strategy, Duration.ZERO, BACK_OFF, perMember);
        return this;
    }

    public static PlannerFixture soft(int min, int max, int budget) {
        return new PlannerFixture(new SoftNoReplace(), min, max, budget);
    }

    static PlannerFixture of(RestartPolicyStrategy strategy, int min, int max, int budget) {
        return new PlannerFixture(strategy, min, max, budget);
    }

    /** Waits for nodes that are gone. */
    static PlannerFixture patient(RestartPolicyStrategy strategy, int min, int max, Duration replacementWait) {
        return new PlannerFixture(strategy, min, max, 3, replacementWait);
    }

    static PlannerFixture hard(int min, int max, int budget) {
        return new PlannerFixture(new HardRestart(), min, max, budget);
    }

    /** What workers reported of their peers was seen, and no loss explained it in time. */
    PlannerFixture linkStaysBroken() {
        plan();
        return pass(LINK_WAIT);
    }

    /** A run whose first round has all these nodes, at work. */
    public PlannerFixture running(String... nodeIds) {
        for (String nodeId : nodeIds) {
            join(nodeId);
        }
        publish();
        pass(LAST_CALL);
        publish();
        assertThat(round().participants()).hasSize(nodeIds.length);
        return allWork();
    }

    NodeFixture join(String nodeId) {
        NodeFixture joined = NodeFixture.of(nodeId, nextRevision++);
        nodes.put(nodeId, joined);
        return joined;
    }

    /** A node that was lost is back as it was. */
    PlannerFixture rejoin(NodeFixture node) {
        nodes.put(node.nodeId, node);
        return this;
    }

    public NodeFixture node(String nodeId) {
        return Objects.requireNonNull(nodes.get(nodeId), nodeId);
    }

    PlannerFixture lose(String nodeId) {
        nodes.remove(nodeId);
        return this;
    }

    /** All participants whose worker groups the round names go to work. */
    PlannerFixture allWork() {
        for (Participant participant : round().participants()) {
            node(participant.nodeId()).works(round());
        }
        return this;
    }

    /** The same of those that are participants. */
    PlannerFixture allWorkOf(String... nodeIds) {
        for (String nodeId : nodeIds) {
            round().participant(nodeId).ifPresent(place -> node(nodeId).works(round()));
        }
        return this;
    }

    PlannerFixture pass(Duration time) {
        nowNanos += time.toNanos();
        return this;
    }

    /** The store answers again after an outage. */
    PlannerFixture storeIsBack() {
        storeSinceNanos = nowNanos;
        return this;
    }

    /** Another coordinator goes on with what is in the store. */
    PlannerFixture takeover() {
        gathering = Gathering.nothing(nowNanos);
        seen = Observations.begin(nowNanos);
        return this;
    }

    PlannerFixture ended(Verdict how) {
        verdict = how;
        return this;
    }

    /** Somebody asks for it; it gets the next number. */
    PlannerFixture ask(Command command) {
        asked.add(command.numbered(asked.size() + 1));
        return this;
    }

    /** What became of the commands that were consumed, in order. */
    List<CommandResult> settled() {
        return List.copyOf(settled);
    }

    private List<Command> pending() {
        long consumed = round == null ? 0 : round.lastCommand();
        return asked.stream().filter(command -> command.number() > consumed).toList();
    }

    private void settle(@Nullable CommandResult consumed) {
        if (consumed != null) {
            settled.add(consumed);
            target = consumed.target().orElse(target);
        }
    }

    /** The round is as it is to be, but for an endpoint that its first node has to reserve. */
    static void assertAwaitsMasterOf(String nodeId, Plan plan) {
        assertThat(plan.decision()).isEqualTo(new Decision.Wait(Long.MAX_VALUE));
        assertThat(plan.reason()).contains(" " + nodeId + " ");
    }

    /** The ready nodes that the next plan leaves out. */
    List<KeptOut> keptOut() {
        return planner.keptOut(snapshot(), gathering, seen, nowNanos);
    }

    /** The next plan; remembered is what the planner wants to be remembered. */
    Plan plan() {
        return call().plan();
    }

    /** The same with all that it was made from, by which it can be made again. */
    public PlannerCall call() {
        Snapshot snapshot = snapshot();
        seen = seen.next(snapshot, storeSinceNanos, nowNanos).of(new Observations.Written(writtenNanos, completed));
        PlannerCall call = planner.plan(snapshot, gathering, seen, nowNanos);
        assertThat(call.again(strategy)).as("replayed").isEqualTo(call);
        gathering = call.plan().gathering();
        return call;
    }

    private Snapshot snapshot() {
        nodes.values().forEach(node -> node.record()
                .failures()
                .forEach(failure -> failures.putIfAbsent(
                        failure.nodeId() + "/" + failure.attempt() + "." + failure.slot(), failure)));
        return new Snapshot(
                        spec,
                        nodes.values().stream().map(NodeFixture::node).toList(),
                        round,
                        verdict,
                        List.copyOf(failures.values()))
                .asked(target, pending());
    }

    /** Plans until there is nothing to publish; the last plan. */
    Plan publish() {
        for (int i = 0; i < 4; i++) {
            Plan plan = plan();
            settle(plan.settled());
            if (!(plan.decision() instanceof Decision.Publish publish)) {
                return plan;
            }
            round = publish.round();
            writtenNanos = nowNanos;
            published.add(publish.round());
        }
        throw new AssertionError(strategy.name() + " publishes without end: " + published);
    }

    /** Plans until there is nothing to publish, and expects exactly one round. */
    Round publishOne() {
        int before = published.size();
        publish();
        assertThat(published.subList(before, published.size())).hasSize(1);
        return round();
    }

    /**
     * The next sealed round, once all that delays it has passed: the collecting of newcomers, the ends of worker groups,
     * the ports of the next.
     */
    Round nextSealed() {
        plan();
        pass(SCALE_UP);
        publish();
        if (round().suspended() && !strategy.workersOutliveRounds()) {
            members().forEach(member -> node(member).stopped(round()).reserved());
            publish();
        }
        assertThat(round().suspended()).as("round is suspended").isFalse();
        return round();
    }

    /** A worker of the node fails; its node comes back with fresh workers, and all work in the next round. */
    Round failsAndComesBack(String nodeId) {
        NodeFixture failing = node(nodeId).fails();
        publish();
        if (strategy.workersOutliveRounds()) {
            failing.generation(failing.record().generation() + 1)
                    .phase(NodePhase.READY)
                    .newMaster(round());
        }
        Round next = nextSealed();
        allWork();
        return next;
    }

    /** The end, after a moment in which earlier failures are awaited. */
    Verdict end() {
        Plan plan = publish();
        if (plan.gathering().kind() == Gathering.Kind.CAUSES) {
            plan = pass(CAUSES).publish();
        }
        assertThat(plan.decision()).isInstanceOf(Decision.End.class);
        return ((Decision.End) plan.decision()).verdict();
    }

    public Round round() {
        if (round == null) {
            throw new AssertionError("no round yet");
        }
        return round;
    }

    List<String> members() {
        return round().participants().stream().map(Participant::nodeId).toList();
    }

    long nowNanos() {
        return nowNanos;
    }

    static Duration untilDeadline(PlannerFixture run, Plan plan) {
        return Duration.ofNanos(((Decision.Wait) plan.decision()).untilNanos() - run.nowNanos());
    }
}
