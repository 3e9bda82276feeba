/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.testing.Patience;
import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Steps with an operation each; after some of them the last rank does what the argument names. */
final class FaultProgram {
    private static final int FAILS_AT = 30;
    private static final Duration STEP = Duration.ofMillis(50);

    private FaultProgram() {}

    public static void main(String[] arguments) {
        if (arguments[0].equals("outside") && isCulprit(Integer.parseInt(System.getenv("RANK")))) {
            throw new IllegalStateException("before the first call");
        }
        ElasticRuntime.main(() -> work(arguments[0]));
    }

    private static boolean isCulprit(int rank) {
        return rank == Integer.parseInt(System.getenv("WORLD_SIZE")) - 1;
    }

    private static void work(String fault) throws Exception {
        Collective collective = ElasticRuntime.join();
        boolean culprit = isCulprit(collective.rank());
        if (culprit && fault.equals("exit in a hook")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.exit(3)));
        }
        for (int step = 1; step <= FAILS_AT; step++) {
            collective.allReduce(new long[] {step}, ReduceOp.SUM);
            ElasticRuntime.progress(step);
            Patience.pause(STEP);
        }
        if (fault.equals("reducer")) {
            collective.allReduce(new long[] {1}, (into, other, count) -> {
                if (culprit) {
                    throw new ArithmeticException("overflow in column 2");
                }
                into[0] += other[0];
            });
        }
        if (culprit) {
            fail(fault, collective);
        }
        for (int step = FAILS_AT + 1; !(culprit && fault.equals("exit in a hook")); step++) {
            collective.allReduce(new long[] {step}, ReduceOp.SUM);
            ElasticRuntime.progress(step);
        }
    }

    private static void fail(String fault, Collective collective) throws IOException, InterruptedException {
        switch (fault) {
            case "exception" -> throw new IllegalStateException("not a number", new IOException("disk full"));
            case "memory" -> {
                List<byte[]> hoard = new ArrayList<>();
                while (hoard.size() < Integer.MAX_VALUE) {
                    hoard.add(new byte[1 << 20]);
                }
            }
            case "stack" -> recurse(1);
            case "library" -> System.loadLibrary("nowhere");
            case "port" -> {
                InetAddress here = InetAddress.getLoopbackAddress();
                try (ServerSocket one = new ServerSocket(0, 1, here);
                        ServerSocket other = new ServerSocket(one.getLocalPort(), 1, here)) {
                    throw new IllegalStateException(other + ": bound twice");
                }
            }
            case "mismatch" -> collective.barrier();
            case "stop the run" -> throw ElasticRuntime.stopRun("data file x.csv: not found");
            case "loop" -> HangProgram.spin();
            case "deadlock" -> HangProgram.deadlock();
            case "stopped" -> HangProgram.stop();
            case "slow" -> Patience.pause(STEP.multipliedBy(100));
            default -> {}
        }
    }

    private static int recurse(int depth) {
        return depth == Integer.MAX_VALUE ? depth : depth + recurse(depth + 1);
    }
}
