/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.benchmarks;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.ReduceOp;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** An all-reduce of a few floats between two ranks, threads of this process. Needs two processors that are idle. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SmallAllReduceBenchmark {
    /** By what the ranks are connected. */
    @Param({"TCP", "SHM"})
    public String transport;

    /** Floats of the array. */
    @Param({"1", "256"})
    public int length;

    private TwoRanks ranks;
    private Collective first;
    private float[] values;

    /** Forms the round; the second rank repeats the same operation until it ends. */
    @Setup
    public void join() throws IOException {
        values = new float[length];
        float[] others = new float[length];
        ranks = TwoRanks.join(transport);
        first = ranks.first(second -> second.allReduce(others, ReduceOp.MAX));
    }

    /** Ends the round, and with it the second rank. */
    @TearDown
    public void end() throws IOException {
        ranks.close();
    }

    /** One call of the first rank. */
    @Benchmark
    public float[] allReduce() {
        first.allReduce(values, ReduceOp.MAX);
        return values;
    }
}
