/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The loop of one simulated process, which can be frozen and killed. */
public final class SimulatedLoop implements EventLoop {
    private final SimulatedTime time;
    private final List<Runnable> held = new ArrayList<>();
    private boolean frozen;
    private boolean dead;

    public SimulatedLoop(SimulatedTime time) {
        this.time = time;
    }

    @Override
    public void execute(Runnable task) {
        time.add(Duration.ZERO, this, true, task);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        boolean[] cancelled = new boolean[1];
        time.add(delay, this, true, () -> {
            if (!cancelled[0]) {
                task.run();
            }
        });
        return () -> cancelled[0] = true;
    }

    @Override
    public long nowNanos() {
        return time.nowNanos();
    }

    @Override
    public void assertInLoop() {
        if (time.running() != this) {
            throw new IllegalStateException("cannot touch the loop's state from outside");
        }
    }

    /** Something that another thread of the process does. */
    public void outside(Duration delay, Runnable task) {
        time.add(delay, this, false, task);
    }

    public void freeze() {
        frozen = true;
    }

    public void thaw() {
        frozen = false;
        List<Runnable> tasks = List.copyOf(held);
        held.clear();
        tasks.forEach(Runnable::run);
    }

    public void kill() {
        dead = true;
        frozen = false;
        held.clear();
    }

    public boolean frozen() {
        return frozen;
    }

    public boolean dead() {
        return dead;
    }

    void hold(Runnable task) {
        held.add(task);
    }
}
