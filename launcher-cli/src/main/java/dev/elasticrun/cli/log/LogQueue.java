/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Queues text for a terminal or pipe that may take nothing for hours. Only the thread {@code log-writer} waits for it;
 * a thread that adds text never does. Text that does not fit is dropped and counted, and the count is written as soon
 * as text flows again. May be used by any thread.
 */
final class LogQueue {
    /** @param line whether it is of the log: behind it there may be a notice */
    private record Piece(PrintStream to, byte[] bytes, boolean line) {}

    private final int limitBytes;
    private final LongFunction<String> notice;
    // Guarded by this.
    private final Queue<Piece> pieces = new ArrayDeque<>();
    private long waitingBytes;
    private long dropped;
    private long added;
    private long written;
    private long stuckAt = -1;

    private LogQueue(int limitBytes, LongFunction<String> notice) {
        this.limitBytes = limitBytes;
        this.notice = notice;
    }

    /**
     * Starts the thread, a daemon.
     *
     * @param limitBytes how much may wait; more is dropped
     * @param notice a line, with its end, that states how many pieces were dropped
     */
    static LogQueue start(int limitBytes, LongFunction<String> notice) {
        LogQueue queue = new LogQueue(limitBytes, notice);
        Thread writer = new Thread(queue::write, "log-writer");
        writer.setDaemon(true);
        writer.start();
        return queue;
    }

    /** Adds text that may be dropped. */
    synchronized void offer(PrintStream to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (waitingBytes + bytes.length > limitBytes) {
            dropped++;
        } else {
            add(new Piece(to, bytes, true));
        }
    }

    /** Adds text that is no line of the log, and is dropped without a notice. */
    synchronized void show(PrintStream to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (waitingBytes + bytes.length <= limitBytes) {
            add(new Piece(to, bytes, false));
        }
    }

    /** Adds text that is worth waiting for at the end: it is never dropped. */
    synchronized void insist(PrintStream to, String text) {
        add(new Piece(to, text.getBytes(StandardCharsets.UTF_8), true));
    }

    /**
     * Waits until all that was added before is written, as long as something is written at least once in a while.
     *
     * @param patience how long to wait when nothing is
     * @return whether all is written
     */
    synchronized boolean flush(Duration patience) {
        long wanted = added;
        long seen = written;
        // After one wait in vain the next flush does not wait, unless something was written since.
        long deadline = System.nanoTime() + (stuckAt == written ? 0 : patience.toNanos());
        try {
            while (written < wanted) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    stuckAt = written;
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
                if (written != seen) {
                    seen = written;
                    deadline = System.nanoTime() + patience.toNanos();
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void add(Piece piece) {
        pieces.add(piece);
        waitingBytes += piece.bytes().length;
        added++;
        notifyAll();
    }

    private void write() {
        try {
            while (true) {
                Piece piece = next();
                piece.to().write(piece.bytes(), 0, piece.bytes().length);
                piece.to().flush();
                wrote(piece);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Piece next() throws InterruptedException {
        while (pieces.isEmpty()) {
            wait();
        }
        return pieces.remove();
    }

    private synchronized void wrote(Piece piece) {
        waitingBytes -= piece.bytes().length;
        written++;
        if (dropped > 0 && piece.line()) {
            // Behind what was kept, which is older than what was dropped.
            add(new Piece(piece.to(), notice.apply(dropped).getBytes(StandardCharsets.UTF_8), true));
            dropped = 0;
        }
        notifyAll();
    }
}
