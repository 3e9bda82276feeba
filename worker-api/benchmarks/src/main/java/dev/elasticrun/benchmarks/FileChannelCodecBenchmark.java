/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.benchmarks;

import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.internal.engine.SteadyRound;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** JSON of the file channel, without the files: an event for a worker, and a message of one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class FileChannelCodecBenchmark {
    private final WorkerEvent event = SteadyRound.work("incarnation", 7, 1, 3, 8);
    private final byte[] eventBytes = MessageCodec.encode(event);
    private final UpMessage message = new UpMessage.Progress(1, 2, 3);
    private final byte[] messageBytes = MessageCodec.encode(message);

    /** By the agent, once for each round and worker. */
    @Benchmark
    public byte[] encodeEvent() {
        return MessageCodec.encode(event);
    }

    /** By the worker. */
    @Benchmark
    public WorkerEvent decodeEvent() {
        return MessageCodec.decodeEvent(eventBytes);
    }

    /** By the worker. */
    @Benchmark
    public byte[] encodeMessage() {
        return MessageCodec.encode(message);
    }

    /** By the agent. */
    @Benchmark
    public UpMessage decodeMessage() {
        return MessageCodec.decodeUp(messageBytes);
    }
}
