/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;

/** Adds up once. With workers of other nodes it then has something left to do by itself, which takes until there is another round. */
final class TailProgram {
    private TailProgram() {}

    public static void main(String[] args) throws Exception {
        Collective collective = sum();
        System.out.println("added up with " + collective.worldSize());
        if (collective.worldSize() > ElasticRuntime.getWorkerInfo().localWorldSize()) {
            ElasticRuntime.awaitWork(collective.round());
        }
    }

    private static Collective sum() throws InterruptedException {
        while (true) {
            try {
                Collective collective = ElasticRuntime.join();
                collective.allReduce(new long[] {1}, ReduceOp.SUM);
                return collective;
            } catch (WorldChangedException e) {
                System.out.println("again: " + e.getMessage());
            }
        }
    }
}
