/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.internal.reuse.Assignment;
import java.util.concurrent.locks.LockSupport;

/** A program that is called several times in one JVM. */
public final class ReusedTarget {
    private static int calls;

    private ReusedTarget() {}

    /** @param arguments what to do, and what to print */
    public static void main(String[] arguments) {
        calls++;
        System.out.println("call " + calls + " for "
                + Assignment.current().environment().get(WorkerEnv.RUN_ID) + ": "
                + (arguments.length > 1 ? arguments[1] : ""));
        switch (arguments[0]) {
            case "throw" -> throw new IllegalStateException("as it was asked");
            case "exit" -> System.exit(3);
            case "stay" -> stay();
            case "thread" -> new Thread(ReusedTarget::late).start();
            default -> System.err.println("and an error");
        }
    }

    private static void late() {
        LockSupport.parkNanos(300_000_000L);
        System.out.println("the thread, too");
    }

    private static void stay() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(1_000_000_000L);
        }
    }
}
