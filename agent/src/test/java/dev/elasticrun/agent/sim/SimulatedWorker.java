/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A worker process: reads its channel in order, acknowledges each PAUSE, and works in the round that WORK names. */
final class SimulatedWorker {
    final SimulatedNode node;
    final int slot;
    final int attempt;
    final SimulatedLoop process;
    private final SimulatedCluster cluster;
    private int port;
    private boolean running;
    private boolean exited;
    private boolean hung;
    private boolean loaded;
    private boolean ready;
    private boolean failed;
    private @Nullable Duration stopGrace;
    private long headSeq;
    private long lastReadNanos;
    private long lastReportedNanos;
    private @Nullable WorkerEvent read;

    SimulatedWorker(SimulatedNode node, int slot, int attempt, int port, SimulatedCluster cluster) {
        this.node = node;
        this.slot = slot;
        this.attempt = attempt;
        this.port = port;
        this.cluster = cluster;
        this.process = new SimulatedLoop(cluster.time);
    }

    String name() {
        return node.nodeId + "/" + slot + "." + attempt;
    }

    void start(@Nullable WorkerEvent first, @Nullable PeerTable peers) {
        headSeq = first == null ? 0 : first.seq();
        cluster.time.after(cluster.millis(1, 40), () -> {
            if (exited || node.crashed()) {
                exited = true;
            } else if (cluster.random.nextInt(1000) < cluster.startFailuresPerMille) {
                exited = true;
                failed = true;
                cluster.invariants.onFailure();
                node.ended(this, Duration.ZERO, -1, "cannot start");
            } else {
                running = true;
                node.started(this, 1000L + cluster.reservePort());
                if (stopGrace != null) {
                    terminate(stopGrace);
                } else {
                    if (cluster.soft()) {
                        process.outside(cluster.millis(50, 650), this::loaded);
                    }
                    if (first != null) {
                        read(first, peers);
                    }
                }
            }
        });
    }

    private void loaded() {
        loaded = true;
        port = port == 0 ? cluster.reservePort() : port;
        becomeReady();
    }

    private void becomeReady() {
        if (loaded && !ready && read != null) {
            ready = true;
            send(new UpMessage.Ready(port));
        }
    }

    long nextSeq() {
        return headSeq + 1;
    }

    void receive(WorkerEvent event, @Nullable PeerTable peers) {
        headSeq = event.seq();
        int slow = cluster.random.nextInt(30) == 0 ? 250 : 3;
        lastReadNanos = Math.max(
                lastReadNanos, cluster.time.nowNanos() + cluster.millis(0, slow).toNanos());
        process.outside(Duration.ofNanos(lastReadNanos - cluster.time.nowNanos()), () -> read(event, peers));
    }

    private void read(WorkerEvent event, @Nullable PeerTable peers) {
        WorkerEvent before = read;
        read = event;
        cluster.mesh.leave(this);
        if (event.workerState() == WorkerState.PAUSED) {
            send(new UpMessage.Ack(event.seq(), cluster.checkpoints.version(node), cluster.time.nowNanos()));
        } else if (peers != null) {
            require(
                    before == null || before.workerState() == WorkerState.PAUSED,
                    name() + " received WORK without a PAUSE before it");
            cluster.invariants.onWork(this, event);
            cluster.mesh.join(this, event, peers);
        }
        becomeReady();
    }

    /** Whether it does anything in the round that it received last, were its peers there. */
    boolean works() {
        WorkerEvent event = read;
        return running
                && !exited
                && event != null
                && event.workerState() == WorkerState.HEALTHY
                && event.seq() == headSeq
                && !node.deadlinePassed();
    }

    @Nullable
    WorkerEvent event() {
        return read;
    }

    boolean exited() {
        return exited;
    }

    boolean running() {
        return running && !exited;
    }

    boolean hung() {
        return hung;
    }

    /** It failed of its own: not stopped, not in want of its peers. */
    boolean failed() {
        return failed;
    }

    boolean silent() {
        return hung || process.frozen() || exited;
    }

    void send(UpMessage message) {
        node.stated(this, reportDelay(), message);
    }

    private Duration reportDelay() {
        lastReportedNanos = Math.max(
                lastReportedNanos,
                cluster.time.nowNanos() + cluster.millis(0, 3).toNanos());
        return Duration.ofNanos(lastReportedNanos - cluster.time.nowNanos());
    }

    /** It fails by itself. */
    void fail(int exitCode) {
        if (running()) {
            cluster.time.note(name() + " FAILS with " + exitCode);
            failed = true;
            cluster.invariants.onFailure();
            exit(exitCode, "exit code " + exitCode);
        }
    }

    /** It does not run any more, and does not end. */
    void hang() {
        if (running() && !hung) {
            cluster.time.note(name() + " HANGS");
            hung = true;
            failed = true;
            cluster.invariants.onFailure();
            freeze();
        }
    }

    void freeze() {
        process.freeze();
        cluster.mesh.silent(this);
    }

    void thaw() {
        if (!exited && !hung) {
            process.thaw();
        }
    }

    void exit(int exitCode, String message) {
        if (!exited) {
            exited = true;
            process.kill();
            cluster.mesh.leave(this);
            if (running) {
                node.ended(this, reportDelay(), exitCode, message);
            }
        }
    }

    /** TERM now, KILL after the grace; some do not heed TERM. */
    void terminate(Duration grace) {
        stopGrace = grace;
        if (!running()) {
            return;
        }
        if (cluster.random.nextInt(10) > 0) {
            process.outside(cluster.millis(5, 300), () -> exit(143, "terminated"));
        }
        node.loop.outside(grace, () -> exit(137, "killed"));
    }
}
