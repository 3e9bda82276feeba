/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

/** The end of a process whose program failed. */
final class GuardedMain {
    private GuardedMain() {}

    /** A thread that does not end with its program would keep the process, and with it the whole run. */
    static void run(ElasticRuntime.Program program) {
        try {
            program.run();
        } catch (Throwable failure) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
            Runtime.getRuntime().exit(1);
        }
    }
}
