/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

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

    /**
     * A thread that runs the task from now on. A process that makes too many others, such as a worker in the same container, can
     * leave none: for tasks without which this process goes on.
     *
     * @param otherwise is called at once, in the calling thread, with the reason, where no thread can be made
     */
    public static void start(String name, Runnable task, Consumer<String> otherwise) {
        try {
            of(name, task).start();
        } catch (OutOfMemoryError noThread) {
            otherwise.accept(noThread.getMessage());
        }
    }

    /** For an executor: all of its threads have the name. */
    public static ThreadFactory named(String name) {
        return task -> of(name, task);
    }
}
