/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.testing.Patience;
import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.ElasticState;
import dev.elasticrun.worker.Section;
import dev.elasticrun.worker.Snapshotable;
import dev.elasticrun.worker.collective.ReduceOp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Steps with an exchange each, which some other library is taken to do. In one of them the workers that were started first
 * do what the argument names; those that wait come out when the round is over, as from sockets that are closed.
 */
final class StragglerProgram {
    private static final int STEPS = 12;
    private static final int SPECIAL = 6;
    private static final int WORKERS = 4;

    private final Path meeting;
    private final boolean isFirst = System.getenv("ELASTIC_RESTART_COUNT").equals("0");
    private final CountDownLatch endOfEventLoop = new CountDownLatch(1);
    private final Steps steps = new Steps();

    private StragglerProgram(Path meeting) {
        this.meeting = meeting;
    }

    private static final class Steps implements Snapshotable {
        private int done;

        @Override
        public byte[] save() {
            return ByteBuffer.allocate(Integer.BYTES).putInt(done).array();
        }

        @Override
        public void restore(byte[] snapshot) {
            done = ByteBuffer.wrap(snapshot).getInt();
        }
    }

    /** @param arguments {@code hang} or {@code stop}, and an empty directory */
    public static void main(String[] arguments) {
        StragglerProgram program = new StragglerProgram(Path.of(arguments[1]));
        ElasticRuntime.main(() -> program.work(arguments[0]));
    }

    private void work(String mode) throws Exception {
        Thread eventLoop = new Thread(this::awaitEndOfEventLoop, "library>lw");
        eventLoop.setDaemon(true);
        eventLoop.start();
        ElasticState state = ElasticState.of(steps);
        ElasticLoop.run(state, collective -> {
            while (steps.done < STEPS) {
                collective.allReduce(new long[] {steps.done}, ReduceOp.SUM);
                exchange(mode, collective);
                steps.done++;
                state.commit();
            }
        });
        System.out.println("done");
    }

    private void exchange(String mode, Collective collective) throws IOException, InterruptedException {
        try (Section section = ElasticRuntime.peerSection("exchange")) {
            Objects.requireNonNull(section);
            if (isFirst && mode.equals("hang") && steps.done == SPECIAL) {
                meet(collective.rank());
                hang(collective);
            } else if (isFirst && mode.equals("stop") && steps.done == 0) {
                meet(collective.rank());
                stop(collective);
            }
        }
    }

    /** All are in the section before anything happens, and have been for as long as the agent needs to see it. */
    private void meet(int rank) throws IOException {
        Files.createFile(meeting.resolve(Integer.toString(rank)));
        Patience.until("all to come", Duration.ofSeconds(30), () -> present() == WORKERS, () -> present() + " came");
        Patience.pause(Duration.ofMillis(500));
    }

    private int present() {
        try (Stream<Path> all = Files.list(meeting)) {
            return (int) all.count();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void hang(Collective collective) {
        switch (collective.rank()) {
            case 0 -> park();
            case 1 -> {
                endOfEventLoop.countDown();
                park();
            }
            case 2 -> awaitEnd(collective.round());
            default -> Runtime.getRuntime().halt(7);
        }
    }

    private static void stop(Collective collective) throws IOException, InterruptedException {
        if (collective.rank() == 1) {
            HangProgram.stop();
        }
        awaitEnd(collective.round());
    }

    private static void awaitEnd(long round) {
        Patience.until("end of round " + round, Duration.ofSeconds(60), () -> ElasticRuntime.changed(round), () -> "");
    }

    /** Receives nothing, as in native code. */
    private static void park() {
        while (System.nanoTime() != 0) {
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    private void awaitEndOfEventLoop() {
        try {
            endOfEventLoop.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
