/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;

/** One agent's part of a loop that several share. Once it is killed none of its tasks runs any more. */
final class SharedLoop implements EventLoop {
    private final EventLoop shared;
    private volatile boolean killed;

    SharedLoop(EventLoop shared) {
        this.shared = shared;
    }

    void kill() {
        killed = true;
    }

    @Override
    public void execute(Runnable task) {
        shared.execute(() -> run(task));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return shared.schedule(delay, () -> run(task));
    }

    @Override
    public long nowNanos() {
        return shared.nowNanos();
    }

    @Override
    public void assertInLoop() {
        shared.assertInLoop();
    }

    private void run(Runnable task) {
        if (!killed) {
            task.run();
        }
    }
}
