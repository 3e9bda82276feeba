/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.control.CommandDesk.UnansweredException;
import dev.elasticrun.agent.control.CommandDesk.WorkerDump;
import dev.elasticrun.agent.control.CommandDesk.WorkerProfile;
import dev.elasticrun.agent.control.ForwardedCall;
import dev.elasticrun.agent.hang.WorkerThreads;
import dev.elasticrun.agent.launch.NodeFiles;
import dev.elasticrun.agent.profile.FlightRecording;
import dev.elasticrun.agent.profile.FoldedStacks;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.WorkerView;
import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What workers do, wherever they are: their threads at a moment, and where they spend their time. Called in the agent's loop;
 * waits on threads of its own.
 */
public final class WorkerInspector {
    private static final int MAX_THREADS = 4;
    // The limit of one message to a caller.
    private static final int MAX_CHARS = 1 << 20;

    private final String nodeId;
    private final NodeFiles files;
    private final Optional<RunTls> tls;
    private final EventLoop loop;
    // Owned by the loop.
    private int running;
    private final Set<Long> recorded = new HashSet<>();

    /** @param tls by what other agents are called; empty = in plain text */
    public WorkerInspector(String nodeId, NodeFiles files, Optional<RunTls> tls, EventLoop loop) {
        this.nodeId = nodeId;
        this.files = files;
        this.tls = tls;
        this.loop = loop;
    }

    /** @param here whether the worker must be this node's */
    public void take(AgentState state, int rank, boolean here, CompletableFuture<WorkerDump> dump) {
        answer(state, rank, here, dump, other -> other.dump(rank), place -> {
            WorkerView worker = place.worker();
            work(dump, () -> {
                String text = WorkerThreads.dump(worker.pid(), files.stdout(worker.slot(), worker.attempt()));
                dump.complete(new WorkerDump(
                        nodeId, worker.slot(), worker.attempt(), worker.pid(), place.round(), shortened(text)));
            });
        });
    }

    /** @param here whether the worker must be this node's */
    public void profile(
            AgentState state, int rank, int seconds, boolean here, CompletableFuture<WorkerProfile> profile) {
        answer(state, rank, here, profile, other -> other.profile(rank, seconds), place -> {
            long pid = place.worker().pid();
            if (!recorded.add(pid)) {
                fail(profile, "rank " + rank + " is being profiled already");
                return;
            }
            profile.whenComplete((known, error) -> loop.execute(() -> recorded.remove(pid)));
            Path file = files.stderr(place.worker().slot(), place.worker().attempt())
                    .resolveSibling("profile.jfr");
            FlightRecording recording = new FlightRecording(pid, file);
            Duration length = Duration.ofSeconds(seconds);
            work(profile, () -> {
                recording.start(length);
                loop.execute(() -> loop.schedule(length, () -> work(profile, () -> finish(place, recording, profile))));
            });
        });
    }

    private void finish(RankPlace.Here place, FlightRecording recording, CompletableFuture<WorkerProfile> profile)
            throws IOException, InterruptedException {
        Path file = recording.stop();
        FoldedStacks stacks = FoldedStacks.read(file, MAX_CHARS);
        WorkerView worker = place.worker();
        profile.complete(new WorkerProfile(
                nodeId,
                worker.slot(),
                worker.attempt(),
                worker.pid(),
                place.round(),
                stacks.text(),
                stacks.samples(),
                file.toString()));
    }

    private <T> void answer(
            AgentState state,
            int rank,
            boolean here,
            CompletableFuture<T> answer,
            Function<ForwardedCall, CompletableFuture<T>> ofOther,
            HereCall ofThis) {
        RankPlace place;
        try {
            place = RankPlace.of(state, rank, nodeId, here);
        } catch (UnansweredException e) {
            answer.completeExceptionally(e);
            return;
        }
        if (place instanceof RankPlace.Here found) {
            ofThis.begin(found);
        } else if (place instanceof RankPlace.Elsewhere elsewhere) {
            ofOther.apply(new ForwardedCall(elsewhere.owner(), elsewhere.runKey(), tls))
                    .whenComplete((known, error) -> {
                        if (error == null) {
                            answer.complete(known);
                        } else {
                            answer.completeExceptionally(error);
                        }
                    });
        }
    }

    @FunctionalInterface
    private interface HereCall {
        void begin(RankPlace.Here place);
    }

    @FunctionalInterface
    private interface Question {
        void ask() throws IOException, InterruptedException;
    }

    private void work(CompletableFuture<?> answer, Question question) {
        if (running == MAX_THREADS) {
            fail(answer, "this agent asks " + MAX_THREADS + " workers already");
            return;
        }
        running++;
        Daemons.start(
                "worker-inspector",
                () -> {
                    try {
                        question.ask();
                    } catch (IOException e) {
                        fail(answer, nodeId + ": " + e.getMessage());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        fail(answer, "interrupted");
                    } finally {
                        loop.execute(() -> running--);
                    }
                },
                why -> {
                    running--;
                    fail(answer, why);
                });
    }

    private static String shortened(String text) {
        return text.length() <= MAX_CHARS
                ? text
                : text.substring(0, MAX_CHARS) + "\n... " + (text.length() - MAX_CHARS) + " characters more\n";
    }

    private static void fail(CompletableFuture<?> answer, String why) {
        answer.completeExceptionally(new UnansweredException(why));
    }
}
