/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.cli.agents.LocalAgent;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One agent of a run, a process with the workers below it. Any thread. */
public final class RunNode {
    private final LiveRun live;
    private final LocalAgent agent;

    RunNode(LiveRun live, LocalAgent agent) {
        this.live = live;
        this.agent = agent;
    }

    /** From 1, in the order of starts. */
    public int number() {
        return agent.number();
    }

    /** As events and {@code elastic-run status} name it; empty before the agent has joined the run. */
    public Optional<String> id() {
        return live.events().read(view -> view.node(agent.pid()));
    }

    /**
     * Where it runs in the network of the test.
     *
     * @throws IllegalStateException when the run has none
     */
    public TestHost host() {
        return live.host(agent)
                .orElseThrow(() -> new IllegalStateException(
                        "the run has no network (expected: network() before" + " start(...))"));
    }

    public long pid() {
        return agent.pid();
    }

    public boolean isAlive() {
        return agent.isAlive();
    }

    /** Empty while it runs; 137 after {@link #kill}. */
    public Optional<Integer> exitCode() {
        return agent.exitCode();
    }

    /** What the agent wrote to standard output and standard error. */
    public Path log() {
        return agent.output();
    }

    /** Its workers that run, in the order of slots. */
    public List<RunWorker> workers() {
        return live.events().read(view -> view.node(agent.pid()).map(view::slots).orElse(List.of()).stream()
                .flatMap(slot -> live.running(view, slot).stream()
                        .map(process -> new RunWorker(
                                live.events(), slot, view.rank(slot).orElse(-1), process)))
                .toList());
    }

    /**
     * The worker of a slot.
     *
     * @param slot from 0
     * @throws IllegalStateException when none runs there
     */
    public RunWorker worker(int slot) {
        List<RunWorker> running = workers();
        return running.stream()
                .filter(worker -> worker.slot() == slot)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "slot: " + slot + " of " + this + " (expected: one with a worker that runs: " + running + ")"));
    }

    /** SIGKILL of the agent and all its workers, as when a host loses power; returns when they have ended. */
    public void kill() {
        live.kill(agent);
    }

    /** SIGTERM: the agent leaves the run and ends its workers, with exit code 143. Returns at once. */
    public void drain() {
        agent.drain();
    }

    /** SIGSTOP of the agent alone; returns when no thread of it runs. Its lease ends if it does not continue before. */
    public void stop() {
        Signals.stop(agent.process().toHandle());
    }

    /** SIGCONT of the agent. */
    public void resume() {
        Signals.resume(agent.process().toHandle());
    }

    @Override
    public String toString() {
        return "node " + number() + id().map(id -> " (" + id + ")").orElse("") + ", agent " + pid();
    }
}
