/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.samples.Main;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A program of the samples, unchanged, whose process ends in the middle of a call: the worker of one slot, among those
 * that are started first, when its main thread has been in that method so many times.
 */
public final class DoomedTraining {
    private DoomedTraining() {}

    /** @param arguments local rank, {@code Class.method} without its package, how often; then those of the samples */
    public static void main(String[] arguments) throws Exception {
        boolean isDoomed = System.getenv(WorkerEnv.LOCAL_RANK).equals(arguments[0])
                && System.getenv(WorkerEnv.RESTART_COUNT).equals("0");
        if (isDoomed) {
            Thread program = Thread.currentThread();
            int times = Integer.parseInt(arguments[2]);
            Thread end = new Thread(() -> endWithin(program, arguments[1], times), "end");
            end.setDaemon(true);
            end.start();
        }
        Main.main(Arrays.copyOfRange(arguments, 3, arguments.length));
    }

    private static void endWithin(Thread program, String method, int times) {
        boolean was = false;
        for (int entered = 0; entered < times; ) {
            boolean is = Stream.of(program.getStackTrace()).anyMatch(frame -> isOf(frame, method));
            entered += is && !was ? 1 : 0;
            was = is;
        }
        Runtime.getRuntime().halt(9);
    }

    private static boolean isOf(StackTraceElement frame, String method) {
        return (frame.getClassName() + "." + frame.getMethodName()).endsWith("." + method);
    }
}
