/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;

/** Adds up arrays and looks at every element of every sum. Ends with an exception when the world changes. */
final class SumProgram {
    private SumProgram() {}

    /** @param args how often, and of how many elements */
    public static void main(String[] args) {
        int sums = Integer.parseInt(args[0]);
        long[] values = new long[Integer.parseInt(args[1])];
        Collective collective = ElasticRuntime.join();
        long world = collective.worldSize();
        for (int sum = 1; sum <= sums; sum++) {
            for (int i = 0; i < values.length; i++) {
                values[i] = (long) sum * i + collective.rank();
            }
            collective.allReduce(values, ReduceOp.SUM);
            for (int i = 0; i < values.length; i++) {
                long expected = world * sum * i + world * (world - 1) / 2;
                if (values[i] != expected) {
                    throw new IllegalStateException(
                            "sum " + sum + ", element " + i + ": " + values[i] + " (expected: " + expected + ")");
                }
            }
            System.out.println("sum " + sum + " of " + world);
        }
        collective.close();
    }
}
