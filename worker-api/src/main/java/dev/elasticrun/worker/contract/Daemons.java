/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.util.concurrent.ThreadFactory;

/**
 * Threads of agents and workers, none of which keeps its process alive. Each name has a row in docs/architecture.md.
 */
public final class Daemons {
    private Daemons() {}

    /** A thread that is not started yet. */
    public static Thread of(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** A thread that runs the task from now on. */
    public static Thread start(String name, Runnable task) {
        Thread thread = of(name, task);
        thread.start();
        return thread;
    }

    /** For an executor: all of its threads have the name. */
    public static ThreadFactory named(String name) {
        return task -> of(name, task);
    }
}
