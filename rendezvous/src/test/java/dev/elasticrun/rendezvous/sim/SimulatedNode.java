/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.Failure;
import dev.elasticrun.rendezvous.NodePhase;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Order;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.Rendezvous;
import dev.elasticrun.rendezvous.RendezvousConfig;
import dev.elasticrun.rendezvous.RendezvousListener;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunIdentity;
import dev.elasticrun.rendezvous.Verdict;
import dev.elasticrun.rendezvous.WorkerRecord;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A process with a real rendezvous, and just enough of an agent to obey it. Its worker group is one flag. */
final class SimulatedNode implements RendezvousListener {
    private enum Group {
        PENDING,
        RUNNING,
        STOPPING,
        GONE
    }

    final String nodeId;
    final SimulatedLoop loop;
    private final SimulatedTime time;
    private final Random random;
    private final boolean soft;
    private final Rendezvous rendezvous;
    private final List<Failure> failures = new ArrayList<>();
    private NodePhase phase;
    private Group group;
    private int generation;
    private boolean worked;
    private boolean failed;
    private long acknowledged;
    private long working;
    private long stoppedRound;
    private int masterPort;
    private long life;
    private @Nullable Round round;
    private @Nullable Verdict verdict;
    private @Nullable String ended;

    SimulatedNode(
            String nodeId,
            SimulatedTime time,
            SimulatedLoop loop,
            SimulatedStoreClient store,
            RendezvousConfig config,
            RestartPolicyStrategy strategy,
            Random random) {
        this.nodeId = nodeId;
        this.time = time;
        this.loop = loop;
        this.random = random;
        this.soft = strategy.workersOutliveRounds();
        this.phase = soft ? NodePhase.STARTING : NodePhase.READY;
        this.group = soft ? Group.RUNNING : Group.PENDING;
        this.masterPort = 10_000 + random.nextInt(1 << 30);
        this.rendezvous =
                new Rendezvous(store, loop, config, strategy, record(), "i-" + nodeId, new SecureRandom(), this);
    }

    void start() {
        loop.execute(() -> {
            rendezvous.start();
            if (soft) {
                load();
            }
        });
    }

    boolean alive() {
        return !loop.dead();
    }

    /** At work as far as it knows. */
    long working() {
        return working;
    }

    NodePhase phase() {
        return phase;
    }

    int generation() {
        return generation;
    }

    boolean hasEnded() {
        return ended != null;
    }

    @Nullable
    Verdict verdict() {
        return verdict;
    }

    private NodeRecord record() {
        return new NodeRecord(
                nodeId,
                nodeId,
                "10.0.0." + nodeId.length(),
                9000,
                0,
                1,
                "default",
                phase,
                generation,
                acknowledged,
                stoppedRound,
                List.of(new WorkerRecord(0, generation, 1, phase == NodePhase.STARTING ? 0 : 4000)),
                failures,
                List.of(),
                List.of(),
                0,
                masterPort,
                null,
                "",
                0);
    }

    private void changed() {
        rendezvous.update(record());
    }

    private void load() {
        int loading = generation;
        loop.schedule(Duration.ofMillis(50 + random.nextInt(600)), () -> {
            if (loading == generation
                    && group == Group.RUNNING
                    && !failed
                    && phase == NodePhase.STARTING
                    && !leaving()) {
                phase = NodePhase.READY;
                changed();
            }
        });
    }

    private boolean leaving() {
        return ended != null || phase == NodePhase.DRAINING;
    }

    /** Its worker group fails, if there is one. */
    void workerFails() {
        loop.execute(() -> {
            if (group != Group.RUNNING || failed || leaving() || phase == NodePhase.DONE) {
                return;
            }
            time.note(nodeId + ": worker of generation " + generation + " fails in round " + working);
            failed = true;
            failures.removeIf(failure -> failure.attempt() < generation);
            failures.add(
                    new Failure(nodeId, nodeId, working, 0, generation, 0, 1, 137, "killed", "", List.of(), "", false));
            if (soft) {
                working = 0;
                phase = NodePhase.STARTING;
                stop();
            }
            changed();
        });
    }

    /** Its workers end well, if they work. */
    void finish() {
        loop.execute(() -> {
            if (working > 0 && group == Group.RUNNING && !failed && !leaving()) {
                phase = NodePhase.DONE;
                working = 0;
                changed();
            }
        });
    }

    void drain() {
        loop.execute(() -> {
            if (!leaving()) {
                time.note(nodeId + ": drains");
                phase = NodePhase.DRAINING;
                changed();
                loop.schedule(Duration.ofSeconds(2), () -> end("drained"));
            }
        });
    }

    void prove(String deadNodeId, long revision, long lease) {
        loop.execute(() -> {
            if (ended == null) {
                rendezvous.proveDead(deadNodeId, revision, lease, "connection refused");
            }
        });
    }

    private void end(String why) {
        if (ended == null) {
            time.note(nodeId + ": ends, " + why);
            ended = why;
            working = 0;
            rendezvous.leave(false).whenComplete((ok, error) -> loop.kill());
        }
    }

    private void stop() {
        group = Group.STOPPING;
        int stopping = generation;
        loop.schedule(Duration.ofMillis(20 + random.nextInt(300)), () -> {
            if (generation == stopping && group == Group.STOPPING && !leaving()) {
                group = Group.GONE;
                gone();
            }
        });
    }

    private void gone() {
        if (!soft) {
            renew();
        } else if (!worked) {
            restart();
        } else {
            Round newest = round;
            if (newest != null) {
                obey(newest);
            }
        }
    }

    private void restart() {
        generation++;
        group = Group.RUNNING;
        worked = false;
        failed = false;
        working = 0;
        phase = NodePhase.STARTING;
        changed();
        load();
    }

    private void renew() {
        generation++;
        group = Group.PENDING;
        failed = false;
        working = 0;
        phase = NodePhase.STARTING;
        stoppedRound = round == null ? 0 : round.number();
        changed();
        loop.schedule(Duration.ofMillis(random.nextInt(20)), () -> {
            if (phase == NodePhase.STARTING && !leaving()) {
                masterPort = 10_000 + random.nextInt(1 << 30);
                phase = NodePhase.READY;
                changed();
            }
        });
    }

    @Override
    public void onRound(Round newest) {
        if (ended != null) {
            return;
        }
        Round before = round;
        boolean missed = newest.number() > (before == null ? 0 : before.number()) + 1;
        round = newest;
        if (phase == NodePhase.DRAINING) {
            if (newest.participant(nodeId).isEmpty()) {
                end("drained");
            }
            return;
        }
        if (phase == NodePhase.DONE) {
            return;
        }
        if (soft) {
            obey(newest);
        }
        if (ended == null) {
            Optional<Participant> place = place(newest);
            if (soft) {
                moveSoft(newest, place.isPresent());
            } else {
                moveHard(newest, place.isPresent());
            }
            if ((missed || newest.masterPort() == masterPort) && (soft || group == Group.PENDING)) {
                masterPort = 10_000 + random.nextInt(1 << 30);
            }
            changed();
        }
    }

    private void obey(Round newest) {
        if (group != Group.GONE && newest.order(nodeId).filter(this::ours).isEmpty()) {
            return;
        }
        Optional<Order> order = newest.order(nodeId).filter(this::ours);
        boolean placed = place(newest).isPresent();
        if (order.isPresent() && order.get().kind() == Order.Kind.LEAVE) {
            end("ordered to leave");
        } else if (group == Group.GONE && (order.isPresent() || !placed)) {
            restart();
        }
    }

    private Optional<Participant> place(Round in) {
        return in.participant(nodeId)
                .filter(place -> place.generation() == generation && place.createRevision() == life);
    }

    private boolean ours(Order order) {
        return order.generation() == generation;
    }

    private void moveSoft(Round newest, boolean placed) {
        if (group != Group.RUNNING || failed) {
            return;
        }
        if (!placed || newest.suspended()) {
            working = 0;
            if (!placed && (phase == NodePhase.ACTIVE || (phase == NodePhase.READY && !newest.suspended()))) {
                phase = NodePhase.STANDBY;
            }
        } else if (acknowledged < newest.number()) {
            worksIn(newest);
        }
    }

    private void worksIn(Round newest) {
        worked = true;
        working = newest.number();
        acknowledged = newest.number();
        phase = NodePhase.ACTIVE;
    }

    private void moveHard(Round newest, boolean placed) {
        if (newest.suspended()) {
            if (newest.participant(nodeId).isEmpty() || stoppedRound >= newest.number()) {
                return;
            }
            if (group == Group.RUNNING) {
                working = 0;
                stop();
            } else if (group == Group.PENDING) {
                stoppedRound = newest.number();
            }
        } else if (!placed) {
            if (group == Group.RUNNING && acknowledged < newest.number()) {
                working = 0;
                stop();
            } else if (phase == NodePhase.READY) {
                phase = NodePhase.STANDBY;
            }
        } else if (group == Group.PENDING && acknowledged < newest.number()) {
            group = Group.RUNNING;
            worksIn(newest);
        }
    }

    @Override
    public void onVerdict(Verdict reached) {
        time.note(nodeId + ": verdict " + reached.succeeded() + " " + reached.reason());
        verdict = reached;
        end("verdict");
    }

    @Override
    public void onFenced() {
        time.note(nodeId + ": fenced");
        if (soft) {
            working = 0;
        }
    }

    @Override
    public void onRestored(boolean stalled) {
        Round newest = round;
        if (soft && phase == NodePhase.ACTIVE && working == 0 && newest != null && !newest.suspended() && !failed) {
            boolean placed = place(newest).isPresent();
            if (stalled) {
                phase = NodePhase.FENCED;
            } else if (placed) {
                worksIn(newest);
            }
            changed();
        }
    }

    @Override
    public void onMembershipLost() {
        time.note(nodeId + ": membership lost");
        life = 0;
        masterPort = 10_000 + random.nextInt(1 << 30);
        if (leaving() || phase == NodePhase.DONE) {
            return;
        }
        working = 0;
        if (soft) {
            boolean usable = group == Group.RUNNING && !failed && phase != NodePhase.STARTING;
            phase = usable ? NodePhase.READY : NodePhase.STARTING;
        } else if (group == Group.RUNNING) {
            stop();
        }
        changed();
    }

    @Override
    public void onRefused(String reason) {
        end("refused: " + reason);
    }

    @Override
    public void onStoreLost(String reason) {
        end("store lost: " + reason);
    }

    @Override
    public void onJoined(RunIdentity identity, long createRevision) {
        life = createRevision;
        time.note(nodeId + ": joined " + identity.incarnation());
    }

    @Override
    public void onElected() {
        time.note(nodeId + ": elected");
    }

    @Override
    public void onWaiting(String reason) {
        time.note(nodeId + ": coordinator: " + reason);
    }

    @Override
    public void onLeaseDeadline(long deadlineNanos) {}

    @Override
    public void onCoordinator(NodeRecord coordinator) {}

    @Override
    public void onDecided(Round decided, @Nullable Round previous) {}

    @Override
    public void onPublished(Round published) {}
}
