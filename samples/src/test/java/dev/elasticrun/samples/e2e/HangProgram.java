/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.Section;
import dev.elasticrun.worker.collective.ReduceOp;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Steps with an operation each; after some of them one rank hangs, each time that it is started in another way. */
final class HangProgram {
    private static final int STEPS = 210;
    private static final int HANGS_AT = 200;
    private static final Object ONE = new Object();
    private static final Object OTHER = new Object();

    private HangProgram() {}

    public static void main(String[] arguments) {
        ElasticRuntime.main(() -> work(Integer.parseInt(System.getenv("ELASTIC_RESTART_COUNT"))));
    }

    private static void work(int restarts) throws Exception {
        Collective collective = ElasticRuntime.join();
        for (int step = 1; step <= STEPS; step++) {
            collective.allReduce(new long[] {step}, ReduceOp.SUM);
            ElasticRuntime.progress(step);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            if (step == HANGS_AT && collective.rank() == 1) {
                System.err.println("about to hang " + restarts);
                hang(restarts);
            }
        }
        collective.close();
        System.out.println("done after " + restarts);
    }

    private static void hang(int how) throws IOException, InterruptedException {
        if (how == 0) {
            spin();
        } else if (how == 1) {
            try (Section section = ElasticRuntime.section("exchange", Duration.ofMillis(300))) {
                Objects.requireNonNull(section);
                deadlock();
            }
        } else if (how == 2) {
            stop();
        }
    }

    static void spin() {
        while (System.nanoTime() != 0) {
            Thread.onSpinWait();
        }
    }

    static void deadlock() throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        Thread other = new Thread(() -> takeBoth(OTHER, ONE, both), "other");
        other.setDaemon(true);
        other.start();
        takeBoth(ONE, OTHER, both);
        other.join();
    }

    private static void takeBoth(Object first, Object second, CountDownLatch both) {
        synchronized (first) {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (second) {
                both.countDown();
            }
        }
    }

    /** The signal may come a little later than the end of the program that sends it. */
    static void stop() throws IOException, InterruptedException {
        long pid = ProcessHandle.current().pid();
        new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor();
        new CountDownLatch(1).await();
    }
}
