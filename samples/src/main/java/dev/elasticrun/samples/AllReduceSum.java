/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import java.util.List;

/** One operation of all workers, and what to do when the world changes under it: join the next round and try again. */
final class AllReduceSum {
    private AllReduceSum() {}

    static void run(List<String> arguments) {
        Main.requireNoArguments("all-reduce", arguments);
        Main.requireAgent();
        boolean done = false;
        while (!done) {
            try {
                Collective collective = ElasticRuntime.join();
                long[] sum = {collective.rank() + 1};
                collective.allReduce(sum, ReduceOp.SUM);
                if (collective.rank() == 0) {
                    System.out.println(String.format("1 to %d add up to %d", collective.worldSize(), sum[0]));
                }
                collective.close();
                done = true;
            } catch (WorldChangedException e) {
                System.err.println(e.getMessage());
            }
        }
    }
}
