/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;

/** Adds up numbers; where there are two, the second wants its node out of the run, and the first ends once it is alone. */
final class ExcludeProgram {
    static final String REASON = "the disk is bad";

    private static final int SUMS = 20;

    private ExcludeProgram() {}

    public static void main(String[] args) throws Exception {
        boolean accompanied = false;
        while (true) {
            try {
                Collective collective = ElasticRuntime.join();
                for (int i = 0; i < SUMS; i++) {
                    collective.allReduce(new long[] {i}, ReduceOp.SUM);
                }
                if (collective.worldSize() == 1 && accompanied) {
                    collective.close();
                    return;
                }
                accompanied |= collective.worldSize() == 2;
                if (accompanied && collective.rank() == 1) {
                    ElasticRuntime.excludeNode(REASON);
                }
                while (true) {
                    collective.allReduce(new long[] {1}, ReduceOp.SUM);
                }
            } catch (WorldChangedException e) {
                System.out.println("again: " + e.getMessage());
            }
        }
    }
}
