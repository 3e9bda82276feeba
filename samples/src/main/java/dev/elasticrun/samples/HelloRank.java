/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.List;

/** The smallest worker: waits for a round and prints its place in it. */
final class HelloRank {
    private HelloRank() {}

    static void run(List<String> arguments) {
        Main.requireNoArguments("hello", arguments);
        Main.requireAgent();
        WorkerInfo here = ElasticRuntime.getWorkerInfo();
        System.out.println(String.format(
                "hello from rank %d of %d: worker %d of %d on node %d of %d, round %d",
                here.rank(),
                here.worldSize(),
                here.localRank(),
                here.localWorldSize(),
                here.groupRank(),
                here.groupWorldSize(),
                here.round()));
    }
}
