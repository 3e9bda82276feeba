/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import ch.qos.logback.classic.Level;
import java.io.PrintStream;
import java.time.Duration;

/**
 * The way of the log to standard error. Its thread exists from the first use on: a command that logs nothing, or a program
 * with a logging configuration of its own, has none, and loads no class for it. May be used by any thread.
 */
public final class LogOutput {
    private static final int QUEUE_BYTES = 1 << 20;
    // The longest wait at the end for a stopped terminal, or for a pipe without a reader.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static volatile boolean used;

    private LogOutput() {}

    /** Made with the first line. */
    private static final class Started {
        static final LogQueue QUEUE = LogQueue.start(
                QUEUE_BYTES,
                dropped -> LogLine.now(
                        LogSetup.style(),
                        Level.WARN,
                        dropped + " lines of the log were dropped here: standard error took no more"));

        static {
            used = true;
        }
    }

    static LogQueue queue() {
        return Started.QUEUE;
    }

    /** Prints behind what was logged so far; waits for a stream that takes nothing no longer than 3 s. */
    public static void print(PrintStream to, String text) {
        queue().insist(to, text);
        flush();
    }

    /** Prints a report of several lines behind what was logged so far, in the form of the log; waits as {@link #print}. */
    public static void report(PrintStream to, boolean failed, String text) {
        print(to, LogSetup.report(failed, text));
    }

    /** Waits until what was logged so far is written, for a stream that takes nothing no longer than 3 s. */
    public static void flush() {
        if (used) {
            queue().flush(PATIENCE);
        }
    }
}
