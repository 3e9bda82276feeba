/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;

/** Adds up numbers for ever, but rank 1 ends in the midst of it, as if it had done its work. */
final class EarlyEndProgram {
    private static final int LAST = 5;

    private EarlyEndProgram() {}

    public static void main(String[] args) throws Exception {
        while (true) {
            try {
                Collective collective = ElasticRuntime.join();
                for (int i = 0; ; i++) {
                    collective.allReduce(new long[] {i}, ReduceOp.SUM);
                    if (i == LAST && collective.rank() == 1) {
                        System.exit(0);
                    }
                }
            } catch (WorldChangedException e) {
                System.out.println("again: " + e.getMessage());
            }
        }
    }
}
