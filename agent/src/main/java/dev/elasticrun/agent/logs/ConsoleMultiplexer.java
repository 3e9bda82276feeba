/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the logs of many workers on one console, line by line, each with the prefix of its worker. The files are the
 * buffer: a console that blocks stalls only the thread {@code log-tail}, which resumes where it was. Methods may be
 * called by any thread and do not block, except {@link #close}.
 */
public final class ConsoleMultiplexer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleMultiplexer.class);
    private static final long POLL_MILLIS = 50;
    // Logs that do not grow are polled less often: an agent at rest should cost nothing.
    private static final long LAST_POLL_MILLIS = 400;

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration CLOSE_POLL = Duration.ofMillis(50);

    private final OutputStream console;
    private final Duration patience;
    private final ConsoleFlow flow = new ConsoleFlow();
    private final Semaphore wakeUp = new Semaphore(0);
    private final Thread thread;
    // Guarded by itself: files come and go from other threads.
    private final Map<Path, LogTail> tails = new LinkedHashMap<>();
    private volatile boolean closing;
    private volatile boolean abandoned;

    private ConsoleMultiplexer(OutputStream console, Duration patience) {
        this.console = console;
        this.patience = patience;
        this.thread = Daemons.of("log-tail", this::run);
    }

    /** Starts the thread. The stream is flushed after each batch of lines and never closed. */
    public static ConsoleMultiplexer start(OutputStream console) {
        return start(console, PATIENCE);
    }

    /** @param patience how long {@link #close} waits for a console that takes nothing */
    static ConsoleMultiplexer start(OutputStream console, Duration patience) {
        ConsoleMultiplexer multiplexer = new ConsoleMultiplexer(console, patience);
        multiplexer.thread.start();
        return multiplexer;
    }

    /**
     * Follows a file, which need not exist yet, on the console of {@link #start}.
     *
     * @param prefix what each line begins with, called for each line: a rank may change
     * @param enabled whether lines that are read now are shown; those that are not are skipped for good
     */
    public void add(Path file, Supplier<String> prefix, BooleanSupplier enabled) {
        add(file, prefix, enabled, console);
    }

    /** Follows a file on another stream, so that errors of workers can go to the errors of the agent. */
    public void add(Path file, Supplier<String> prefix, BooleanSupplier enabled, OutputStream output) {
        add(file, List.of(new LogSink(prefix, enabled, List.of(), output)), LogRotation.NEVER);
    }

    /** Follows a file for zero or more sinks, and rotates it. */
    public void add(Path file, List<LogSink> sinks, LogRotation rotation) {
        List<LogSink> counted = sinks.stream()
                .map(sink -> new LogSink(sink.prefix(), sink.enabled(), sink.texts(), flow.count(sink.output())))
                .toList();
        LogTail tail = new LogTail(file, counted, rotation);
        synchronized (tails) {
            if (tails.putIfAbsent(file, tail) != null) {
                throw new IllegalStateException("cannot follow " + file + ": it is followed already");
            }
        }
    }

    /** Completes when everything in the file, an unfinished last line included, is on the console. */
    public CompletableFuture<Void> finish(Path file) {
        LogTail tail;
        synchronized (tails) {
            tail = tails.get(file);
        }
        if (tail == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> finished = tail.finish();
        wakeUp.release();
        return finished;
    }

    /** A {@link #close} that is under way, or comes later, waits no more. */
    public void abandon() {
        abandoned = true;
    }

    /**
     * Finishes all files, however long that takes, as long as something is taken; waits no more than 3 s for a console
     * that takes nothing, and logs then how much is missing on it.
     */
    @Override
    public void close() {
        closing = true;
        wakeUp.release();
        long taken = flow.taken();
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (!abandoned && System.nanoTime() - deadline < 0) {
                thread.join(CLOSE_POLL.toMillis());
                if (!thread.isAlive()) {
                    return;
                }
                long now = flow.taken();
                if (now != taken) {
                    taken = now;
                    deadline = System.nanoTime() + patience.toNanos();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            List<LogTail> left = current();
            LOG.warn("{} bytes of output are missing on the console, and are in {}", missing(), left);
        }
    }

    /** Bytes that the console has not taken. */
    long missing() {
        return flow.underWay() + current().stream().mapToLong(LogTail::unread).sum();
    }

    private void run() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        boolean last = false;
        long poll = POLL_MILLIS;
        while (!last) {
            last = closing;
            List<LogTail> current = current();
            if (last) {
                current.forEach(LogTail::finish);
            }
            boolean more = false;
            long before = positions(current);
            for (LogTail tail : current) {
                more |= turn(tail, buffer);
            }
            poll = positions(current) == before ? Math.min(LAST_POLL_MILLIS, poll * 2) : POLL_MILLIS;
            if (more) {
                last = false;
            } else if (!last && !pause(poll)) {
                return;
            }
        }
    }

    private List<LogTail> current() {
        synchronized (tails) {
            return new ArrayList<>(tails.values());
        }
    }

    private static long positions(List<LogTail> tails) {
        return tails.stream().mapToLong(LogTail::position).sum();
    }

    private boolean turn(LogTail tail, ByteBuffer buffer) {
        boolean more = false;
        boolean last = true;
        try {
            boolean finishing = tail.finishing();
            more = tail.turn(buffer);
            last = finishing && !more;
            if (last) {
                tail.end();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot show {} any more; the file itself is not affected", tail, e);
        }
        try {
            tail.flush();
        } catch (IOException e) {
            LOG.debug("console does not take lines of {}", tail, e);
        }
        if (last) {
            forget(tail);
        }
        return more;
    }

    private void forget(LogTail tail) {
        synchronized (tails) {
            tails.values().remove(tail);
        }
        try {
            tail.close();
        } catch (IOException e) {
            LOG.debug("cannot close {}", tail, e);
        }
        tail.complete();
    }

    private boolean pause(long millis) {
        try {
            if (wakeUp.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
                wakeUp.drainPermits();
            }
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
