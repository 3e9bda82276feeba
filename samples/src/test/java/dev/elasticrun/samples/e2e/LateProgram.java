/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import java.util.concurrent.CountDownLatch;

/** Adds up numbers; in the first round until rank 1 makes no more calls. */
final class LateProgram {
    private static final int SUMS = 10;

    private LateProgram() {}

    public static void main(String[] args) throws Exception {
        Collective collective = ElasticRuntime.join();
        for (int i = 0; i < SUMS; i++) {
            collective.allReduce(new long[] {i}, ReduceOp.SUM);
        }
        if (collective.rank() == 1 && ElasticRuntime.getWorkerInfo().round() == 1) {
            System.out.println("makes no more calls");
            new CountDownLatch(1).await();
        }
        collective.allReduce(new long[] {SUMS}, ReduceOp.SUM);
        System.out.println("added up by " + collective.worldSize());
    }
}
