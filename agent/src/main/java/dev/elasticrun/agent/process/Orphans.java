/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for processes that lost their parent, where this JVM is the first process of a container: the kernel gives them
 * to it, and each keeps a place in the table of processes until it is waited for. The JDK waits for its own children only,
 * but can be asked to wait for others by a method that is not public, which takes {@code --add-opens}.
 */
final class Orphans implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);
    private static final long FIRST_PROCESS = 1;
    private static final long PERIOD_MILLIS = 500;

    private final ScheduledThreadPoolExecutor executor;
    private Set<Long> before = Set.of();

    private Orphans() {
        executor = new ScheduledThreadPoolExecutor(1, Daemons.named("orphan-reaper"));
    }

    /** Does nothing in a process that the kernel gives no orphans to. */
    static Orphans reap() {
        Orphans orphans = new Orphans();
        if (ProcessHandle.current().pid() == FIRST_PROCESS) {
            orphans.start();
        }
        return orphans;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private void start() {
        try {
            Method wait = Class.forName("java.lang.ProcessHandleImpl")
                    .getDeclaredMethod("completion", long.class, boolean.class);
            wait.setAccessible(true);
            executor.scheduleWithFixedDelay(() -> sweep(wait), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn(
                    "processes that lose their parent stay zombies: this is process 1, and the JVM was started without"
                            + " --add-opens java.base/java.lang=ALL-UNNAMED",
                    e);
        }
    }

    // Only children that existed before: the JDK may not have registered yet that a child of its own ended.
    private void sweep(Method wait) {
        try {
            Set<Long> now = ProcessTable.zombiesOf(FIRST_PROCESS);
            for (long pid : now) {
                if (before.contains(pid)) {
                    wait.invoke(null, pid, true);
                }
            }
            before = now;
        } catch (IOException | ReflectiveOperationException | OutOfMemoryError e) {
            LOG.debug("cannot wait for orphans; trying again", e);
        }
    }
}
