/* SPDX-License-Identifier: Apache-2.0 */
package com.example.worker;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.collective.ReduceOp;
import io.netty.util.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums the numbers of a step over all workers, however many there are, and chains the sums. Arguments: how many steps,
 * how many milliseconds a step takes, and a file: once it is there steps take no time.
 */
public final class HashedSteps {
    private static final int NUMBERS = 1000;

    private final long steps;
    private final long stepMillis;
    private final Path hurry;
    private final Chain chain = new Chain();
    private final ElasticState state = ElasticState.of(chain);

    private HashedSteps(long steps, long stepMillis, Path hurry) {
        this.steps = steps;
        this.stepMillis = stepMillis;
        this.hurry = hurry;
    }

    public static void main(String[] args) {
        ElasticRuntime.main(
                () -> new HashedSteps(Long.parseLong(args[0]), Long.parseLong(args[1]), Path.of(args[2])).run());
    }

    private void run() throws Exception {
        ElasticLoop.run(state, this::work);
    }

    private void work(Collective collective) throws Exception {
        if (collective.rank() == 0) {
            System.out.println("round " + collective.round() + " world " + collective.worldSize());
        }
        while (chain.step() < steps) {
            long[] sum = {share(collective)};
            collective.allReduce(sum, ReduceOp.SUM);
            chain.add(sum[0]);
            state.commit();
            if (!Files.exists(hurry)) {
                Thread.sleep(stepMillis);
            }
        }
        if (collective.rank() == 0) {
            System.out.println("result " + new ObjectMapper().writeValueAsString(result()));
        }
    }

    /** Of the numbers of this step, those of this rank. */
    private long share(Collective collective) {
        long sum = 0;
        for (long number = collective.rank(); number < NUMBERS; number += collective.worldSize()) {
            sum += number * (chain.step() + 1);
        }
        return sum;
    }

    private Map<String, Object> result() {
        Map<String, Object> result = new TreeMap<>();
        result.put("steps", chain.step());
        result.put("chain", chain.value());
        result.put("netty", Version.identify().get("netty-buffer").artifactVersion());
        return result;
    }
}
