/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.benchmarks;

import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.WorkerState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a worker reads of its {@code head} file before each operation: whether its round is still open. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class EventCheckBenchmark {
    private Path file;
    private Head writer;
    private Head reader;

    /** Maps a head with one event and a lease, as an agent and its worker do. */
    @Setup
    public void publish() throws IOException {
        file = Files.createTempDirectory("event-check-").resolve("head");
        writer = Head.create(file);
        reader = Head.open(file);
        writer.publish(1, 1, WorkerState.HEALTHY);
        writer.leaseDeadline(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    }

    /** Removes the file. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        reader.close();
        writer.close();
        Files.delete(file);
        Files.delete(file.getParent());
    }

    /** Only whether there is a newer event. */
    @Benchmark
    public boolean newerEvent() {
        return reader.seq() > 1;
    }

    /** The whole check: no newer event, and the lease has not ended. */
    @Benchmark
    public boolean isOpen() {
        return reader.seq() <= 1 && System.nanoTime() - reader.leaseDeadlineNanos() < 0;
    }
}
