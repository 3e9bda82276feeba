/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.control.CommandDesk.DumpException;
import dev.elasticrun.agent.control.CommandDesk.WorkerDump;
import dev.elasticrun.agent.control.ForwardedDump;
import dev.elasticrun.agent.hang.WorkerThreads;
import dev.elasticrun.agent.launch.NodeFiles;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.WorkerView;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** What the threads of workers do, wherever they are. Called in the agent's loop; waits on threads of its own. */
public final class WorkerDumps {
    private static final int MAX_THREADS = 4;
    // The limit of one message to a caller.
    private static final int MAX_CHARS = 1 << 20;

    private final String nodeId;
    private final NodeFiles files;
    private final Optional<RunTls> tls;
    private final AtomicInteger running = new AtomicInteger();

    /** @param tls by what other agents are called; empty = in plain text */
    public WorkerDumps(String nodeId, NodeFiles files, Optional<RunTls> tls) {
        this.nodeId = nodeId;
        this.files = files;
        this.tls = tls;
    }

    /** @param here whether the worker must be this node's */
    public void take(AgentState state, int rank, boolean here, CompletableFuture<WorkerDump> dump) {
        Round round = state.round();
        RunIdentity identity = state.identity();
        if (round == null || identity == null || round.worldSize() == 0) {
            fail(dump, "no worker has a rank: there is no round");
            return;
        }
        Optional<Participant> owner = round.participants().stream()
                .filter(place -> place.hasRank(rank))
                .findFirst();
        if (owner.isEmpty()) {
            fail(
                    dump,
                    "rank: " + rank + " (expected: below " + round.worldSize() + ", in round " + round.number() + ")");
        } else if (owner.get().nodeId().equals(nodeId)) {
            takeHere(state, round, owner.get().seatOf(rank).slot(), dump);
        } else if (here) {
            fail(dump, "rank " + rank + " is a worker of " + owner.get().nodeId() + " now");
        } else {
            Participant other = owner.get();
            ForwardedDump.ask(Neighbour.of(other.spec()), identity.runKey(), tls, rank)
                    .whenComplete((taken, error) -> {
                        if (error == null) {
                            dump.complete(taken);
                        } else {
                            dump.completeExceptionally(error);
                        }
                    });
        }
    }

    private void takeHere(AgentState state, Round round, int slot, CompletableFuture<WorkerDump> dump) {
        WorkerView worker = state.group().workers().get(slot);
        if (worker.pid() == 0 || worker.exitCode() != null) {
            fail(dump, "worker " + slot + " of " + nodeId + " does not run");
            return;
        }
        if (running.incrementAndGet() > MAX_THREADS) {
            running.decrementAndGet();
            fail(dump, "this agent takes " + MAX_THREADS + " dumps already");
            return;
        }
        Daemons.start("worker-dump", () -> take(worker, slot, round, dump), why -> {
            running.decrementAndGet();
            fail(dump, why);
        });
    }

    private void take(WorkerView worker, int slot, Round round, CompletableFuture<WorkerDump> dump) {
        try {
            String text = WorkerThreads.dump(worker.pid(), files.stdout(slot, worker.attempt()));
            dump.complete(
                    new WorkerDump(nodeId, slot, worker.attempt(), worker.pid(), round.number(), shortened(text)));
        } catch (IOException e) {
            fail(dump, "worker " + slot + " of " + nodeId + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(dump, "interrupted");
        } finally {
            running.decrementAndGet();
        }
    }

    private static String shortened(String text) {
        return text.length() <= MAX_CHARS
                ? text
                : text.substring(0, MAX_CHARS) + "\n... " + (text.length() - MAX_CHARS) + " characters more\n";
    }

    private static void fail(CompletableFuture<WorkerDump> dump, String why) {
        dump.completeExceptionally(new DumpException(why));
    }
}
